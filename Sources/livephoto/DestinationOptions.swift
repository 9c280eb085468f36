import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// The options shared by link and unlink: copies in a folder, or changes in place.
struct DestinationOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Folder for copies; created if missing.", valueName: "dir"), completion: .directory)
    var output: String?

    @Flag(help: "Change the files themselves: both, or neither if an error occurs.")
    var inPlace = false

    @Option(help: ArgumentHelp("Name of both copies. (default: that of the photo)", valueName: "name"))
    var name: String?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    /// Whether none of these options was given.
    var isEmpty: Bool { output == nil && !inPlace && name == nil && !force }

    var destination: LivePhotoLinker.Destination {
        get throws(UsageError) {
            switch (output, inPlace) {
            case (let output?, false): return .directory(FilePath(argument: output), replacesExisting: force)
            case (nil, true) where name == nil: return .inPlace
            case (nil, true):
                throw UsageError("--name applies only to copies; files that are changed in place keep their names")
            case (nil, false): throw UsageError("give --output DIR to write copies, or --in-place to change the files")
            case (_?, true): throw UsageError("--output and --in-place exclude each other")
            }
        }
    }
}
