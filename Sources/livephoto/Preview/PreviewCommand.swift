import ArgumentParser
import LivePhotoBatch
import LivePhotoPages

struct PreviewCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Write a web page that plays Live Photos, as Photos does.",
        usage: "livephoto preview [<options>] <pair|folder> ...",
        discussion: """
            The page is one HTML file that needs nothing but a browser and loads nothing from elsewhere. It shows each \
            photo with its facts and the findings of 'verify', and plays the movie while the photo is pressed or \
            Space is held. Sound is off until it is asked for.

            A pair is a photo and its movie, one of the two, a motion photo, or a .pvt, .livp or zip file. In folders, \
            all of these are found as in 'verify' and 'extract'.

            Photos that are no JPEG and movies that are not H.264 with AAC are shown as smaller copies, because most \
            browsers cannot show them; all others are embedded as they are, with their metadata. With --link, the page \
            refers to them by relative addresses and stays small; the copies are embedded all the same. A Live Photo that \
            cannot be shown becomes a card with the reason, and the exit status is 1.

            --player prints the player alone, a JavaScript module for your own pages; Documentation/Player.md describes \
            it.
            """)

    static let examples = [
        "livephoto preview beach.JPG --output beach.html",
        "livephoto preview ~/Pictures/Live --link --output ~/Pictures/Live/index.html",
        "livephoto preview --player > live-photo.js",
    ]

    private static let defaultOutput = "preview.html"

    @Argument(
        help: ArgumentHelp("Photos, movies or containers of Live Photos, or folders.", valueName: "pair"),
        completion: .pairsAndContainers)
    var pairs: [String] = []

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("The page to write. (default: \(defaultOutput))", valueName: "file"),
        completion: .files(["html"]))
    var output: String?

    @Flag(help: "Refer to the photos and movies instead of embedding them; they must stay where they are.")
    var link = false

    @Flag(help: "Also play while the mouse is over a photo.")
    var hover = false

    @Flag(help: "Print the player, a JavaScript module, and nothing else.")
    var player = false

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "List what the page would show, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each Live Photo.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        if player, let output {
            throw ValidationError("--player prints the player; write it to a file with > \(output)")
        }
        if player, !pairs.isEmpty { throw ValidationError("--player prints the player alone; leave the pairs out") }
        if !player, pairs.isEmpty { throw ValidationError("give Live Photos or folders, or --player") }
    }

    func run() async throws {
        logging.apply()
        if player { return try Terminal.print(Player.script, terminator: "") }
        let output = output ?? Self.defaultOutput
        let path = try OutputPlace.path(output)
        guard ["html", "htm"].contains(path.extension?.lowercased()) else {
            throw UsageError("--output: \(quoted(output)) is not the name of a page, which ends in .html")
        }
        let engine = try workerOptions.engine(logging)
        let items = try await PreviewSources.items(pairs, width: jobs.width, progress)
        var preview = Preview(items, to: path, replacesExisting: force)
        (preview.isLinked, preview.playsOnHover) = (link, hover)
        preview.width = jobs.count ?? preview.width
        try await PreviewRun(preview: preview, items: items, output: path, isJSON: json, progress: progress)
            .run(isDryRun: dryRun, engine)
    }
}
