import CHeif
package import MediaModel

/// Encodes a picture as a HEIC, with libheif's encoder for HEVC.
package enum HEICEncoder {
    /// Whether the installed libheif has an encoder for HEVC; Debian 13 and newer have it as a plugin.
    package static var isAvailable: Bool { heif_have_encoder_for_format(heif_compression_HEVC) != 0 }

    /// A picture and what is stored with it.
    package struct Picture: Sendable {
        let size: PixelSize
        let planes: [[UInt8]]
        let bitDepth: Int
        let color: ColorDescription
        /// A smaller version of the picture: its size and planes.
        package var thumbnail: (size: PixelSize, planes: [[UInt8]])?
        /// In place of the color's primaries and transfer function; nil for those.
        package var iccProfile: [UInt8]?
        /// Exif data, beginning with the TIFF header.
        package var exif: [UInt8]?
        package var xmp: [UInt8]?

        /// - Parameters:
        ///   - size: in pixels.
        ///   - planes: Y, Cb and Cr, row after row without gaps; chroma has half the size, rounded up.
        ///   - bitDepth: 8, or more in samples of 16 bits in the machine's order.
        ///   - color: of the planes.
        package init(size: PixelSize, planes: [[UInt8]], bitDepth: Int = 8, color: ColorDescription) {
            (self.size, self.planes, self.bitDepth, self.color) = (size, planes, bitDepth, color)
        }
    }

    /// How long encoding may take.
    package enum Speed: Sendable {
        /// For large photos: 24 megapixels at quality 65 take 3.5 s on two cores instead of 11 s with x265's preset `fast`, for
        /// a file of 3.8 instead of 3.6 MB.
        case fast
        /// For pictures of clips: half a second a megapixel, for a file smaller by a quarter.
        case small

        /// x265's name.
        fileprivate var preset: String {
            switch self {
            case .fast: "ultrafast"
            case .small: "veryfast"
            }
        }
    }

    /// - Parameter quality: from 0 to 100; x265's constant rate factor is half of what is missing to 100.
    /// - Returns: the contents of a file.
    package static func encode(
        _ picture: Picture, quality: Int, speed: Speed = .fast
    ) throws(HeifError) -> [UInt8] {
        let file = try HeifFile()
        let image = try file.encode(
            pixels(picture, picture.size, picture.planes), quality: quality, preset: speed.preset)
        if let thumbnail = picture.thumbnail {
            let small = try file.encode(
                pixels(picture, thumbnail.size, thumbnail.planes), quality: quality, preset: speed.preset)
            try file.assign(thumbnail: small, to: image)
        }
        if let exif = picture.exif { try file.add(exif: exif, to: image) }
        if let xmp = picture.xmp { try file.add(xmp: xmp, to: image) }
        return HeifBoxes(HeifBoxes(try file.bytes()).withThumbnailsOfPrimary).withMain10Profile
    }

    /// - Parameters:
    ///   - samples: of one component, in 8 bits, row after row without gaps.
    ///   - quality: as in `encode`.
    /// - Returns: the contents of a file with one monochrome picture.
    package static func encodeMonochrome(
        _ samples: [UInt8], size: PixelSize, quality: Int, speed: Speed = .fast
    ) throws(HeifError) -> [UInt8] {
        let file = try HeifFile()
        let pixels = try HeifPixels(size, chroma: HeifChromaMonochrome, space: heif_colorspace_monochrome)
        try pixels.add(heif_channel_Y, size, bitDepth: 8, samples)
        _ = try file.encode(pixels, quality: quality, preset: speed.preset)
        return try file.bytes()
    }

    /// Planes with the color of a picture.
    private static func pixels(
        _ picture: Picture, _ size: PixelSize, _ planes: [[UInt8]]
    ) throws(HeifError) -> HeifPixels {
        let pixels = try HeifPixels(size, chroma: heif_chroma_420)
        let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
        let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        guard planes.count == channels.count else { throw HeifError("the picture has no three planes") }
        for (channel, plane) in zip(channels, planes) {
            try pixels.add(channel, channel == heif_channel_Y ? size : half, bitDepth: picture.bitDepth, plane)
        }
        try pixels.setColor(picture.color)
        if let profile = picture.iccProfile { try pixels.setProfile(profile) }
        return pixels
    }
}
