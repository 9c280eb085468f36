import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct UnlinkCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Turn a Live Photo back into a plain photo and a plain movie, without re-encoding.",
        usage: "livephoto unlink [<options>] <photo> <movie>",
        discussion: "Takes the content identifier out of both and the still's moment out of the movie.")

    static let examples = [
        "livephoto unlink beach.JPG beach.MOV --output plain", "livephoto unlink beach.JPG --in-place",
    ]

    @Argument(help: "The photo and its movie, or one of them.", completion: .file())
    var paths: [String]

    @OptionGroup var destination: DestinationOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let pair = try PairPaths(arguments: paths)
        let (place, name) = (try destination.destination, destination.name)
        try await Interruption.guarding {
            try LivePhotoLinker().unlink(photo: pair.photo, movie: pair.movie, name: name, to: place)
        }
    }
}
