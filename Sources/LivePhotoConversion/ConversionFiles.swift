package import Bytes
package import LivePhotoRequests

/// The files that a conversion reads, open.
package struct ConversionFiles: Sendable {
    package let clip: InputFile
    /// The photo that the user supplied.
    package let photo: InputFile?

    /// - Throws: `LivePhotoError` for what cannot be opened.
    package init(of request: ConversionRequest) throws(LivePhotoError) {
        do {
            clip = try InputFile(request.clip)
        } catch {
            throw LivePhotoError(reading: request.clip, error)
        }
        photo =
            if let photo = request.photo { try PhotoFile.open(photo) } else { nil }
    }
}

/// The two files of a pair, open for writing, from the start each time.
package struct PairFiles: Sendable {
    private let photo: WritableFile
    private let movie: WritableFile

    /// - Throws: `Errno` of open(2).
    package init(photo: FilePath, movie: FilePath) throws {
        (self.photo, self.movie) = (try WritableFile(photo), try WritableFile(movie))
    }

    func openPhoto() throws -> OutputFile { try OutputFile(rewriting: photo) }
    func openMovie() throws -> OutputFile { try OutputFile(rewriting: movie) }
}
