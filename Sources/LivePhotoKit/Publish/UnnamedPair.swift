import Bytes
package import SystemPackage

/// The files of a pair while they are made, without names: whenever the process is killed, nothing is left of them.
package struct UnnamedPair: Sendable {
    private let target: PublishTarget
    private let photoFile: UnnamedFile
    private let movieFile: UnnamedFile

    /// Creates two empty files in the file system of the target's folder, which need not exist yet.
    ///
    /// - Returns: Nil if that file system has no files without names.
    /// - Throws: `LivePhotoError`.
    package init?(for target: PublishTarget) throws(LivePhotoError) {
        do {
            let folder = try OutputDirectory.nearest(to: target.directory)
            guard let photo = try UnnamedFile(in: folder), let movie = try UnnamedFile(in: folder) else { return nil }
            (self.target, photoFile, movieFile) = (target, photo, movie)
        } catch {
            throw LivePhotoError(writing: target.directory, error)
        }
    }

    /// Where to open the photo.
    package var photo: FilePath { photoFile.path }
    /// Where to open the movie.
    package var movie: FilePath { movieFile.path }

    /// Gives both files their names in the hidden folder of a new publisher.
    ///
    /// - Throws: `LivePhotoError`.
    package func publisher() throws(LivePhotoError) -> Publisher {
        let publisher = try target.publisher()
        try publisher.add(movieFile, as: target.movieName)
        try publisher.add(photoFile, as: target.photoName)
        return publisher
    }
}
