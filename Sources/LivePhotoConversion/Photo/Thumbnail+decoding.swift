package import Bytes
import FFmpegKit
package import LivePhotoRequests
import StillImage

extension Thumbnail {
    /// Blocks while it works.
    ///
    /// - Parameters:
    ///   - edge: the longest edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    ///   - source: which picture is scaled down.
    /// - Throws: `LivePhotoError` for what cannot be decoded.
    package init(
        of photo: InputFile, edge: Int, quality: Int, source: ThumbnailSource = .photo
    ) throws(LivePhotoError) {
        do {
            let file = try PhotoFile(photo)
            let own = source == .embedded ? Self.embedded(in: file) : nil
            let still = try own ?? StillDecoder.decodeUpright(file)
            let maximum = try MaximumSize("\(edge)x\(edge)")
            self.init(
                jpeg: try StillEncoder.jpeg(of: still, quality: quality, maximum: maximum),
                size: try PictureGeometry(still.video, maximum: maximum).movie.size)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(error, of: photo.path, work: "show it", otherwise: "cannot be shown: \(error)")
        }
    }

    /// The photo's own thumbnail; nil if it has none that can be decoded.
    private static func embedded(in photo: PhotoFile) -> DecodedStill? {
        guard let own = EmbeddedThumbnail(of: photo.bytes),
            var still = try? StillDecoder.decode(PhotoFile(in: photo.path, own.file))
        else { return nil }
        still.video.orientation = own.orientation
        return still
    }
}
