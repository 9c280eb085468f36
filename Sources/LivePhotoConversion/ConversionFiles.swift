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
    package init(of work: ClipWork) throws(LivePhotoError) {
        clip = try Self.open(work.openedClip ?? work.clip, named: work.clip)
        photo =
            if let photo = work.photo { try PhotoFile.open(photo) } else { nil }
        colorTable =
            if let table = work.preset.adjustments.colorTable { try Self.openTable(table.path) } else { nil }
    }

    /// - Parameter name: in errors; nil for the path.
    static func open(_ clip: FilePath, named name: FilePath? = nil) throws(LivePhotoError) -> InputFile {
        do {
            return try InputFile(clip, named: name ?? clip)
        } catch {
            throw LivePhotoError(reading: name ?? clip, error)
        }
    }

    static func openTable(_ table: FilePath) throws(LivePhotoError) -> InputFile {
        try InputFileCheck.check(table, is: "LUT", "a .cube file")
        do {
            return try InputFile(table)
        } catch {
            throw LivePhotoError(reading: table, error)
        }
    }
}

/// The files of a pair, open for writing.
package struct PairFiles: Sendable {
    private let photo: WritableFile?
    private let movie: WritableFile

    /// - Parameter photo: nil for a movie without a photo.
    package init(photo: WritableFile?, movie: WritableFile) {
        (self.photo, self.movie) = (photo, movie)
    }

    var hasPhoto: Bool { photo != nil }

    /// Empties the file, as a second attempt at the conversion requires.
    func openPhoto() throws -> OutputFile? { try photo.map { try OutputFile(rewriting: $0) } }
    func openMovie() throws -> OutputFile { try OutputFile(rewriting: movie) }
}
