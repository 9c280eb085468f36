package import Bytes
package import LivePhotoRequests

/// The open files that a conversion reads.
package struct ConversionFiles: Sendable {
    package let clip: InputFile
    /// The user-supplied photo.
    package let photo: InputFile?
    /// The lookup table of the adjustments.
    package let colorTable: InputFile?

    /// - Throws: `LivePhotoError` if a file cannot be opened.
    package init(of request: ConversionRequest) throws(LivePhotoError) {
        do {
            clip = try InputFile(request.openedClip ?? request.clip, named: request.clip)
        } catch {
            throw LivePhotoError(reading: request.clip, error)
        }
        photo =
            if let photo = request.photo { try PhotoFile.open(photo) } else { nil }
        colorTable =
            if let table = request.preset.adjustments.colorTable { try Self.open(table.path) } else { nil }
    }

    private static func open(_ table: FilePath) throws(LivePhotoError) -> InputFile {
        try InputFileCheck.check(table, is: "LUT", "a .cube file")
        do {
            return try InputFile(table)
        } catch {
            throw LivePhotoError(reading: table, error)
        }
    }
}

/// The two files of a pair, open for writing.
package struct PairFiles: Sendable {
    private let photo: WritableFile
    private let movie: WritableFile

    /// - Throws: `Errno` of open(2).
    package init(photo: FilePath, movie: FilePath) throws {
        (self.photo, self.movie) = (try WritableFile(photo), try WritableFile(movie))
    }

    /// Empties the file, as a second attempt at the conversion requires.
    func openPhoto() throws -> OutputFile { try OutputFile(rewriting: photo) }
    func openMovie() throws -> OutputFile { try OutputFile(rewriting: movie) }
}
