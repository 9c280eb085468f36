import ArgumentParser
import LivePhotoBatch
import SystemPackage

struct StudioCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Make and edit Live Photos in a browser window.",
        usage: "livephoto studio [<options>] [<clip|pair|folder> ...]",
        discussion: """
            Opens a window in the browser of this machine: a film strip to choose the key photo and the part of the clip, crop, \
            adjustments, effects, a preview that plays as Photos does, and a button that makes the Live Photo. It also shows the \
            command that does the same. Files can also be dropped into the window.

            Nothing leaves this machine, except what "To the phone" sends, as 'share' does. The page reads only the files and folders \
            that are named here or were dropped into it. It writes only to the output folder, and to photos and movies that are \
            edited or linked in place. The address that is printed opens one window, once.

            The studio ends with Ctrl-C, or a minute after its last window was closed, once everything is made and nothing is sent to \
            a phone any more. With --keep, only Ctrl-C ends it.
            """)

    static let examples = [
        "livephoto studio beach.mp4",
        "livephoto studio ~/Pictures --output ~/LivePhotos",
        "livephoto studio --no-open --keep",
    ]

    @Argument(
        help: ArgumentHelp("Clips, Live Photos, and folders of them.", valueName: "clip|pair|folder"),
        completion: .pairsAndContainers)
    var inputs: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Folder of the Live Photos; created if missing.", valueName: "path"), completion: .directory)
    var output: String = "."

    @Option(
        help: ArgumentHelp(
            "Preset that is chosen at first; see 'livephoto presets list'. (default: \(PresetLibrary.defaultName))",
            valueName: "name|file"),
        completion: .presets)
    var preset: String?

    @Flag(help: "Print the address, but open no window.")
    var noOpen = false

    @Flag(help: "Go on after the last window was closed, until Ctrl-C.")
    var keep = false

    @OptionGroup var port: PortOption

    @Flag(help: "Print one line of JSON for each event.")
    var json = false

    @OptionGroup var messages: QuietOption
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    /// Seconds after the last window was closed.
    private static let idleTime = 60

    func run() async throws {
        logging.apply()
        let worker = try workerOptions.worker(logging)
        for input in inputs.map({ FilePath(argument: $0) }) where !FileSystem.exists(input) {
            throw LivePhotoError(reading: input, Errno.noSuchFileOrDirectory)
        }
        let library = PresetLibrary.withOwnPresets
        var first = try library.resolve(preset ?? PresetLibrary.defaultName)
        // As it was written: a file, for the command that is shown.
        if let preset { first.name = preset }
        var presets = (library.names + library.ownNames).compactMap { try? library.preset(named: $0) }
        if !presets.contains(where: { $0.name == first.name }) { presets.append(first) }
        var order = StudioOrder(
            inputs.map { PathText(FilePath(argument: $0)) }, output: PathText(try OutputPlace.folder(output)),
            presets: presets, preset: first.name)
        (order.port, order.seconds) = (port.number, keep ? nil : Self.idleTime)
        order.decoders = worker.settings
        let display = StudioDisplay(isJSON: json, opensWindow: !noOpen, messages: messages)
        do {
            _ =
                try await ServerProcess.run(.studio(order)) { (event: StudioEvent) in display.show(event) }
                as StudioEvent
            messages.say("done; the last window was closed")
        } catch is CancellationError {
            // Ctrl-C is how the studio ends.
            messages.say("stopped")
        }
    }
}
