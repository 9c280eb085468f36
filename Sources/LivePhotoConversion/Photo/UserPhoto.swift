import Bytes
import FFmpegKit
import LivePhotoKit
package import MediaModel
import StillImage

package import struct SystemPackage.FilePath

/// A photo that the user supplies as the key photo. In a JPEG or HEIC, only metadata is changed; other formats are
/// re-encoded as JPEG.
struct UserPhoto: Sendable {
    private enum Picture: Sendable {
        /// The contents of the whole file.
        case kept([UInt8])
        /// With the file's Exif data, starting with the TIFF header.
        case decoded(DecodedStill, tiff: [UInt8]?)
    }

    let path: FilePath
    /// The size for display.
    private let size: PixelSize
    private let exif: Exif
    private let picture: Picture
    private let format: PhotoMetadata.Format?
    private let orientation: Orientation

    /// - Throws: `LivePhotoError` for a photo that cannot be read.
    init(_ photo: InputFile) throws {
        path = photo.path
        let photoFile = try PhotoFile(photo)
        let file = photoFile.bytes
        format = PhotoMetadata.Format(of: file)
        do {
            switch format {
            case .jpeg, .heic:
                let metadata = try PhotoMetadata(file)
                (size, orientation) = (metadata.displaySize, metadata.orientation)
                picture = .kept(file)
                exif = metadata.exif ?? Exif()
            case .avif, nil:
                let decoded = try StillDecoder.decode(photoFile)
                let tiff = try ContainerExif.tiff(in: file)
                exif = try tiff.map { try Exif(from: ByteReader($0, structure: "Exif TIFF")) } ?? Exif()
                // An AVIF's boxes contain its orientation, which the decoder has applied.
                orientation = format == nil ? exif.orientation : .upright
                let stored = decoded.video.codedSize
                size = orientation.swapsAxes ? stored.transposed : stored
                picture = .decoded(decoded, tiff: tiff)
            }
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "cannot be used as the key photo: \(error)", cause: error)
        }
    }

    var description: UserPhotoDescription {
        let (isKept, isTransparent) =
            switch picture {
            case .kept: (true, false)
            case .decoded(let still, _): (false, still.frame.isTransparent(in: PixelRectangle(size: still.frame.size)))
            }
        return UserPhotoDescription(
            path: path, size: size, isKept: isKept, isTransparent: isTransparent, captureDate: exif.captureDate,
            location: exif.location)
    }

    /// The contents of the key photo's file.
    ///
    /// - Parameters:
    ///   - keepingMetadata: whether to keep all metadata that `update` does not change, or only the orientation.
    ///   - quality: if the picture is encoded, from 1 to 100.
    ///   - background: fills transparent parts if the picture is encoded.
    /// - Throws: `LivePhotoError` for metadata that cannot be changed.
    func contents(
        _ update: ExifUpdate, keepingMetadata: Bool, quality: Int, background: BackgroundColor
    ) throws -> [UInt8] {
        var update = update
        // The kept metadata already has the orientation.
        update.orientation = keepingMetadata && format == .jpeg ? nil : orientation
        do {
            switch picture {
            case .kept(let file):
                let editor = try PhotoEditor(file)
                let mayStateLocation = update.location == .remove && editor.mayStateLocationOutsideExif
                return try editor.applying(
                    update, keepingExif: keepingMetadata, droppingXMP: !keepingMetadata || mayStateLocation)
            case .decoded(let still, let tiff):
                let jpeg = try JPEG(try StillEncoder.jpeg(of: still, quality: quality, background: background))
                let old = keepingMetadata ? tiff : nil
                return try jpeg.replacingExif(with: try update.applied(to: old, of: jpeg, isConverted: true))
            }
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "its metadata cannot be changed: \(error)", cause: error)
        } catch let error as ExifTooLarge {
            throw LivePhotoError(.unusableMedia, path, "has no room for a content identifier: \(error)", cause: error)
        }
    }
}

/// The properties of a user-supplied photo that a plan is made from.
package struct UserPhotoDescription: Sendable, Hashable {
    package let path: FilePath
    /// The size for display.
    package let size: PixelSize
    /// Whether its picture data is kept; otherwise it is encoded as JPEG.
    package let isKept: Bool
    /// Whether the picture is encoded as JPEG, which has no alpha, though it has transparent pixels.
    package let isTransparent: Bool
    package let captureDate: CaptureDate?
    package let location: GeographicLocation?
}
