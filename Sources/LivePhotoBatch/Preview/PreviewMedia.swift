package import Bytes
package import LivePhotoKit
package import LivePhotoRequests
package import SystemPackage

/// A photo or movie as a page shows it.
package enum PreviewMedia: Sendable {
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
package struct PreviewPreparation: Sendable {
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

    package init(_ engine: MediaEngine, isLinked: Bool, folder: FilePath, scratch: FilePath) {
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
        return PreparedPreview(
            facts: facts, photo: try await photo(of: pair, facts, isLinkable: copies == nil),
            movie: try await movie(of: pair, facts, number, isLinkable: copies == nil), isCopied: facts.needsCopies,
            copies: copies)
    }

    /// - Parameter isLinkable: false for a file of a container.
    /// - Throws: `LivePhotoError` for a photo that cannot be decoded.
    package func photo(
        of pair: PairPaths, _ facts: GalleryFacts, isLinkable: Bool = true
    ) async throws(LivePhotoError) -> PreviewMedia {
        if facts.photo.isJPEG { return try media(pair.photo, isLinkable: isLinkable) }
        return .bytes(try await engine.thumbnail(of: pair.photo, edge: Self.photoEdge, quality: Self.photoQuality).jpeg)
    }

    /// - Parameters:
    ///   - number: of the item, for the name of a copy.
    ///   - isLinkable: false for a file of a container.
    /// - Throws: `LivePhotoError` for a movie that cannot be decoded.
    package func movie(
        of pair: PairPaths, _ facts: GalleryFacts, _ number: Int, isLinkable: Bool = true
    ) async throws(LivePhotoError) -> PreviewMedia {
        if facts.movie.isForBrowsers { return try media(pair.movie, isLinkable: isLinkable) }
        return .file(try await movieCopy(of: pair, number))
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
