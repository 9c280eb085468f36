import Bytes
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

    private struct State {
        /// Bytes that are there, or may still come.
        var reserved: [FilePath: Int] = [:]
        var next = 1
        /// The folders of files that were dropped together.
        var groups: [String: FilePath] = [:]
    }

    let folder: FilePath
    private let state = Mutex(State())

    init(_ folder: FilePath) { self.folder = folder }

    /// Where the bytes of a file are written while they come.
    ///
    /// - Parameter size: as announced; nil if unknown.
    /// - Throws: `LivePhotoError` for what is no name of a file, or if there is no room.
    func accept(named name: String, size: Int?) throws(LivePhotoError) -> Upload {
        _ = try Self.component(name)
        let place: (path: FilePath, limit: Int)? = state.withLock { state in
            let rest = Self.limit - state.reserved.values.reduce(0, +)
            guard state.reserved.count < Self.mostFiles, rest > 0, size.map({ 0...rest ~= $0 }) ?? true else {
                return nil
            }
            let path = folder.appending("upload-\(state.next)")
            state.next += 1
            state.reserved[path] = size ?? rest
            return (path, size ?? rest)
        }
        guard let place else {
            throw LivePhotoError(
                .cannotCreateOutput, nil,
                "\(quoted(name)) does not fit: the page takes \(Words.size(bytes: Self.limit)) in all; open it with "
                    + "livephoto studio FILE")
        }
        return Upload(limit: place.limit) {
            try OutputFile(creating: place.path, permissions: .ownerReadWrite)
        } discard: { [self] file, _ in
            if let file { try? FileSystem.removeFile(file) }
            release(place.path)
        }
    }

    /// Gives a complete file its name.
    ///
    /// - Parameter group: of files that were dropped together: a Live Photo's photo finds its movie.
    /// - Returns: where it is now: in its group's folder, or in one of its own if that has such a name or there is no group.
    func keep(
        _ file: FilePath, count: Int, named name: String, group: String?
    ) throws(LivePhotoError) -> FilePath {
        var place = folder.appending("\(file.lastComponent?.string ?? "upload").files")
        do {
            let component = try Self.component(name)
            let known = group.flatMap { group in state.withLock { $0.groups[group] } }
            if let known, !FileSystem.exists(known.appending(component)) {
                place = known
            } else {
                try FileSystem.createDirectory(place, .ownerReadWriteExecute)
                if let group, known == nil { state.withLock { $0.groups[group] = place } }
            }
            try FileSystem.move(file, to: place.appending(component))
            state.withLock { $0.reserved[file] = count }
            return place.appending(component)
        } catch {
            try? FileSystem.removeFile(file)
            release(file)
            throw error as? LivePhotoError ?? LivePhotoError(writing: place, error)
        }
    }

    private func release(_ file: FilePath) { state.withLock { $0.reserved[file] = nil } }

    private static func component(_ name: String) throws(LivePhotoError) -> FilePath.Component {
        guard !name.contains("/"), name.utf8.count <= longestName, let component = FilePath.Component(name),
            component.kind == .regular, !name.unicodeScalars.contains(where: isControl)
        else { throw LivePhotoError(.invalidRequest, nil, "\(quoted(name)) cannot be the name of a file") }
        return component
    }
}
