import Bytes
import SystemPackage

/// The photos and movies below some folders, as their names' extensions have it.
struct FileTree {
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []
    /// Folders that could not be listed, and why.
    private(set) var unreadable: [(folder: FilePath, reason: Errno)] = []

    static let photoExtensions: Set<String> = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    static let movieExtensions: Set<String> = ["mov", "qt", "mp4", "m4v"]
    /// Deeper trees are made by links that go round in circles, or by malice.
    private static let depthLimit = 128

    /// Lists `folders` and all below them in the order of their names. Hidden folders and links to folders are left out.
    init(below folders: [FilePath]) {
        var waiting = folders.reversed().map { (path: $0, depth: 0) }
        while let next = waiting.popLast() {
            do throws(Errno) {
                let names = try FileSystem.names(in: next.path).filter { !$0.string.hasPrefix(".") }
                var below: [FilePath] = []
                for name in names.sorted(by: { $0.string < $1.string }) {
                    let path = next.path == "." ? FilePath(name.string) : next.path.appending(name)
                    if !take(path), Self.isFolder(path) { below.append(path) }
                }
                guard next.depth < Self.depthLimit else { continue }
                waiting += below.reversed().map { ($0, next.depth + 1) }
            } catch {
                unreadable.append((next.path, error))
            }
        }
    }

    /// Whether it is a photo or a movie by its name.
    private mutating func take(_ path: FilePath) -> Bool {
        guard let kind = path.extension?.lowercased() else { return false }
        if Self.photoExtensions.contains(kind) {
            photos.append(path)
        } else if Self.movieExtensions.contains(kind) {
            movies.append(path)
        } else {
            return false
        }
        return true
    }

    private static func isFolder(_ path: FilePath) -> Bool {
        (try? Stat(path, followTargetSymlink: false).type) == .directory
    }
}
