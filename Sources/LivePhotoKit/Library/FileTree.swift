import Bytes
package import SystemPackage

/// The photos and movies below some folders, and what may hold both, as their names' extensions have it.
struct FileTree {
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []
    /// Where they are sought: archives, bundles, and the photos, which may have a movie in them.
    private(set) var containers: [FilePath] = []
    /// Folders that could not be listed and files of which nothing is known, and why.
    private(set) var unreadable: [(path: FilePath, reason: Errno)] = []

    static let photoExtensions: Set<String> = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    static let movieExtensions: Set<String> = ["mov", "qt", "mp4", "m4v"]
    static let archiveExtensions: Set<String> = ["livp", "zip"]
    private let seeksContainers: Bool
    /// Of each folder in the tree the one it was found below.
    private var roots: [FilePath: FilePath] = [:]
    /// Deeper trees are made by links that go round in circles, or by malice.
    private static let depthLimit = 128

    /// Lists `folders` and all below them in the order of their names, each once. What is hidden, links to folders, and
    /// pipes and devices are left out.
    ///
    /// - Parameters:
    ///   - excluded: a folder that is left out, unless it is one of `folders`.
    ///   - seeksContainers: whether archives count, and bundles are not looked into.
    init(below folders: [FilePath], without excluded: FilePath? = nil, seeksContainers: Bool = false) {
        self.seeksContainers = seeksContainers
        var waiting = folders.reversed().map { (path: $0, root: $0, depth: 0) }
        var seen: Set<FileIdentity> = []
        let roots = folders.map { FileIdentity($0, followingLink: true) }
        if let excluded = excluded.flatMap({ FileIdentity($0, followingLink: true) }), !roots.contains(excluded) {
            seen.insert(excluded)
        }
        while let next = waiting.popLast() {
            if let identity = FileIdentity(next.path, followingLink: true), !seen.insert(identity).inserted { continue }
            self.roots[next.path == "." ? "" : next.path] = next.root
            do throws(Errno) {
                let names = try FileSystem.names(in: next.path).map { (text: $0.string, name: $0) }
                var below: [FilePath] = []
                for (text, name) in names.sorted(by: { $0.text < $1.text }) where !text.hasPrefix(".") {
                    let path = next.path == "." ? FilePath(root: nil, [name]) : next.path.appending(name)
                    let kind = name.extension?.lowercased() ?? ""
                    if (try? Stat(path, followTargetSymlink: false).type) != .directory {
                        take(path, kind: kind)
                    } else if seeksContainers, path.isNamedAsBundle {
                        containers.append(path)
                    } else {
                        below.append(path)
                    }
                }
                guard next.depth < Self.depthLimit else { continue }
                waiting += below.reversed().map { ($0, next.root, next.depth + 1) }
            } catch {
                unreadable.append((next.path, error))
            }
        }
    }

    /// Where below `directory` a file of the tree goes that is to stand as it does below its root.
    func folder(of file: FilePath, in directory: FilePath) -> FilePath {
        file.folder(from: roots[file.removingLastComponent()] ?? "", to: directory)
    }

    /// Takes a file that is a photo, a movie or an archive by its name.
    private mutating func take(_ path: FilePath, kind: String) {
        let isPhoto = Self.photoExtensions.contains(kind)
        let isMovie = Self.movieExtensions.contains(kind)
        let isArchive = seeksContainers && Self.archiveExtensions.contains(kind)
        guard isPhoto || isMovie || isArchive else { return }
        do throws(Errno) {
            guard try path.stat().type == .regular else { return }
            if isPhoto { photos.append(path) }
            if isMovie { movies.append(path) } else { containers.append(path) }
        } catch {
            unreadable.append((path, error))
        }
    }
}

extension FilePath {
    /// Its way from the folder that it was found below; those below "." do not begin with that.
    func relative(to root: FilePath) -> FilePath {
        var path = self
        if root != "." { _ = path.removePrefix(root) }
        return path
    }

    /// Where below `directory` a file's folder goes that stands in the same place below `root`.
    func folder(from root: FilePath, to directory: FilePath) -> FilePath {
        directory.pushing(removingLastComponent().relative(to: root))
    }

    /// A folder that is looked into, or takes files; a bundle is one pair.
    package var isFolderOfFiles: Bool {
        (try? stat().type) == .directory && !isNamedAsBundle
    }
}
