import Bytes
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// A photo or movie as a page shows it.
enum PreviewMedia: Sendable {
    /// The file itself, which the page refers to.
    case linked(FilePath)
    /// The bytes of a file.
    case file(InputFile)
    /// A small copy that was made for browsers.
    case bytes([UInt8])
}

/// A Live Photo with what a page shows of it.
struct PreparedPreview: Sendable {
    let facts: GalleryFacts
    let photo: PreviewMedia
    let movie: PreviewMedia
    /// Whether browsers get copies.
    let isCopied: (photo: Bool, movie: Bool)
    /// Keeps the files of a container that `photo` and `movie` may be.
    let copies: PairContainer.Copies?
}

/// Reads Live Photos and makes copies of what most browsers lack: HEIC, HEVC and anything else that is not JPEG, H.264
/// or AAC.
struct PreviewPreparation: Sendable {
    let engine: MediaEngine
    /// Whether a page refers to files instead of embedding them, where browsers can show them.
    let isLinked: Bool
    /// The folder of the page, where the files of containers are copied to without a name.
    let folder: FilePath
    /// A folder for copies that are being made.
    let scratch: FilePath

    /// The maximum edge of a copy in pixels, and its quality.
    private static let photoEdge = 1600
    private static let photoQuality = 80
    private static let movieEdge = 1280

    init(_ engine: MediaEngine, isLinked: Bool, folder: FilePath, scratch: FilePath) {
        (self.engine, self.isLinked, self.folder, self.scratch) = (engine, isLinked, folder, scratch)
    }

    /// - Parameter number: of the item, for the names of copies.
    /// - Throws: `LivePhotoError` for a Live Photo that cannot be shown.
    func prepare(_ item: GalleryItem, _ number: Int) async throws(LivePhotoError) -> PreparedPreview {
        let source = try GallerySource(item, copyingTo: folder)
        do throws(LivePhotoError) {
            return try await prepare(source, number)
        } catch {
            throw source.named(error)
        }
    }

    private func prepare(_ source: GallerySource, _ number: Int) async throws(LivePhotoError) -> PreparedPreview {
        let (pair, facts, copies) = (source.pair, source.facts, source.copies)
        let photo: PreviewMedia =
            if facts.photo.isJPEG {
                try media(pair.photo, isLinkable: copies == nil)
            } else {
                .bytes(
                    try await engine.thumbnail(of: pair.photo, edge: Self.photoEdge, quality: Self.photoQuality).jpeg)
            }
        let movie: PreviewMedia =
            if facts.movie.isForBrowsers {
                try media(pair.movie, isLinkable: copies == nil)
            } else {
                .file(try await movieCopy(of: pair, number))
            }
        return PreparedPreview(
            facts: facts, photo: photo, movie: movie, isCopied: facts.needsCopies, copies: copies)
    }

    private func media(_ path: FilePath, isLinkable: Bool) throws(LivePhotoError) -> PreviewMedia {
        if isLinked, isLinkable { return .linked(path) }
        do {
            return .file(try InputFile(path))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// A small MP4, which has no name any more.
    private func movieCopy(of pair: PairPaths, _ number: Int) async throws(LivePhotoError) -> InputFile {
        let output = scratch.appending("\(number).mp4")
        var request = ExportRequest(photo: pair.photo, movie: pair.movie, as: .mp4, to: output)
        request.maximumSize = MaximumSize(Self.movieEdge, Self.movieEdge)
        do {
            _ = try await engine.export(request)
            let file = try InputFile(output, named: pair.movie)
            try FileSystem.removeFile(output)
            return file
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(writing: output, error)
        }
    }
}
