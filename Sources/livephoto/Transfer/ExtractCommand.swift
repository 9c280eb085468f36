import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct ExtractCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Extract Live Photos from motion photos, .livp, .pvt and zip files.",
        usage: "livephoto extract [<options>] <file|folder> ...",
        discussion: """
            Reads Google's Motion Photos and MicroVideos, Samsung's, Huawei's and Honor's motion photos, Baidu's .livp, the .pvt folders of \
            Photos and AirDrop, and zip files with a photo and a movie. Picture and sound stay the same, bit for bit, and the \
            still time is the one in the file. A photo whose description of the movie is wrong or missing is searched \
            for a complete movie. Some phones, such as vivo's, write a JPEG and an MP4 instead of one file; 'link' makes \
            a Live Photo of them.

            In a folder, all such files are extracted into the same folder structure below --output; photos without a \
            movie and zip files without a pair are skipped. A pair that already exists with identical content is not \
            written again. If one file fails, the others are still extracted and the exit status is 1.
            """)

    static let examples = [
        "livephoto extract PXL_1.MP.jpg --output Live", "livephoto extract *.MP.jpg -o Live",
        "livephoto extract ~/Pictures -o Live --json > made.jsonl",
    ]

    @Argument(help: "Files that contain a photo and its movie, or folders of such files.", completion: .containers)
    var paths: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Output folder; created if missing. For a single file, with the extension .MOV, .JPG or .HEIC, folder and name.",
            valueName: "path"), completion: .directory)
    var output: String = "."

    @Option(help: ArgumentHelp("Name of both files. (default: that of the photo)", valueName: "name"))
    var name: String?

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let paths = [FilePath](arguments: paths)
        let isSingle =
            paths.count == 1 && !paths.contains { $0.isFolderOfFiles || !PairContainer.bundles(in: $0).isEmpty }
        guard name == nil || isSingle else {
            throw UsageError("--name applies only to a single pair; otherwise each pair has the name of its photo")
        }
        let place = isSingle ? try OutputPlace(output, name: name) : nil
        if let path = paths.first { try place?.check { try PairContainer(path).publishedPhotoExtension() } }
        let (name, directory) = (place?.name, try place?.directory ?? OutputPlace.folder(output))
        try await transfer.run("extracting", isSingle: isSingle) { transfer, log in
            try await transfer.extract(paths, name: name, to: directory) {
                log.show($0)
            } report: {
                try log.report($0, results: [$0.photo, $0.movie])
            }
        }
    }
}
