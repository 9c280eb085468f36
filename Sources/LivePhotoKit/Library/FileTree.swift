import Bytes
import MediaModel
package import SystemPackage

/// The photos, movies and possible containers below some folders, by their file extensions.
package struct FileTree: Sendable {
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []
    /// If requested: archives, bundles, and all photos, which may have a movie in them.
    private(set) var containers: [FilePath] = []
    /// If requested: all other files.
    private(set) var others: [FilePath] = []
    /// Folders that could not be listed, files whose type is unknown, and why.
    private(set) var unreadable: [(path: FilePath, reason: Errno)] = []
    /// The excluded folder, if it was found.
    private(set) var skipped: FilePath?
    /// The folders below the given ones that were left out.
    private(set) var leftOut: [FilePath] = []

    package static let photoExtensions: Set<String> = ["jpg", "jpeg", "jpe", "heic", "heif", "hif"]
    package static let movieExtensions: Set<String> = ["mov", "qt", "mp4", "m4v"]
    /// Extensions of clips that FFmpeg can usually decode.
    package static let clipExtensions = movieExtensions.union([
        "3g2", "3gp", "asf", "avi", "divx", "dv", "f4v", "flv", "gif", "m2t", "m2ts", "m2v", "mjpg", "mkv", "mpe",
        "mpeg",
        "mpg", "mts", "mxf", "ogm", "ogv", "rm", "rmvb", "ts", "vob", "webm", "wmv",
    ])
    /// Of clips that have to be converted to be movies of Live Photos.
    static let otherClipExtensions = clipExtensions.subtracting(movieExtensions).subtracting(["gif"])
    /// Of everything that may be the movie of a photo, also those in exports and those that have to be converted.
    static let partnerExtensions = movieExtensions.union(ExportedName.motionExtensions).union(otherClipExtensions)
    package static let archiveExtensions: Set<String> = ["livp", "zip"]
    private let seeksContainers, listsOthers: Bool
    /// Extensions of the files that are listed as movies.
    private let movieKinds: Set<String>
    /// For each folder in the tree, the one of the given folders that contains it.
    private var roots: [FilePath: FilePath] = [:]
    /// The photos and movies that `onFiles` was not called with yet.
    private var untold: [FilePath] = []
    /// Deeper trees are caused by cyclic links or made on purpose.
    private static let depthLimit = 128

    /// The photos and movies of some folders of a tree.
    package struct Files: Sendable {
        package let photos: [FilePath]
        package let movies: [FilePath]
        /// Both, in the order of the tree.
        package let all: [FilePath]

        /// So many can be read within a moment, and are worth reading several at a time.
        fileprivate static let usual = 256
    }

    /// Lists folders on a thread that may block; see `init(listing:)`.
    init(
        below folders: [FilePath], without excluded: FilePath? = nil, seeksContainers: Bool = false,
        listsOthers: Bool = false, movieKinds: Set<String> = movieExtensions,
        progress: (Int) -> Void = { _ in }, onFiles: (Files) -> Void = { _ in },
        onFolder: (FileTree) -> Void = { _ in }, leavingOut isLeftOut: (FilePath) -> Bool = { _ in false }
    ) async throws(CancellationError) {
        self = try await withTaskExecutorPreference(BlockingExecutor.shared) { () throws(CancellationError) in
            try Self(
                listing: folders, without: excluded, seeksContainers: seeksContainers, listsOthers: listsOthers,
                movieKinds: movieKinds, progress: progress, onFiles: onFiles, onFolder: onFolder,
                leavingOut: isLeftOut)
        }
    }

    /// Lists `folders` and everything below them in the order of names, each folder once, without hidden files, links to
    /// folders, pipes and devices.
    ///
    /// - Parameters:
    ///   - excluded: A folder that is skipped, unless it is one of `folders`.
    ///   - seeksContainers: Whether to list containers; bundles are then not searched for photos and movies.
    ///   - listsOthers: Whether to list the files that are nothing of that by their names.
    ///   - movieKinds: Extensions of the files to list as movies.
    ///   - progress: Called before each folder with the number of folders found so far.
    ///   - onFiles: Called with the photos and movies of some folders, as soon as those are listed. All calls together have
    ///     those of the tree, in its order.
    ///   - onFolder: Called after each folder with all that was found so far.
    ///   - isLeftOut: Whether a folder below `folders` is skipped.
    /// - Throws: `CancellationError` if the task was cancelled.
    package init(
        listing folders: [FilePath], without excluded: FilePath? = nil, seeksContainers: Bool = false,
        listsOthers: Bool = false, movieKinds: Set<String> = movieExtensions,
        progress: (Int) -> Void = { _ in }, onFiles: (Files) -> Void = { _ in },
        onFolder: (FileTree) -> Void = { _ in }, leavingOut isLeftOut: (FilePath) -> Bool = { _ in false }
    ) throws(CancellationError) {
        (self.seeksContainers, self.listsOthers) = (seeksContainers, listsOthers)
        self.movieKinds = movieKinds
        var waiting = folders.reversed().map { (path: $0, root: $0, depth: 0) }
        var seen: Set<FileIdentity> = []
        let roots = folders.map { FileIdentity($0, followingLink: true) }
        let excluded = excluded.flatMap { FileIdentity($0, followingLink: true) }.flatMap {
            roots.contains($0) ? nil : $0
        }
        var told = (photos: 0, movies: 0)
        func tell(atLeast count: Int) {
            guard photos.count - told.photos + movies.count - told.movies >= count else { return }
            onFiles(
                Files(photos: Array(photos[told.photos...]), movies: Array(movies[told.movies...]), all: untold))
            told = (photos.count, movies.count)
            untold.removeAll()
        }
        while let next = waiting.popLast() {
            if let identity = FileIdentity(next.path, followingLink: true) {
                if identity == excluded { skipped = next.path }
                guard identity != excluded, seen.insert(identity).inserted else { continue }
            }
            if next.depth > 0, isLeftOut(next.path) {
                leftOut.append(next.path)
                onFolder(self)
                continue
            }
            self.roots[next.path == "." ? "" : next.path] = next.root
            progress(seen.count)
            do throws(Errno) {
                let below = try list(next.path)
                if next.depth < Self.depthLimit {
                    waiting += below.reversed().map { ($0, next.root, next.depth + 1) }
                }
            } catch {
                unreadable.append((next.path, error))
            }
            if Task.isCancelled { throw CancellationError() }
            tell(atLeast: Files.usual)
            onFolder(self)
        }
        tell(atLeast: 1)
    }

    /// Adds the files in a folder, as many as there are before the task is cancelled.
    ///
    /// - Returns: The folders in it.
    private mutating func list(_ folder: FilePath) throws(Errno) -> [FilePath] {
        let names = try FileSystem.names(in: folder).map { (text: FileText($0.bytes), name: $0) }
        var below: [FilePath] = []
        for (text, name) in names.sorted(by: { $0.text < $1.text }) where !text.hasPrefix(".") {
            if Task.isCancelled { break }
            var path = folder == "." ? FilePath() : folder
            // A library has a million paths, and appending alone would give each twice the memory.
            path.reserveCapacity(path.length + 1 + text.bytes.count)
            path.append(name)
            if (try? Stat(path, followTargetSymlink: false).type) != .directory {
                take(path, kind: name.extension?.lowercased() ?? "")
            } else if seeksContainers, path.isNamedAsBundle {
                containers.append(path)
            } else {
                below.append(path)
            }
        }
        return below
    }

    /// The folder below `directory` with the same relative path as the file's folder in the tree.
    func folder(of file: FilePath, in directory: FilePath) -> FilePath {
        file.folder(from: root(of: file) ?? "", to: directory)
    }

    /// The one of the given folders that contains a file of the tree.
    func root(of file: FilePath) -> FilePath? { roots[file.removingLastComponent()] }

    /// Adds a file that is a photo, a movie or an archive by its name.
    private mutating func take(_ path: FilePath, kind: String) {
        let isPhoto = Self.photoExtensions.contains(kind)
        let isMovie = movieKinds.contains(kind)
        let isArchive = seeksContainers && Self.archiveExtensions.contains(kind)
        guard isPhoto || isMovie || isArchive || listsOthers else { return }
        do throws(Errno) {
            guard try path.stat().type == .regular else {
                if listsOthers { others.append(path) }
                return
            }
            guard isPhoto || isMovie || isArchive else { return others.append(path) }
            if isPhoto || isMovie { untold.append(path) }
            if isPhoto { photos.append(path) }
            if isMovie { movies.append(path) } else { containers.append(path) }
        } catch {
            unreadable.append((path, error))
        }
    }
}

extension FilePath {
    /// The path relative to a folder. Paths below "." do not begin with that.
    package func relative(to root: FilePath) -> FilePath {
        var path = self
        _ = path.removePrefix(root)
        return path
    }

    /// The folder below `directory` with the same relative path as the file's folder below `root`.
    func folder(from root: FilePath, to directory: FilePath) -> FilePath {
        directory.pushing(removingLastComponent().relative(to: root))
    }

    /// Whether this is a folder and not a bundle.
    package var isFolderOfFiles: Bool {
        (try? stat().type) == .directory && !isNamedAsBundle
    }
}
