package import Bytes
import FFmpegKit
import LivePhotoRequests
import StillImage

/// Encodes a HEIC or AVIF as a JPEG for a motion photo.
package struct PhotoConversion: Sendable {
    private let photo: InputFile

    /// High enough that the loss is hard to see.
    private static let quality = 92

    package init(_ photo: InputFile) {
        self.photo = photo
    }

    /// Writes an upright JPEG with the photo's Exif data, ICC profile and XMP.
    ///
    /// - Throws: `LivePhotoError`.
    package func encode(into output: WritableFile) throws(LivePhotoError) {
        do {
            let photoFile = try PhotoFile(photo)
            let still = try StillDecoder.decodeUpright(photoFile)
            var jpeg = try JPEG(try StillEncoder.jpeg(of: still, quality: Self.quality))
            if let xmp = try PhotoReader(photo).xmpOfPicture() {
                jpeg = try jpeg.replacingXMP(with: XMP.wrapped(xmp))
            }
            let update = ExifUpdate(orientation: .upright)
            let exif = try update.applied(to: ContainerExif.tiff(in: photoFile.bytes), of: jpeg, isConverted: true)
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
