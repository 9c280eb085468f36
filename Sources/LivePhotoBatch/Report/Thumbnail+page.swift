import LivePhotoKit
import LivePhotoPages
import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Pictures of pages, which are embedded in them.
extension Thumbnail {
    /// Long edge in pixels: twice the displayed size, for high-density screens.
    fileprivate static let edge = 320
    fileprivate static let quality = 78
    /// Number of photos to decode at a time. More would need more memory and wait for the same disk.
    static let width = min(CurrentProcess.cores, 4)

    /// Divides photos into parts, each for one process, so that several processes have work.
    static func parts<Photo>(of photos: [Photo]) -> [[Photo]] {
        let count = min(max((photos.count + width - 1) / width, 1), Work.mostThumbnails)
        return stride(from: 0, to: photos.count, by: count).map { Array(photos[$0..<min($0 + count, photos.count)]) }
    }

    /// The element of the picture.
    ///
    /// - Parameters:
    ///   - alternative: Text for those who do not see it.
    ///   - slot: Where an element that has it shows it; nil outside of one.
    func image(alternative: String, slot: String? = nil) -> String {
        "<img\(slot.map { " slot=\"\($0)\"" } ?? "") src=\"data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())\""
            + " width=\"\(size.width)\" height=\"\(size.height)\""
            + " loading=\"lazy\" alt=\"\(HTML.attribute(alternative))\">"
    }
}

extension MediaEngine {
    /// The pictures of a part of the photos of a page, made in one process.
    ///
    /// - Parameter photos: the paths, or why there is none.
    func pageThumbnails(
        of photos: [Result<FilePath, LivePhotoError>], _ source: ThumbnailSource
    ) async -> [Result<Thumbnail, LivePhotoError>] {
        let paths = photos.compactMap { try? $0.get() }
        let made = await thumbnails(of: paths, edge: Thumbnail.edge, quality: Thumbnail.quality, from: source)
        var rest = made[...]
        return photos.map { photo in photo.flatMap { _ in rest.removeFirst() } }
    }
}
