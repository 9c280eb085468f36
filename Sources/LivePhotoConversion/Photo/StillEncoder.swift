package import FFmpegKit
import LivePhotoKit
import StillImage

/// Encodes a photo's picture as a JPEG, turned upright by its `orientation`.
package enum StillEncoder {
    /// Changes a picture in the format of the encoder, whose size stays.
    package typealias Process = (Frame, PictureFilters.Target) throws -> Frame

    /// A picture with an RGB ICC profile keeps its sample values, and the profile goes into the file. Without one, the
    /// picture is converted to sRGB. HDR is tone-mapped to sRGB.
    ///
    /// - Parameters:
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    ///   - maximum: the size that the picture is scaled down to fit; nil keeps its size.
    ///   - background: fills the transparent parts.
    ///   - edit: how the picture is cropped and adjusted.
    ///   - process: changes the picture after that.
    /// - Returns: a JFIF file without Exif.
    package static func jpeg(
        of still: DecodedStill, quality: Int, maximum: MaximumSize? = nil, background: BackgroundColor = .black,
        edit: PictureEdit = PictureEdit(), process: Process? = nil
    ) throws -> [UInt8] {
        let profile = keptProfile(still)
        var video = still.video.turned(by: edit.adjustments)
        if profile != nil {
            // Samples tagged as BT.709 pass unchanged.
            video.color.primaries = ColorDescription.jfif.primaries
            video.color.transfer = ColorDescription.jfif.transfer
        }
        let geometry = try PictureGeometry(video, maximum: maximum, framing: edit.framing)
        let canvas = maximum == nil ? geometry.photo : geometry.movie
        let target = PictureFilters.Target.photo(canvas)
        let filters = PictureFilters(
            video, geometry, to: target, background: background, adjustments: edit.adjustments,
            colorTable: edit.colorTable)
        var picture = try PictureConverter(filters, threads: 1).convert(still.frame)
        if let process { picture = try process(picture, target) }
        // Some versions of libavcodec write the frame's profile.
        return try JPEG(try JPEGEncoder.encode(picture, quality: quality)).replacingICCProfile(with: profile)
    }

    /// An upright photo as an image.
    static func image(of still: DecodedStill) throws -> LivePhotoImage {
        let video = still.video
        let geometry = try PictureGeometry(video, maximum: nil)
        let target = PictureFilters.Target.photo(geometry.photo)
        let picture = try PictureConverter(PictureFilters(video, geometry, to: target), threads: 1).convert(still.frame)
        return try FrameProcessing.image(of: picture, target)
    }

    /// Gray and CMYK profiles do not apply to YCbCr, and no profile applies to a tone-mapped picture.
    private static func keptProfile(_ still: DecodedStill) -> [UInt8]? {
        guard let profile = still.iccProfile, !still.video.color.isHDR, profile.count <= JPEG.iccProfileLimit,
            // ICC.1:2022 7.2: the data's color space, the signature of every profile.
            profile.dropFirst(16).starts(with: Array("RGB ".utf8)),
            profile.dropFirst(36).starts(with: Array("acsp".utf8))
        else { return nil }
        return profile
    }
}
