import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// The options shared by link and unlink: copies in a folder, or changes in place.
struct DestinationOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Folder for copies; created if missing. With the extension .MOV, .JPG or .HEIC, folder and name of both copies.",
            valueName: "path"), completion: .directory)
    var output: String?

    @Flag(help: "Change the files themselves: both, or neither if an error occurs.")
    var inPlace = false

    @Option(help: ArgumentHelp("Name of both copies. (default: that of the photo)", valueName: "name"))
    var name: String?

    /// Whether none of these options was given.
    var isEmpty: Bool { output == nil && !inPlace && name == nil }

    /// The destination of one pair, and its name if one was given.
    func place(
        of pair: PairPaths, replacing: Bool
    ) throws(UsageError) -> (destination: LivePhotoLinker.Destination, name: String?) {
        try place(replacing: replacing) { try PhotoFile.publishedExtension(pair.photo) }
    }

    /// The destination of one pair, and its name if one was given.
    ///
    /// - Parameter published: the extension that the photo will have. Its errors are left to the command, which reads the
    ///   photo again.
    func place(
        replacing: Bool, published: () throws -> String
    ) throws(UsageError) -> (destination: LivePhotoLinker.Destination, name: String?) {
        guard let output = try folderPath() else { return (.inPlace, nil) }
        let place = try OutputPlace(output, name: name)
        try place.check(published: published)
        return (.directory(place.directory, replacesExisting: replacing), place.name)
    }

    /// The destination of several pairs.
    func folderDestination(replacing: Bool) throws(UsageError) -> LivePhotoLinker.Destination {
        guard let output = try folderPath() else { return .inPlace }
        return .directory(try OutputPlace.folder(output), replacesExisting: replacing)
    }

    /// --output; nil for --in-place.
    private func folderPath() throws(UsageError) -> String? {
        switch (output, inPlace) {
        case (let output?, false): return output
        case (nil, true) where name == nil: return nil
        case (nil, true):
            throw UsageError("--name applies only to copies; files that are changed in place keep their names")
        case (nil, false): throw UsageError("give --output DIR to write copies, or --in-place to change the files")
        case (_?, true): throw UsageError("--output and --in-place exclude each other")
        }
    }
}
