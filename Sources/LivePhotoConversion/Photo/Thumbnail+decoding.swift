package import Bytes
import FFmpegKit
package import LivePhotoRequests

extension Thumbnail {
    /// Blocks while it works.
    ///
    /// - Parameters:
    ///   - edge: the longest edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    /// - Throws: `LivePhotoError` for what cannot be decoded.
    package init(of photo: InputFile, edge: Int, quality: Int) throws(LivePhotoError) {
        do {
            let still = try StillDecoder.decodeUpright(PhotoFile(photo))
            let maximum = try MaximumSize("\(edge)x\(edge)")
            self.init(
                jpeg: try StillEncoder.jpeg(of: still, quality: quality, maximum: maximum),
                size: try PictureGeometry(still.video, maximum: maximum).movie.size)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(.unusableMedia, photo.path, "cannot be shown: \(error)", cause: error)
        }
    }
}
