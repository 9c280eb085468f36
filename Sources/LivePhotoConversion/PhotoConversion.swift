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
    package init(_ photo: InputFile, quality: Int = WorkerOrder.photoQuality, maximum: MaximumSize? = nil) {
        (self.photo, self.quality, self.maximum) = (photo, quality, maximum)
    }

    /// Writes an upright JPEG with the photo's Exif data, ICC profile and XMP.
    ///
    /// - Throws: `LivePhotoError`.
    package func encode(into output: WritableFile) throws(LivePhotoError) {
        do {
            let photoFile = try PhotoFile(photo)
            let still = try StillDecoder.decodeUpright(photoFile)
            var jpeg = try JPEG(try StillEncoder.jpeg(of: still, quality: quality, maximum: maximum))
            if let xmp = try PhotoReader(photo).xmpOfPicture() {
                jpeg = try jpeg.replacingXMP(with: XMP.wrapped(xmp))
            }
            let update = ExifUpdate(orientation: .upright)
            let exif = try update.applied(
                to: ContainerExif.tiff(in: photoFile.bytes), of: EncodedPicture(jpeg), isConverted: true)
            let file = try OutputFile(rewriting: output)
            try file.write(try jpeg.replacingExif(with: exif))
            try file.close()
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(.unusableMedia, photo.path, "cannot become a JPEG: \(error)", cause: error)
        }
    }
}
