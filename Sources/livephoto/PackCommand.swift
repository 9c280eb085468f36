import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct PackCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Pack each Live Photo into one file: a Motion Photo, .livp or .pvt.",
        usage: "livephoto pack [<options>] <photo> <movie> | <folder> ...",
        discussion: """
            Picture and sound stay bit for bit; a Motion Photo says when in its movie the photo was taken.

            Of one pair, --output is the file to make, or a folder that takes it. Of folders, all pairs are found as \
            'verify' finds them, and --output is a folder with the same folders in it. In a folder a pair is called \
            IMG_1.MP.jpg or IMG_1.MP.heic, IMG_1.livp, IMG_1.pvt. What stands at its place already, byte for byte, is \
            done. One that fails does not stop the others; the status is 1 then.
            """)

    static let examples = [
        "livephoto pack beach.JPG beach.MOV --as motion-photo --output beach.MP.jpg",
        "livephoto pack beach.JPG --as livp --output beach.livp",
        "livephoto pack ~/Pictures --as motion-photo --output Phone",
    ]

    @Argument(help: "The photo and its movie, or one of them, or folders.", completion: .file())
    var paths: [String]

    @Option(name: .customLong("as"), help: ArgumentHelp("motion-photo, livp or pvt.", valueName: "format"))
    var format: String

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "What to make (for pvt a folder), or the folder that takes what is made.", valueName: "path"),
        completion: .file())
    var output: String

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let sources = try PairSources(paths)
        guard let format = PairContainer.Format(rawValue: format) else {
            let known = alternatives(PairContainer.Format.allCases.map(\.rawValue), "or")
            throw UsageError("--as: \(quoted(format)) is not a format; write \(known)")
        }
        let target = FilePath(argument: output)
        try await transfer.run("packing", isSingle: sources.isPair) { transfer, log in
            switch sources {
            case .pair(let pair):
                let outcome = transfer.pack(photo: pair.photo, movie: pair.movie, as: format, to: target)
                try log.tell(outcome, results: [outcome.container])
            case .folders(let folders):
                try await transfer.pack(below: folders, as: format, to: target) {
                    log.show($0)
                } report: {
                    try log.tell($0, results: [$0.container])
                }
            }
        }
    }
}
