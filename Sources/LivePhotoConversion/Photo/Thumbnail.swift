import FFmpegKit
import LivePhotoKit
package import MediaModel
package import SystemPackage

/// A photo as lists show it: small, upright, a JPEG.
package struct Thumbnail: Sendable {
    package let jpeg: [UInt8]
    package let size: PixelSize

    /// Blocks while it works.
    ///
    /// - Parameters:
    ///   - edge: the longest edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    /// - Throws: `LivePhotoError`, `LibavError` or `ParseError` for what cannot be read or decoded.
    package init(of path: FilePath, edge: Int, quality: Int) throws {
        let still = try StillDecoder.decodeUpright(path)
        let maximum = try MaximumSize("\(edge)x\(edge)")
        size = try PictureGeometry(still.video, maximum: maximum).movie.size
        jpeg = try StillEncoder.jpeg(of: still, quality: quality, maximum: maximum)
    }
}
