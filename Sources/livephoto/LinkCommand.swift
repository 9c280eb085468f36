import ArgumentParser
import LivePhotoConversion
import LivePhotoKit

struct LinkCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes a Live Photo of a photo and a movie, without encoding anything.",
        usage: "livephoto link [<options>] <photo> <movie>",
        discussion: """
            Writes one content identifier into both and the still's moment into the movie; picture and sound stay bit for \
            bit. The photo is a JPEG or HEIC, the movie a MOV or MP4 of H.264 or HEVC; 'convert --photo' takes others. \
            Also mends a pair that lost its link.

            Copies go to --output; --in-place changes the files themselves. The still is where the movie says, or else \
            where it shows what the photo shows, or else in its middle.
            """)

    static let examples = [
        "livephoto link beach.JPG beach.MOV --output Live",
        "livephoto link beach.JPG beach.MOV --still 0.5 --in-place",
    ]

    @Argument(help: "The photo and its movie, or one of them.", completion: .file())
    var paths: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The photo's moment in the movie: 1.5, 50% or #12.", valueName: "time"))
    var still: String?

    @Flag(help: "Look for the photo in the movie, also where the movie says a moment.")
    var findStill = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The content identifier. (default: the one that is there, or a new one)", valueName: "uuid"))
    var id: String?

    @OptionGroup var destination: DestinationOptions

    @Flag(help: "Print the result as one JSON document.")
    var json = false

    @OptionGroup var logging: LoggingOptions

    func run() throws {
        logging.apply()
        let pair = try PairPaths(arguments: paths)
        let still: ClipTime? = try value(still, of: "--still")
        guard still == nil || !findStill else {
            throw UsageError("--still and --find-still exclude each other: one says the moment, the other looks for it")
        }
        let identifier = try value(
            id, of: "--id", "a UUID", example: "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", ContentIdentifier.init)
        let place = try destination.destination
        let moment = try StillChoice(still: still, looksForPhoto: findStill).moment(of: pair.photo, in: pair.movie)
        say(moment)
        let result = try LivePhotoLinker().link(
            photo: pair.photo, movie: pair.movie, stillTime: moment.time, contentIdentifier: identifier,
            name: destination.name, to: place)
        let linked = result.livePhoto
        try Terminal.print(json ? try LinkDocument(result).json(.whole) : "\(linked.photo)\n\(linked.movie)")
    }

    private func say(_ moment: StillMoment) {
        switch moment.source {
        case .request, .movie: break
        case .photo(let similarity):
            guard findStill else { return }
            Terminal.say("found the photo at \(moment.time) (similarity \((similarity * 100).rounded() / 100))")
        case .guess(let reason): Terminal.say("warning: \(reason); the still is at \(moment.time)")
        }
    }
}

/// What `link --json` prints. Times are in seconds.
private struct LinkDocument: Encodable {
    let schema = 1
    let photo: String
    let movie: String
    let contentIdentifier: String
    let stillTime: Double

    init(_ result: LivePhotoLinker.Result) {
        photo = result.livePhoto.photo.string
        movie = result.livePhoto.movie.string
        contentIdentifier = result.livePhoto.contentIdentifier.string
        stillTime = result.stillTime.seconds
    }
}
