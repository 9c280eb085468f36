public import SystemPackage

extension LivePhotoLinker {
    /// Takes the photo and the movie out of what holds both, and links them as a Live Photo at the moment that it names.
    /// Nothing is encoded.
    ///
    /// - Parameters:
    ///   - directory: where the pair goes; made when missing.
    ///   - name: of both files, without extension; nil takes the photo's.
    /// - Throws: `LivePhotoError` for what cannot be linked as it is, and for what keeps it from being written.
    public func extract(
        _ container: PairContainer, name: String? = nil, to directory: FilePath, replacesExisting: Bool
    ) throws(LivePhotoError) -> Result {
        let folder: FilePath = directory.isEmpty ? "." : directory
        let output: OutputDirectory
        let work: WorkFolder
        do throws(Errno) {
            output = try OutputDirectory(folder)
            do throws(Errno) {
                work = try WorkFolder(in: folder, usesHardLinks: true)
            } catch {
                output.removeCreated()
                throw error
            }
        } catch {
            throw LivePhotoError(.cannotCreateOutput, folder, "cannot take new files: \(error)")
        }
        do throws(LivePhotoError) {
            defer { work.remove() }
            let (photo, movie) = (work.path.appending(container.photoName), work.path.appending(container.movieName))
            try container.writePhoto(to: photo)
            try container.writeMovie(to: movie)
            return try link(
                photo: photo, movie: movie, stillTime: container.stillTime, name: name,
                to: .directory(folder, replacesExisting: replacesExisting))
        } catch {
            output.removeCreated()
            // What was on the way there has gone; the container is what its owner knows.
            let isOurs = error.file.map { $0.starts(with: work.path) } ?? true
            throw LivePhotoError(error.code, isOurs ? container.path : error.file, error.reason)
        }
    }
}
