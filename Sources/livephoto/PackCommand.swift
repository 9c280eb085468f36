import ArgumentParser
import LivePhotoConversion
import LivePhotoKit

struct PackCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Puts a Live Photo into one file: a Motion Photo, a .livp or a .pvt.",
        usage: "livephoto pack [<options>] <photo> <movie>",
        discussion: "Picture and sound stay bit for bit; a Motion Photo says when in its movie the photo was taken.")

    static let examples = [
        "livephoto pack beach.JPG beach.MOV --as motion-photo --output beach.MP.jpg",
        "livephoto pack beach.JPG --as livp --output beach.livp",
    ]

    @Argument(help: "The photo and its movie, or one of them.", completion: .file())
    var paths: [String]

    @Option(name: .customLong("as"), help: ArgumentHelp("motion-photo, livp or pvt.", valueName: "format"))
    var format: String

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("The file to make, or for pvt the folder.", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var logging: LoggingOptions

    func run() throws {
        logging.apply()
        let pair = try PairPaths(arguments: paths)
        guard let format = PairContainer.Format(rawValue: format) else {
            let known = alternatives(PairContainer.Format.allCases.map(\.rawValue), "or")
            throw UsageError("--as: \(quoted(format)) is not a format; write \(known)")
        }
        let target = FilePath(output)
        try PairContainer.pack(
            photo: pair.photo, movie: pair.movie, stillTime: try MovieMoments(of: pair.movie).still, as: format,
            to: target)
        try Terminal.print("\(target)")
    }
}
