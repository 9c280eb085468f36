import Bytes
package import FFmpegKit
import HeifKit
import LivePhotoKit
import MediaModel
import StillImage

/// A photo's picture, decoded in the layout in which it is coded.
package struct DecodedStill: Sendable {
    package let frame: Frame
    /// The frame's format. Its orientation is `upright`: HEIF's rotation is applied already, and Exif's is left to the
    /// caller.
    package var video: VideoParameters
    /// The profile in the file, which then determines primaries and transfer function.
    package let iccProfile: [UInt8]?

    init(_ frame: Frame, color: ColorDescription, iccProfile: [UInt8]?) {
        self.frame = frame
        video = VideoParameters(
            codedSize: frame.size, pixelFormat: frame.pixelFormat, color: color, averageFrameRate: nil)
        self.iccProfile = iccProfile
    }
}

/// Decodes photos: HEIC and AVIF with libheif; JPEG, PNG, TIFF and WebP with libav. The format is
/// detected from the content.
package enum StillDecoder {
    /// The largest width and height; real photos have at most 16,320 pixels.
    private static let edgeLimit = 16_384

    /// The picture with the orientation from a JPEG's Exif data.
    ///
    /// - Throws: `LivePhotoError`; `ParseError` for a JPEG whose headers are damaged.
    static func decodeUpright(_ file: PhotoFile) throws -> DecodedStill {
        var still = try decode(file)
        if PhotoMetadata.Format(of: file.bytes) == .jpeg {
            still.video.orientation = try PhotoMetadata(file.bytes).orientation
        }
        return still
    }

    /// - Throws: `LivePhotoError`.
    package static func decode(_ file: PhotoFile) throws -> DecodedStill {
        let path = file.path
        do {
            return try decode(file.bytes, path)
        } catch let error as LibavError {
            throw error.isOutOfMemory
                ? LivePhotoError(.temporary, path, "not enough memory to decode it") : damaged(path, error.reason)
        } catch let error as HeifError {
            throw damaged(path, error.description)
        }
    }

    private static func damaged(_ path: FilePath, _ reason: String) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, path, "cannot be decoded as a photo; it is damaged, or of a kind not supported (\(reason))")
    }

    private static func decode(_ file: [UInt8], _ path: FilePath) throws -> DecodedStill {
        // ISO/IEC 14496-12 4.3: a file type box comes first.
        if file.dropFirst(4).starts(with: Array("ftyp".utf8)) { return try DecodedStill(heif: file, edgeLimit) }
        guard let format = PictureDecoder.Format(of: file) else {
            throw LivePhotoError(.unusableMedia, path, "is not a photo (JPEG, HEIC, AVIF, PNG, TIFF or WebP)")
        }
        if format == .tiff, !hasDecodableCompression(tiff: file) {
            throw LivePhotoError(
                .unusableMedia, path, "is a TIFF of a compression that FFmpeg does not decode; save it as a PNG or JPEG"
            )
        }
        let frame = try PictureDecoder.decode(file, format, pixelLimit: edgeLimit * edgeLimit)
        guard frame.size.longEdge <= edgeLimit else {
            throw LivePhotoError(
                .unusableMedia, path, "is \(frame.size) pixels large; \(edgeLimit) by \(edgeLimit) is the most")
        }
        return DecodedStill(frame, color: frame.color.ofStill(format), iccProfile: frame.iccProfile)
    }
}

extension StillDecoder {
    /// TIFF 6.0 section 8 and libtiff's tiff.h: none, CCITT in three forms, LZW, Deflate in two, PackBits. Of others,
    /// such as JPEG, libav's decoder makes an empty picture without an error.
    private static let decodableCompressions: Set<UInt32> = [1, 2, 3, 4, 5, 8, 32_773, 32_946]

    private static func hasDecodableCompression(tiff file: [UInt8]) -> Bool {
        guard let tiff = try? TIFF(from: ByteReader(file, structure: "TIFF")) else { return false }
        return decodableCompressions.contains(tiff.image[.compression]?.unsigned ?? 1)
    }
}

extension PictureDecoder.Format {
    /// Nil for other formats.
    fileprivate init?(of file: [UInt8]) {
        let signatures: [(Self, [UInt8])] = [
            (.jpeg, [0xFF, 0xD8, 0xFF]), (.png, [0x89] + Array("PNG\r\n\u{1A}\n".utf8)),
            (.tiff, Array("II*\0".utf8)), (.tiff, Array("MM\0*".utf8)),
        ]
        if let match = signatures.first(where: { file.starts(with: $0.1) }) {
            self = match.0
        } else if file.starts(with: Array("RIFF".utf8)), file.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webP
        } else {
            return nil
        }
    }
}

extension ColorDescription {
    /// Fills in by the format's definition what libav does not report: YCbCr is BT.601 at any size; samples have full
    /// range except in WebP (RFC 6386 9.2).
    fileprivate func ofStill(_ format: PictureDecoder.Format) -> ColorDescription {
        var copy = self
        if matrix == Self.unspecified { copy.matrix = Self.jfif.matrix }
        if format != .webP { copy.isFullRange = true }
        return copy
    }
}

extension DecodedStill {
    fileprivate init(heif file: [UInt8], _ edgeLimit: Int) throws {
        let picture = try HeifPicture(file, edgeLimit: edgeLimit)
        let alpha = picture.alpha
        var planes = picture.planes
        if picture.layout == .monochrome, alpha != nil {
            // libav has no planes of luma and alpha alone.
            let neutral = picture.neutralPlane
            planes += [neutral, neutral]
        }
        let frame = try Frame(
            size: picture.size, format: picture.formatName(hasAlpha: alpha != nil), color: picture.color,
            planes: planes + (alpha.map { [$0] } ?? []))
        self.init(frame, color: picture.color, iccProfile: picture.iccProfile)
        video.hasPremultipliedAlpha = alpha != nil && picture.isPremultiplied
    }
}

extension HeifPicture {
    /// libav's name of the planes' pixel format.
    fileprivate func formatName(hasAlpha: Bool) -> String {
        let name: String =
            switch layout {
            case .gbr: hasAlpha ? "gbrap" : "gbrp"
            case .monochrome: hasAlpha ? "yuva444p" : "gray"
            case .yuv420: hasAlpha ? "yuva420p" : "yuv420p"
            case .yuv422: hasAlpha ? "yuva422p" : "yuv422p"
            case .yuv444: hasAlpha ? "yuva444p" : "yuv444p"
            }
        return bitDepth == 8 ? name : "\(name)\(bitDepth)le"
    }

    /// A plane of chroma without any colour.
    fileprivate var neutralPlane: [UInt8] {
        let middle = 1 << (bitDepth - 1)
        let count = size.width * size.height
        guard bitDepth > 8 else { return [UInt8](repeating: UInt8(middle), count: count) }
        return (0..<count).flatMap { _ in [UInt8(middle & 0xFF), UInt8(middle >> 8)] }
    }
}
