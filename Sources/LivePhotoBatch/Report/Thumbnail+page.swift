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
    /// The picture of a photo for a page.
    func pageThumbnail(of photo: FilePath) async throws(LivePhotoError) -> Thumbnail {
        try await thumbnail(of: photo, edge: Thumbnail.edge, quality: Thumbnail.quality)
    }
}
