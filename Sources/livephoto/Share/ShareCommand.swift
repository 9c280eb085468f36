import ArgumentParser
import LivePhotoBatch

struct ShareCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Send Live Photos to a phone or computer in the same network.",
        usage: "livephoto share [<options>] <pair|folder|clip> ...",
        discussion: """
            Shows an address and its QR code. The page that it opens plays the Live Photos and has a button to save them: for an \
            iPhone as .pvt.zip, for Android as motion photos, for a computer as their files. No app and no account is needed, and \
            nothing leaves the network.

            Sharing ends when every Live Photo has been fetched, when nobody has asked for anything for ten minutes, or with \
            Ctrl-C. With --keep, only Ctrl-C ends it. --verbose also lists each request.

            A pair is a photo and its movie, one of the two, a motion photo, or a .pvt, .livp or zip file. In folders, all of these \
            are found as in 'preview'. Clips are converted first; their Live Photos are removed when sharing ends ('convert' keeps \
            them).

            Only a device with the address gets anything, and only what is shared; the address contains a secret that is new each \
            time. \
            Without --tls, others in the network who record its traffic can read along. With --tls the connection is encrypted; \
            browsers then warn of the certificate, which no authority has signed: compare its fingerprint with the one shown.

            Exits with 0 if everything was fetched, with 1 if nobody has asked for the rest for ten minutes, and with 130 if Ctrl-C \
            ended it before.
            """)

    static let examples = [
        "livephoto share beach.JPG",
        "livephoto share ~/Pictures/Live --keep",
        "livephoto share beach.mp4 --tls",
    ]

    @Argument(
        help: ArgumentHelp("Photos, movies or containers of Live Photos, folders, or clips.", valueName: "pair"),
        completion: .pairsAndContainers)
    var pairs: [String]

    @Flag(help: "Go on after everything was fetched, until Ctrl-C.")
    var keep = false

    @Flag(help: "Encrypt the connection, with a certificate made for this run.")
    var tls = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "IP address or network interface to listen at. (default: the address that this machine has in its network)",
            valueName: "address"))
    var address: String?

    @OptionGroup var port: PortOption

    @Option(
        help: ArgumentHelp(
            "Preset for clips; see 'livephoto presets list'. (default: \(PresetLibrary.defaultName))",
            valueName: "name|file"),
        completion: .presets)
    var preset: String?

    @Flag(help: "Print one line of JSON for each event.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    /// Seconds without a request after which sharing ends.
    private static let idleTime = 600

    func run() async throws {
        logging.apply()
        let worker = try workerOptions.worker(logging)
        var template = ConversionRequest(clip: "")
        if let preset { template.preset = try PresetLibrary.withOwnPresets.resolve(preset) }
        let sources = try await ShareSources(pairs, template, worker, jobs, progress)
        defer { sources.discard() }
        var order = ShareOrder(sources.items)
        (order.address, order.port, order.usesTLS) = (address, port.number, tls)
        (order.seconds, order.decoders) = (keep ? nil : Self.idleTime, worker.settings)
        order.reportsRequests = logging.verbose
        let display = ShareDisplay(
            count: sources.items.count, order, isJSON: json, isVerbose: logging.verbose, progress: progress)
        do {
            let last: ShareEvent = try await ServerProcess.run(.share(order)) { display.show($0) }
            guard case .ended(let ending) = last, display.end(ending) else { throw ExitCode(1) }
        } catch is CancellationError where display.isComplete {
            // Ctrl-C is how --keep ends.
            progress.say("stopped; \(display.summary)")
        } catch is CancellationError {
            throw Cancelled(note: display.summary)
        }
    }
}
