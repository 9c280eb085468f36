package import Bytes
import LivePhotoKit
package import SystemPackage

/// A photo and a movie to be compared, open.
package struct PhotoAndMovie: Sendable {
    package let photo: InputFile
    package let movie: InputFile

    /// - Throws: `LivePhotoError` for what cannot be opened.
    package init(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        self.photo = try PhotoFile.open(photo)
        do {
            self.movie = try InputFile(movie)
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
    }

    /// Turns what decoding throws into a `LivePhotoError` that names the movie.
    func explaining<Result>(_ work: () throws -> Result) throws(LivePhotoError) -> Result {
        do {
            return try work()
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                .unusableMedia, movie.path, "cannot be compared with its photo: \(error)", cause: error)
        }
    }
}
