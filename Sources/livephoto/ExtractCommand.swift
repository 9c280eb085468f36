import ArgumentParser
import LivePhotoConversion
import LivePhotoKit

struct ExtractCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Takes the Live Photo out of a motion photo, a .livp, a .pvt or a zip.",
        usage: "livephoto extract [<options>] <file> ...",
        discussion: """
            Google's Motion Photos and what came before them, Samsung's, Baidu's .livp, the .pvt folders of Photos and \
            AirDrop, and zips that hold a photo and a movie. Picture and sound stay bit for bit; the still is at the \
            moment that the file names.
            """)

    static let examples = [
        "livephoto extract PXL_1.MP.jpg --output Live", "livephoto extract *.MP.jpg -o Live",
    ]

    @Argument(help: "What holds a photo and its movie.", completion: .file())
    var paths: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Where the pairs go; made when missing.", valueName: "dir"), completion: .directory)
    var output: String = "."

    @Option(help: ArgumentHelp("Name of both files. (default: the photo's)", valueName: "name"))
    var name: String?

    @Flag(name: .shortAndLong, help: "Replace files of the same names.")
    var force = false

    @OptionGroup var logging: LoggingOptions

    func run() throws {
        logging.apply()
        guard name == nil || paths.count == 1 else {
            throw UsageError("--name is for one file; with several, each pair has its photo's name")
        }
        var failures = 0
        for path in paths {
            do throws(LivePhotoError) {
                let container = try PairContainer(FilePath(path))
                let linked = try LivePhotoLinker().extract(
                    container, name: name, to: FilePath(output), replacesExisting: force
                ).livePhoto
                try Terminal.print("\(linked.photo)\n\(linked.movie)")
            } catch {
                // One that cannot be taken apart is no reason to leave the others.
                guard paths.count > 1 else { throw error }
                Terminal.say("error: \(error)")
                failures += 1
            }
        }
        if failures > 0 { throw ExitCode(1) }
    }
}
