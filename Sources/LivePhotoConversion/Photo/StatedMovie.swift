import Bytes
import LivePhotoKit
import StillImage

import struct SystemPackage.FilePath

/// The movie that a user-supplied photo states to have in it. Galleries would play it instead of the paired video.
struct StatedMovie: Sendable {
    /// The contents of the file without the movie and what states it; nil if it cannot be taken out.
    let still: [UInt8]?
    /// Whether the movie is there.
    let isThere: Bool

    /// What becomes of it if the picture stays as it is; nil if it is not there.
    var fate: UserPhotoDescription.EmbeddedMovie? { isThere ? still == nil ? .kept : .leftOut : nil }

    /// - Returns: Nil for a photo that states no movie, and for other files.
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    init?(in reader: PhotoReader?, _ path: FilePath) throws(LivePhotoError) {
        guard let reader, reader.isMotionPhoto else { return nil }
        do {
            let photo = try MotionPhoto(reader)
            isThere = photo.hasMovie
            still = try Self.still(of: photo)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    private static func still(of photo: MotionPhoto) throws -> [UInt8]? {
        do {
            return try photo.still().contents(limit: PhotoEditor.fileSizeLimit)
        } catch is ParseError {
            return nil
        } catch is ExifTooLarge {
            return nil
        }
    }
}
