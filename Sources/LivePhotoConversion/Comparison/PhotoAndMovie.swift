package import Bytes
import LivePhotoKit
package import SystemPackage

/// The open files of a photo and a movie to be compared.
package struct PhotoAndMovie: Sendable {
    package let photo: InputFile
    package let movie: InputFile

    /// - Throws: `LivePhotoError` if a file cannot be opened.
    package init(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        self.photo = try PhotoFile.open(photo)
        do {
            self.movie = try InputFile(movie)
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
    }

    /// Converts errors of decoding to a `LivePhotoError` with the movie's path.
    func explaining<Result>(_ work: () throws -> Result) throws(LivePhotoError) -> Result {
        do {
            return try work()
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                error, of: movie.path, work: "compare it with its photo",
                otherwise: "cannot be compared with its photo: \(error)")
        }
    }
}
