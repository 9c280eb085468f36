package import Bytes
import FFmpegKit
package import LivePhotoRequests
import StillImage

/// Encodes a photo as a JPEG for a motion photo or an export.
package struct PhotoConversion: Sendable {
    private let photo: InputFile
    private let quality: Int
    private let maximum: MaximumSize?

    /// - Parameters:
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    ///   - maximum: the size that the picture is scaled down to fit; nil keeps its size.
    package init(_ photo: InputFile, quality: Int = Work.photoQuality, maximum: MaximumSize? = nil) {
        (self.photo, self.quality, self.maximum) = (photo, quality, maximum)
    }

    /// Writes an upright JPEG with the photo's Exif data, ICC profile, XMP and IPTC.
    ///
    /// - Throws: `LivePhotoError`.
    package func encode(into output: WritableFile) throws(LivePhotoError) {
        do {
            let photoFile = try PhotoFile(photo)
            let still = try StillDecoder.decodeUpright(photoFile)
            var jpeg = try JPEG(try StillEncoder.jpeg(of: still, quality: quality, maximum: maximum))
            let change = try Self.change(of: photoFile, still, to: jpeg.size)
            jpeg = try CarriedMetadata(photoFile.bytes, change).added(to: jpeg)
            let update = ExifUpdate(orientation: .upright)
            let exif = try update.applied(
                to: ContainerExif.tiff(in: photoFile.bytes), of: EncodedPicture(jpeg), from: change)
            let file = try OutputFile(rewriting: output)
            try file.write(try jpeg.replacingExif(with: exif))
            try file.close()
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                error, of: photo.path, work: "encode it as a JPEG", otherwise: "cannot become a JPEG: \(error)")
        }
    }

    /// - Parameter size: of the upright JPEG.
    private static func change(
        of file: PhotoFile, _ still: DecodedStill, to size: PixelSize
    ) throws -> PictureChange {
        PictureChange(
            from: try PictureChange.Picture(file, still), to: PictureChange.Picture(size: size, orientation: .upright),
            map: UnitMap())
    }
}

extension PictureChange.Picture {
    /// The picture as a file stores it, which the decoder of HEIC and AVIF has turned already.
    init(_ file: PhotoFile, _ still: DecodedStill) throws {
        guard PhotoMetadata.Format(of: file.bytes) != nil else {
            self.init(size: still.video.codedSize, orientation: .upright)
            return
        }
        let metadata = try PhotoMetadata(file.bytes)
        self.init(size: metadata.size, orientation: metadata.orientation)
    }
}
