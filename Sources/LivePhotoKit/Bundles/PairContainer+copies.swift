import Bytes
import StillImage
package import SystemPackage

extension PairContainer {
    /// Copies of the photo and the movie in unnamed files, which disappear with this value.
    package struct Copies: Sendable {
        fileprivate let photoFile: InputFile
        fileprivate let movieFile: InputFile

        /// Where this process and others can open the photo, as long as this value exists.
        package var photo: FilePath { photoFile.pathForOtherProcesses }
        /// Where this process and others can open the movie, as long as this value exists.
        package var movie: FilePath { movieFile.pathForOtherProcesses }
    }

    /// - Parameter folder: where they are created, or in the nearest existing parent.
    /// - Throws: `LivePhotoError`.
    package func copies(in folder: FilePath) throws(LivePhotoError) -> Copies {
        do {
            let folder = try OutputDirectory.nearest(to: folder)
            let photo = try FileSystem.temporaryFile(in: folder, named: path) { output in
                switch self.photo {
                case .stored(let part): try part.write(to: output)
                case .still(let photo): try photo.still().write(to: output)
                }
            }
            let movie = try FileSystem.temporaryFile(in: folder, named: path) { try self.movie.write(to: $0) }
            return Copies(photoFile: photo, movieFile: movie)
        } catch let error as Errno where [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(error) {
            throw LivePhotoError(writing: folder, error)
        } catch {
            throw Self.failure(error, path)
        }
    }
}
