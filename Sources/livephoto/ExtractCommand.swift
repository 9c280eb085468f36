import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct ExtractCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract Live Photos from motion photos, .livp, .pvt and zip files.",
        usage: "livephoto extract [<options>] <file|folder> ...",
        discussion: """
            Google's Motion Photos and what came before them, Samsung's, Baidu's .livp, the .pvt folders of Photos and \
            AirDrop, and zips that hold a photo and a movie. Picture and sound stay bit for bit; the still is at the \
            moment that the file names.

            Below a folder all of them are found; the pairs go to the same folders below --output. Photos without a \
            movie and zips without a pair are passed over there. A pair that stands at its place already, byte for \
            byte, is done: running the same line again only makes what is missing. One that fails does not stop the \
            others; the status is 1 then.
            """)

    static let examples = [
        "livephoto extract PXL_1.MP.jpg --output Live", "livephoto extract *.MP.jpg -o Live",
        "livephoto extract ~/Pictures -o Live --json > made.jsonl",
    ]

    @Argument(help: "What holds a photo and its movie, or folders of such.", completion: .file())
    var paths: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Where the pairs go; made when missing.", valueName: "dir"), completion: .directory)
    var output: String = "."

    @Option(help: ArgumentHelp("Name of both files. (default: the photo's)", valueName: "name"))
    var name: String?

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let paths = paths.map { FilePath(argument: $0) }
        let isSingle = paths.count == 1 && !paths.contains { $0.isFolderOfFiles }
        guard name == nil || isSingle else {
            throw UsageError("--name is for one file; with several, each pair has its photo's name")
        }
        let (name, directory) = (name, FilePath(argument: output))
        try await transfer.run("extracting", isSingle: isSingle) { transfer, log in
            try await transfer.extract(paths, name: name, to: directory) {
                log.show($0)
            } report: {
                try log.tell($0, results: [$0.photo, $0.movie])
            }
        }
    }
}
