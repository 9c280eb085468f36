package import Bytes
import StillImage

/// Makes a plain photo from a key photo.
package enum PlainPhoto {
    /// The photo without the content identifier of a Live Photo, and without the movie of a motion photo.
    ///
    /// - Parameter file: a JPEG.
    /// - Throws: `LivePhotoError`.
    package static func contents(of file: InputFile) throws(LivePhotoError) -> [UInt8] {
        do {
            let reader = try PhotoReader(file)
            let limit = PhotoEditor.fileSizeLimit
            let still =
                reader.isMotionPhoto
                ? try MotionPhoto(reader).still().contents(limit: limit) : try file.contents(limit: limit)
            return try PhotoEditor(still).applying(ExifUpdate(contentIdentifier: .remove))
        } catch let error as any CustomStringConvertible & Error where error is ParseError || error is ExifTooLarge {
            throw LivePhotoError(.unusableMedia, file.path, "cannot be exported: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: file.path, error)
        }
    }
}
