import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The photos and movies of a tree with their content identifiers.
struct TreeItems {
    let photos: [PairFinder.Item]
    let movies: [PairFinder.Item]
    /// Folders that could not be listed and files that could not be opened, and why.
    let unreadable: [LivePhotoError]

    /// Reads only the part of each file that has its identifier. Files that are no photos or movies have none.
    ///
    /// - Parameters:
    ///   - width: How many files at a time.
    ///   - seeksMotionPhotos: Whether to find out which photos have a movie in them.
    ///   - progress: Called with the number of files read.
    ///   - onUnreadable: Called with each file that could not be opened, when that is known.
    /// - Throws: `CancellationError`; errors of `onUnreadable`.
    init(
        _ tree: FileTree, width: Int, seeksMotionPhotos: Bool = false, progress: (Int) -> Void = { _ in },
        onUnreadable: (LivePhotoError) throws -> Void = { _ in }
    ) async throws {
        let items = try await Self(
            photos: tree.photos, movies: tree.movies, width: width, seeksMotionPhotos: seeksMotionPhotos,
            progress: progress, onUnreadable: onUnreadable)
        (photos, movies) = (items.photos, items.movies)
        unreadable = tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) } + items.unreadable
    }

    /// As for a tree.
    init(
        photos: [FilePath], movies: [FilePath], width: Int, seeksMotionPhotos: Bool = false,
        progress: (Int) -> Void = { _ in }, onUnreadable: (LivePhotoError) throws -> Void = { _ in }
    ) async throws {
        var unreadable: [LivePhotoError] = []
        var done = 0
        func add(_ item: Result<PairFinder.Item, LivePhotoError>, to items: inout [PairFinder.Item]) throws {
            done += 1
            switch item {
            case .success(let item): items.append(item)
            case .failure(let error):
                // The file is not at fault.
                if error.code == .cancelled { throw CancellationError() }
                unreadable.append(error)
                try onUnreadable(error)
            }
            progress(done)
        }
        var items = (photos: [PairFinder.Item](), movies: [PairFinder.Item]())
        items.photos.reserveCapacity(photos.count)
        items.movies.reserveCapacity(movies.count)
        try await concurrentForEach(photos, width: width) { path in
            Result { () throws(LivePhotoError) in
                try PairFinder.Item(photo: path, seekingMovie: seeksMotionPhotos)
            }
        } body: {
            try add($0, to: &items.photos)
        }
        try await concurrentForEach(movies, width: width) { path in
            Result { () throws(LivePhotoError) in try PairFinder.Item(movie: path) }
        } body: {
            try add($0, to: &items.movies)
        }
        (self.photos, self.movies, self.unreadable) = (items.photos, items.movies, unreadable)
    }
}

extension TreeItems {
    /// What belongs together by identifiers and names.
    ///
    /// - Throws: `CancellationError`.
    func namedPairs() throws -> NamedPairs {
        let clips = movies.filter(\.isClip)
        return try NamedPairs(
            photos: photos, movies: clips.isEmpty ? movies : movies.filter { !$0.isClip }, clips: clips,
            haveSameContent: FileSystem.haveSameContent)
    }
}

extension PairFinder.Item {
    /// Whether its name is that of a clip that has to be converted.
    fileprivate var isClip: Bool { FileTree.otherClipExtensions.contains(path.extension?.lowercased() ?? "") }

    /// Reads the content identifier of a photo; a file that is no photo has none.
    ///
    /// - Parameter seekingMovie: Whether to find out if it has a movie in it.
    /// - Throws: `LivePhotoError` if it cannot be opened.
    init(photo path: FilePath, seekingMovie: Bool = false) throws(LivePhotoError) {
        try self.init(path) { file in
            let reader = try PhotoReader(file)
            let photo = try PhotoMetadata(reader)
            return (try? photo.contentIdentifier.get(), seekingMovie && reader.isMotionPhoto)
        }
    }

    /// Reads the content identifier of a movie; a file that is no movie has none.
    ///
    /// - Throws: `LivePhotoError` if it cannot be opened.
    init(movie path: FilePath) throws(LivePhotoError) {
        try self.init(path) { (try MovieReader.contentIdentifier(of: $0), false) }
    }

    private init(
        _ path: FilePath, _ read: (InputFile) throws -> (identifier: FileText?, isMotionPhoto: Bool)
    ) throws(LivePhotoError) {
        do {
            let (identifier, isMotionPhoto) = try read(InputFile(path))
            try LivePhotoError.checkInterruption(of: path)
            self.init(path: path, identifier: identifier.map(StoredIdentifier.init), isMotionPhoto: isMotionPhoto)
        } catch let error as ParseError {
            self.init(path: path, identifier: nil, problem: error)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}
