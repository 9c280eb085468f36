import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// Where the two files of a pair go, as given by --output and --name.
///
/// --output is a folder, or a file name with the extension of a photo or movie, such as `Live/beach.MOV`, which gives
/// folder and name at once.
struct OutputPlace: Sendable {
    let directory: FilePath
    /// Of both files, without extension; nil for the default.
    let name: String?
    /// The photo, if --output names it.
    private let photo: FilePath?

    /// Extensions of the files that are written, in any case.
    private static let written: Set<String> = ["mov", "jpg", "jpeg", "heic"]
    /// Those of other photos and movies: a name with one of them is a mistake, not a folder.
    private static let others: Set<String> = ["mp4", "m4v", "qt", "avi", "mkv", "webm", "heif", "hif", "jpe", "png"]

    /// - Throws: `UsageError` for an empty text, for two names, and for the name of a file that is not written.
    init(_ output: String, name: String?) throws(UsageError) {
        let path = try Self.path(output)
        if let name, !Self.isUTF8(name) { throw Self.notUTF8("--name", name) }
        guard let kind = Self.fileExtension(output, path) else {
            (directory, self.name, photo) = (path, name.map(Self.withoutExtension), nil)
            return
        }
        guard Self.written.contains(kind) else {
            throw UsageError(
                "--output: \(quoted(output)) is neither a folder nor the name of a Live Photo's file, which ends in .MOV, "
                    + ".JPG or .HEIC")
        }
        guard name == nil else {
            throw UsageError("--output: \(quoted(output)) already is a name; leave --name out, or give a folder")
        }
        let file = path.lastComponent?.string ?? ""
        guard FilePath.Component(file) == path.lastComponent else { throw Self.notUTF8("--output", file) }
        (directory, self.name) = (path.folder, path.stem)
        photo = kind == "mov" ? nil : path
    }

    /// The name of both files: of `beach.JPG`, `beach`.
    private static func withoutExtension(_ name: String) -> String {
        let path = FilePath(name)
        guard let kind = path.extension?.lowercased(), isMedia(kind), let stem = path.stem else { return name }
        return path.removingLastComponent().appending(stem).string
    }

    private static func isUTF8(_ argument: String) -> Bool { FilePath(argument: argument) == FilePath(argument) }

    private static func notUTF8(_ option: String, _ name: String) -> UsageError {
        UsageError("\(option): the name \(quoted(name)) is not valid UTF-8; give another one")
    }

    /// Checks that the photo will have the format that --output names.
    ///
    /// - Parameter published: the photo's extension. Its errors are left to the command, which reads the photo again.
    func check(published: () throws -> String) throws(UsageError) {
        guard var photo, let given = photo.extension?.lowercased(), let right = try? published(),
            (given == "heic") != (right == "HEIC")
        else { return }
        photo.extension = right
        throw UsageError(
            "--output: the photo will be a \(right == "HEIC" ? "HEIC" : "JPEG"); write \(quoted(photo.string))")
    }

    /// The folder for several pairs, each with a name of its own.
    ///
    /// - Throws: `UsageError` for an empty text and for the name of a photo or movie.
    static func folder(_ output: String) throws(UsageError) -> FilePath {
        let path = try path(output)
        guard fileExtension(output, path) == nil else {
            throw UsageError("--output: \(quoted(output)) is the name of a file; several pairs need a folder")
        }
        return path
    }

    static func path(_ output: String) throws(UsageError) -> FilePath {
        guard !output.isEmpty else { throw UsageError("--output: write a folder; '.' is the current one") }
        return FilePath(argument: output)
    }

    /// Whether this is the extension of a photo or movie, in lower case.
    static func isMedia(_ kind: String) -> Bool { written.contains(kind) || others.contains(kind) }

    /// The extension of a photo or movie, in lower case; nil for a folder.
    private static func fileExtension(_ output: String, _ path: FilePath) -> String? {
        guard let kind = path.extension?.lowercased(), isMedia(kind),
            !output.hasSuffix("/"), !path.isFolderOfFiles
        else { return nil }
        return kind
    }
}
