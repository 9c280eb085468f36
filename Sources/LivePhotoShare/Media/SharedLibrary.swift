import Bytes
import Digests
package import LivePhotoBatch
package import LivePhotoKit
package import LivePhotoRequests
package import SystemPackage

/// The Live Photos that are shared, in the forms that phones and browsers need. Everything is read or made only when it is asked
/// for.
package struct SharedLibrary: Sendable {
    /// A Live Photo that can be shared, or why it cannot.
    package struct Item: Sendable {
        let index: Int
        let name: String
        let pair: PairPaths
        package let source: Result<Source, LivePhotoError>
    }

    package struct Source: Sendable {
        package let facts: GalleryFacts
        let photo: KnownFile
        let movie: KnownFile

        /// - Throws: `FileChanged`; `Errno`.
        func checkUnchanged() throws {
            for file in [photo, movie] { _ = try file.open() }
        }

        /// Changes with the files.
        var entityTag: String { String(Digest.sha256("\(photo.version) \(movie.version)").prefix(32)) }
    }

    let count: Int
    private let order: ShareOrder
    private let engine: MediaEngine
    private let scratch: FilePath
    private let checksums = Checksums()
    private let items: RecentValues<Int, [Item]>
    private let archives: RecentValues<Int, SharedArchive>
    private let motionPhotos: RecentValues<Int, FilePieces>
    private let photos: RecentValues<Int, PreviewMedia>
    private let movies: RecentValues<Int, PreviewMedia>
    private let preparedChecksums: RecentValues<Int, Void>

    /// Copies that are kept, each some hundred kilobytes of memory or two open files.
    private static let keptCopies = 16
    /// Works at a time; each may be a process that decodes.
    private static let width = 2

    /// - Parameters:
    ///   - engine: makes copies for other phones and browsers.
    ///   - scratch: a folder for them, which the caller removes after `stop`.
    package init(_ order: ShareOrder, _ engine: MediaEngine, scratch: FilePath) {
        (self.order, self.engine, self.scratch) = (order, engine, scratch)
        count = order.items.count
        // Those that decode share a limit.
        let (reading, decoding) = (TaskLimit(Self.width), TaskLimit(Self.width))
        items = RecentValues(1, TaskLimit(1))
        archives = RecentValues(2 * count + ArchiveKey.allCases.count, reading)
        motionPhotos = RecentValues(Self.keptCopies, decoding)
        photos = RecentValues(Self.keptCopies, decoding)
        movies = RecentValues(Self.keptCopies, decoding)
        preparedChecksums = RecentValues(1, reading)
    }

    /// All items, read once.
    func allItems() async throws -> [Item] {
        let (order, scratch) = (order, scratch)
        return try await items.value(0) {
            var items: [Item] = []
            try await concurrentForEach(Array(order.items.enumerated()), width: Self.width) { index, item in
                let source = Result { () throws(LivePhotoError) in
                    let facts = try GallerySource(GalleryItem(item.name, .pair(item.pair)), copyingTo: scratch).facts
                    // What cannot be in an archive must not keep the others out of theirs.
                    _ = try PairArchive([item.pair], as: .files)
                    return Source(
                        facts: facts, photo: try Self.known(item.pair.photo), movie: try Self.known(item.pair.movie))
                }
                return Item(index: index, name: item.name, pair: item.pair, source: source)
            } body: {
                items.append($0)
            }
            return items
        }
    }

    /// Those that can be read.
    func usableItems() async throws -> [Item] {
        try await allItems().filter { if case .success = $0.source { true } else { false } }
    }

    private static func known(_ path: FilePath) throws(LivePhotoError) -> KnownFile {
        do {
            return try KnownFile(InputFile(path))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    private enum ArchiveKey: Int, CaseIterable {
        case allBundles = -1
        case allFiles = -2
    }

    /// - Parameter index: of the item; nil for all that can be read.
    func archive(_ index: Int?, as form: PairArchive.Form) async throws -> SharedArchive {
        let all: ArchiveKey = form == .bundles ? .allBundles : .allFiles
        // For each item and form one key.
        let key = index.map { $0 * 2 + (form == .bundles ? 0 : 1) } ?? all.rawValue
        let (order, checksums) = (order, checksums)
        let pairs = if let index { [order.items[index].pair] } else { try await usableItems().map(\.pair) }
        return try await archives.value(key) { SharedArchive(try PairArchive(pairs, as: form), checksums) }
    }

    /// An archive that is not kept.
    func archive(of items: [Item], as form: PairArchive.Form) throws -> SharedArchive {
        SharedArchive(try PairArchive(items.map(\.pair), as: form), checksums)
    }

    /// A JPEG that Android's galleries play.
    func motionPhoto(_ index: Int) async throws -> FilePieces {
        let (order, engine, scratch) = (order, engine, scratch)
        return try await motionPhotos.value(index) {
            var transfer = PairTransfer()
            transfer.motionPhoto.photoFormat = .jpeg
            return try await transfer.motionPhoto(of: order.items[index].pair, in: scratch, with: engine)
        }
    }

    /// What every browser shows: the photo, or a smaller JPEG of it.
    func shownPhoto(_ index: Int) async throws -> PreviewMedia {
        let (preparation, item) = (preparation, try await item(index))
        return try await photos.value(index) { try await preparation.photo(of: item.pair, item.source.get().facts) }
    }

    /// What every browser plays: the movie, or a smaller copy of it in H.264.
    func shownMovie(_ index: Int) async throws -> PreviewMedia {
        let (preparation, item) = (preparation, try await item(index))
        return try await movies.value(index) {
            try await preparation.movie(of: item.pair, item.source.get().facts, index)
        }
    }

    /// Ends everything that is being made.
    package func stop() async {
        await motionPhotos.stop()
        await photos.stop()
        await movies.stop()
        await archives.stop()
        await preparedChecksums.stop()
        await items.stop()
    }

    package func item(_ index: Int) async throws -> Item { try await allItems()[index] }

    /// Reads the files once for their checksums, before they are asked for.
    func prepareChecksums() async {
        let checksums = checksums
        try? await preparedChecksums.value(0) {
            for item in try await usableItems() {
                try Task.checkCancellation()
                let source = try item.source.get()
                for file in [source.photo, source.movie] { _ = try? checksums.checksum(of: .file(file)) }
            }
        }
    }

    private var preparation: PreviewPreparation {
        PreviewPreparation(engine, isLinked: true, folder: scratch, scratch: scratch)
    }
}
