package import Bytes
package import MediaModel

/// Why a photo has no content identifier that could be read.
package enum MissingContentIdentifier: Error, Hashable, Sendable {
    case noExif
    /// Exif without a MakerNote.
    case noMakerNote
    /// A MakerNote of another maker.
    case notApples
    /// Apple's MakerNote without tag 17.
    case notInMakerNote
    /// The data that should hold it cannot be read.
    case unreadable(ParseError)
}

extension MissingContentIdentifier: CustomStringConvertible {
    /// The end of a sentence that begins "the photo …".
    package var description: String {
        switch self {
        case .noExif: "has no Exif data"
        case .noMakerNote: "has Exif data without a MakerNote"
        case .notApples: "has a MakerNote that is not Apple's"
        case .notInMakerNote: "has an Apple MakerNote without a content identifier"
        case .unreadable(let error): "has Exif data that cannot be read: \(error)"
        }
    }
}

extension TIFF {
    /// The content identifier, unchanged, or why there is none.
    package func contentIdentifier() -> Result<FileText, MissingContentIdentifier> {
        do throws(ParseError) {
            if let error = image.unreadable[.exifIFD] { throw error }
            guard let note = try exif?.field(.makerNote) else { return .failure(.noMakerNote) }
            guard AppleMakerNote.isApple(note.data) else { return .failure(.notApples) }
            let reader = ByteReader(note.data, structure: "Apple MakerNote")
            guard let text = try AppleMakerNote(from: reader).contentIdentifier() else {
                return .failure(.notInMakerNote)
            }
            return .success(text)
        } catch {
            return .failure(.unreadable(error))
        }
    }
}
