import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct UnlinkCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Turn a Live Photo back into a plain photo and a plain movie, without re-encoding.",
        usage: "livephoto unlink [<options>] <photo> <movie>",
        discussion: """
            Removes the content identifier from both files and the still time from the movie. A photo and a movie that \
            do not belong together by their content identifiers are changed only with --force. 'undo' undoes a change in \
            place.
            """)

    static let examples = [
        "livephoto unlink beach.JPG beach.MOV --output plain", "livephoto unlink beach.JPG --in-place",
    ]

    @Argument(
        help: ArgumentHelp(
            "The photo and its movie, or one of the two if both have the same name.", valueName: "photo|movie"),
        completion: .pairs)
    var paths: [String]

    @OptionGroup var destination: DestinationOptions

    @Flag(
        name: .shortAndLong,
        help: "Replace existing files, and unlink a photo and a movie that are not linked to each other.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print the files that would be written, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let pair = try PairPaths(arguments: paths, byIdentifierOnly: true)
        let (place, name) = try destination.place(of: pair, replacing: force)
        var linker = LivePhotoLinker()
        linker.acceptsDifferentPairs = force
        if dryRun {
            return try DryRun.show(to: place) { files in
                json ? try JSON.text(UnlinkDocument(files, dryRun: true)) : files.map(\.string).joined(separator: "\n")
            } checking: { [linker] in
                try linker.checkUnlinkable(photo: pair.photo, movie: pair.movie, name: name, to: $0)
            }
        }
        let made = try linker.unlink(photo: pair.photo, movie: pair.movie, name: name, to: place)
        let files = [made.photo, made.movie]
        if json { return Terminal.printResult(try JSON.text(UnlinkDocument(files, dryRun: false))) }
        Terminal.printResult(lines: files.map(\.string))
    }
}

/// Output of `unlink --json`.
private struct UnlinkDocument: Encodable {
    private let schema = 1
    private let photo: String?
    private let movie: String?
    private let dryRun: Bool

    init(_ files: [FilePath], dryRun: Bool) {
        (photo, movie, self.dryRun) = (files.first?.string, files.last?.string, dryRun)
    }
}
