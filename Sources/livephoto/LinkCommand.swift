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
        let moment = try self.moment(still, pair)
        let result = try LivePhotoLinker().link(
            photo: pair.photo, movie: pair.movie, stillTime: moment, contentIdentifier: identifier,
            name: destination.name, to: place)
        let linked = result.livePhoto
        try Terminal.print(json ? try LinkDocument(result).json(.whole) : "\(linked.photo)\n\(linked.movie)")
    }

    /// Nil leaves the moment to the linker.
    private func moment(_ still: ClipTime?, _ pair: PairPaths) throws -> MediaTime? {
        let moments = try MovieMoments(of: pair.movie)
        if let still { return try moments.time(still, of: pair.movie) }
        guard findStill || moments.still == nil else { return nil }
        guard let match = try find(pair) else { return nil }
        let similarity = (match.similarity * 100).rounded() / 100
        guard match.similarity >= StillFinder.certainty else {
            Terminal.say(
                "warning: no frame of the movie is like the photo (at most \(similarity), at \(match.stillTime)); the "
                    + "still is \(moments.still == nil ? "in the middle" : "where the movie says")")
            return nil
        }
        if findStill { Terminal.say("found the photo at \(match.stillTime) (similarity \(similarity))") }
        return match.stillTime
    }
}

extension LinkCommand {
    /// Nil where the two cannot be compared, which matters only to who asked for it.
    private func find(_ pair: PairPaths) throws(LivePhotoError) -> StillFinder.Match? {
        do throws(LivePhotoError) {
            return try StillFinder.find(pair.photo, in: pair.movie)
        } catch {
            if findStill || error.code != .unusableMedia { throw error }
            Terminal.say("warning: the photo was not looked for in the movie: \(error.reason)")
            return nil
        }
    }
}

extension MovieMoments {
    fileprivate func time(_ wish: ClipTime, of movie: FilePath) throws(LivePhotoError) -> MediaTime {
        switch wish {
        case .seconds(let time):
            guard time <= end else {
                throw LivePhotoError(.invalidRequest, movie, "there is nothing at \(time); the movie lasts \(end)")
            }
            return time
        case .part(let part): return part.of(end)
        case .frame(let number):
            guard frames.indices.contains(number) else {
                throw LivePhotoError(
                    .invalidRequest, movie,
                    "there is no frame #\(number) in the movie, which has the frames #0 to #\(frames.count - 1)")
            }
            return frames[number]
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
