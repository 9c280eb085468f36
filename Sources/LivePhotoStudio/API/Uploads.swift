import LivePhotoKit
import Synchronization
import SystemPackage
import WebServer

/// Files that were given in the page, in a folder that is removed when the studio ends.
final class Uploads: Sendable {
    /// All files together, in bytes.
    static let limit = 8_000_000_000
    private static let mostFiles = 1_000
    /// In bytes.
    private static let longestName = 200

    let folder: FilePath
    private let used = Mutex((bytes: 0, files: 0))

    init(_ folder: FilePath) { self.folder = folder }

    /// Where the bytes of a file are written while they come.
    ///
    /// - Throws: `LivePhotoError` for what is no name of a file, or if nothing more is taken.
    func accept(named name: String) throws(LivePhotoError) -> Upload {
        _ = try Self.component(name)
        let (number, rest) = used.withLock { used in
            used.files += 1
            return (used.files, Self.limit - used.bytes)
        }
        guard number <= Self.mostFiles, rest > 0 else {
            throw LivePhotoError(
                .cannotCreateOutput, nil,
                "no more files can be given here, \(Words.size(bytes: Self.limit)) in all; open them with livephoto studio FILE"
            )
        }
        return Upload(to: folder.appending("upload-\(number)"), limit: rest)
    }

    /// Gives a file its name.
    ///
    /// - Parameter file: complete.
    /// - Returns: where it is now, in a folder of its own.
    func keep(_ file: FilePath, count: Int, named name: String) throws(LivePhotoError) -> FilePath {
        let component = try Self.component(name)
        used.withLock { $0.bytes += count }
        let place = folder.appending("\(file.lastComponent?.string ?? "upload").files")
        do {
            try FileSystem.createDirectory(place, .ownerReadWriteExecute)
            try FileSystem.move(file, to: place.appending(component))
        } catch {
            throw LivePhotoError(writing: place, error)
        }
        return place.appending(component)
    }

    private static func component(_ name: String) throws(LivePhotoError) -> FilePath.Component {
        guard !name.contains("/"), name.utf8.count <= longestName, let component = FilePath.Component(name),
            component.kind == .regular, !name.unicodeScalars.contains(where: isControl)
        else { throw LivePhotoError(.invalidRequest, nil, "\(quoted(name)) cannot be the name of a file") }
        return component
    }
}
