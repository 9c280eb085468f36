import Bytes
import SystemPackage

/// The photos and movies below some folders, as their names' extensions have it.
struct FileTree {
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []
    /// Folders that could not be listed and files of which nothing is known, and why.
    private(set) var unreadable: [(path: FilePath, reason: Errno)] = []

    static let photoExtensions: Set<String> = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    static let movieExtensions: Set<String> = ["mov", "qt", "mp4", "m4v"]
    /// Deeper trees are made by links that go round in circles, or by malice.
    private static let depthLimit = 128

    /// Lists `folders` and all below them in the order of their names, each once. What is hidden, links to folders, and
    /// pipes and devices are left out.
    ///
    /// - Parameter folder: left out with all below it.
    init(below folders: [FilePath], leavingOut folder: FilePath? = nil) {
        var waiting = folders.reversed().map { (path: $0, depth: 0) }
        var seen = Set([folder.flatMap { FileIdentity($0, followingLink: true) }].compactMap(\.self))
        while let next = waiting.popLast() {
            if let identity = FileIdentity(next.path, followingLink: true), !seen.insert(identity).inserted { continue }
            do throws(Errno) {
                let names = try FileSystem.names(in: next.path).map { (text: $0.string, name: $0) }
                var below: [FilePath] = []
                for (text, name) in names.sorted(by: { $0.text < $1.text }) where !text.hasPrefix(".") {
                    let path = next.path == "." ? FilePath(root: nil, [name]) : next.path.appending(name)
                    if (try? Stat(path, followTargetSymlink: false).type) == .directory {
                        below.append(path)
                    } else {
                        take(path, kind: name.extension?.lowercased() ?? "")
                    }
                }
                guard next.depth < Self.depthLimit else { continue }
                waiting += below.reversed().map { ($0, next.depth + 1) }
            } catch {
                unreadable.append((next.path, error))
            }
        }
    }

    /// Takes a file that is a photo or a movie by its name.
    private mutating func take(_ path: FilePath, kind: String) {
        let isPhoto = Self.photoExtensions.contains(kind)
        guard isPhoto || Self.movieExtensions.contains(kind) else { return }
        do throws(Errno) {
            guard try path.stat().type == .regular else { return }
            if isPhoto { photos.append(path) } else { movies.append(path) }
        } catch {
            unreadable.append((path, error))
        }
    }
}
