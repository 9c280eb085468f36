import Bytes
package import FFmpegKit
import HeifKit
import LivePhotoKit
import MediaModel
import StillImage

/// A photo's picture, decoded without changing its layout.
package struct DecodedStill: Sendable {
    package let frame: Frame
    /// The frame's format. Its orientation is `upright`: HEIF's rotation is already applied, and the caller applies
    /// Exif's.
    package var video: VideoParameters
    /// The file's profile, which determines primaries and transfer function.
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

    /// Decodes the picture and reads its orientation from a JPEG's Exif data.
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
            throw damaged(path, error, error.reason)
        } catch let error as HeifError {
            throw damaged(path, error, error.description)
        }
    }

    private static func damaged(_ path: FilePath, _ error: any Error, _ reason: String) -> LivePhotoError {
        LivePhotoError(
            error, of: path, work: "decode it",
            otherwise: "cannot be decoded as a photo; it is damaged or of an unsupported kind (\(reason))")
    }

    /// Decodes with libheif or, for a file that it does not accept, the coded pictures alone with libav.
    private static func decode(heif file: [UInt8]) throws -> DecodedStill {
        do {
            return try DecodedStill(heif: file, edgeLimit)
        } catch let error as HeifError {
            guard let still = try? DecodedStill(tilesOf: file, edgeLimit) else { throw error }
            return still
        }
    }

    private static func decode(_ file: [UInt8], _ path: FilePath) throws -> DecodedStill {
        // ISO/IEC 14496-12 4.3: a file type box comes first.
        if file.dropFirst(4).starts(with: Array("ftyp".utf8)) { return try decode(heif: file) }
        guard let format = PictureDecoder.Format(of: file) else {
            throw LivePhotoError(.unusableMedia, path, "is not a photo (JPEG, HEIC, AVIF, PNG, TIFF or WebP)")
        }
        if format == .tiff, !hasDecodableCompression(tiff: file) {
            throw LivePhotoError(
                .unusableMedia, path, "is a TIFF with a compression that FFmpeg cannot decode; save it as PNG or JPEG")
        }
        let frame = try PictureDecoder.decode(file, format, pixelLimit: edgeLimit * edgeLimit)
        guard frame.size.longEdge <= edgeLimit else {
            throw LivePhotoError(
                .unusableMedia, path, "is \(frame.size) pixels large; the limit is \(edgeLimit) by \(edgeLimit)")
        }
        return DecodedStill(frame, color: frame.color.ofStill(format), iccProfile: frame.iccProfile)
    }
}

extension StillDecoder {
    /// TIFF 6.0 section 8 and libtiff's tiff.h: none, three CCITT variants, LZW, two variants of Deflate, PackBits. For
    /// others, such as JPEG, libav's decoder returns an empty picture without an error.
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
    /// Completes properties that libav does not report, by the format's definition: YCbCr is BT.601 at any size;
    /// samples have full range except in WebP (RFC 6386 9.2).
    fileprivate func ofStill(_ format: PictureDecoder.Format) -> ColorDescription {
        var copy = self
        if matrix == Self.unspecified { copy.matrix = Self.jfif.matrix }
        if format != .webP { copy.isFullRange = true }
        return copy
    }
}

extension DecodedStill {
    /// Decodes the coded pictures of a HEIF with libav.
    package init(tilesOf file: [UInt8], _ edgeLimit: Int) throws {
        let tiles = try HEIFTiles(file)
        let picture = try TiledPicture(tiles, of: file, edgeLimit: edgeLimit)
        self.init(try picture.frame(), color: picture.color, iccProfile: tiles.iccProfile)
    }

    package init(heif file: [UInt8], _ edgeLimit: Int) throws {
        let picture = try HeifPicture(file, edgeLimit: edgeLimit)
        var planes = picture.planes
        if picture.layout == .monochrome, picture.alpha != nil {
            // libav has no planar format with only luma and alpha.
            let neutral = picture.neutralPlane
            planes += [neutral, neutral]
        }
        if let alpha = picture.alpha { planes.append(alpha) }
        let frame = try Frame(
            size: picture.size, format: picture.formatName, color: picture.color, planes: planes)
        self.init(frame, color: picture.color, iccProfile: picture.iccProfile)
        video.hasPremultipliedAlpha = picture.alpha != nil && picture.isPremultiplied
    }
}

extension HeifPicture {
    /// libav's name of the planes' pixel format.
    fileprivate var formatName: String {
        let name: String =
            switch layout {
            case .gbr: alpha == nil ? "gbrp" : "gbrap"
            case .monochrome: alpha == nil ? "gray" : "yuva444p"
            case .yuv420: alpha == nil ? "yuv420p" : "yuva420p"
            case .yuv422: alpha == nil ? "yuv422p" : "yuva422p"
            case .yuv444: alpha == nil ? "yuv444p" : "yuva444p"
            }
        return bitDepth == 8 ? name : "\(name)\(bitDepth)le"
    }

    /// A full-size chroma plane of a gray picture.
    fileprivate var neutralPlane: [UInt8] {
        let middle = 1 << (bitDepth - 1)
        let count = size.width * size.height
        guard bitDepth > 8 else { return [UInt8](repeating: UInt8(middle), count: count) }
        return (0..<count).flatMap { _ in [UInt8(middle & 0xFF), UInt8(middle >> 8)] }
    }
}
