import Bytes
package import SystemPackage

/// The clips below some folders, by their file extensions. The movies of Live Photos are not clips.
package struct FolderClips: Sendable {
    package struct Clip: Sendable {
        package let path: FilePath
        /// The folder of its pair: the clip's relative path below the output folder.
        package let directory: FilePath
    }

    package enum Progress: Sendable {
        case listing(folders: Int)
        /// Files are searched for Live Photos.
        case reading(done: Int, total: Int)
    }

    /// By the given folder that contains them, in the order of names.
    private let clips: [FilePath: [Clip]]
    /// The number of movies that have the content identifier of a photo below one of the folders.
    package let livePhotoMovies: Int
    /// Motion photos, bundles and archives that contain a photo and its movie.
    package let containers: [FilePath]
    /// The output folder, if it is below one of the folders and was not searched.
    package let skippedFolder: FilePath?
    /// Folders that could not be listed and files that could not be opened, and why.
    package let unreadable: [LivePhotoError]

    /// - Parameters:
    ///   - directory: The output folder, which is not searched unless it is one of `folders`.
    ///   - width: How many files are read at a time.
    /// - Throws: `CancellationError`.
    package init(
        below folders: [FilePath], to directory: FilePath, width: Int, progress: (Progress) -> Void = { _ in }
    ) async throws {
        let tree = try await FileTree(
            below: folders, without: directory, seeksContainers: true, movieKinds: FileTree.clipExtensions
        ) { progress(.listing(folders: $0)) }
        let (files, containers) = (tree.photos.count + tree.movies.count, tree.containers)
        func report(_ done: Int) { progress(.reading(done: done, total: files + containers.count)) }
        let items = try await TreeItems(tree, width: width, progress: report)
        let areContainers = try await concurrentMap(containers, width: width, progress: { report(files + $0) }) {
            // A bundle was not searched for clips, even if it is damaged.
            $0.isNamedAsBundle || (try? PairContainer(ifPairIn: $0)) != nil
        }
        self.containers = zip(containers, areContainers).filter(\.1).map(\.0)
        let identifiers = Set(items.photos.compactMap(\.identifier))
        let areMovies = try await concurrentMap(items.movies, width: width) { Self.mayBeMovie($0.path) }
        let movies = zip(items.movies, areMovies).filter(\.1).map(\.0)
        let clips = movies.filter { movie in !(movie.identifier.map(identifiers.contains) ?? false) }
        self.clips = Dictionary(grouping: clips) { tree.root(of: $0.path) ?? "" }.mapValues { clips in
            clips.map { Clip(path: $0.path, directory: tree.folder(of: $0.path, in: directory)) }
        }
        livePhotoMovies = movies.count - clips.count
        skippedFolder = tree.skipped
        unreadable = items.unreadable
    }

    /// False for a file with the extension of an MPEG transport stream and without its packets, most often TypeScript.
    ///
    /// Every packet has a sync byte (ISO/IEC 13818-1, 2.4.3.2); with a time stamp or parity it is longer than 188 bytes.
    /// Recordings may begin within a packet.
    private static func mayBeMovie(_ path: FilePath) -> Bool {
        guard path.extension?.lowercased() == "ts", let file = try? InputFile(path),
            let start = try? file.bytes(at: 0, count: min(4096, file.size))
        else { return true }
        return [188, 192, 204].contains { length in
            (0..<min(length, start.count)).contains { first in
                stride(from: first, to: start.count, by: length).allSatisfy { start[$0] == 0x47 }
            }
        }
    }

    /// The clips below one of the given folders. Those that are below two of them belong to the first.
    package func clips(below folder: FilePath) -> [Clip] { clips[folder] ?? [] }
}
