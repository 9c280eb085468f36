package import LivePhotoKit

extension OutsideMetadata.SourcedDate {
    /// - Returns: Nil without a requested date.
    /// - Throws: `LivePhotoError` for a requested modification time of a file that does not exist.
    package init?(_ requested: RequestedDate?, ofFile file: FilePath) throws(LivePhotoError) {
        switch requested {
        case .date(let date): self.init(date: date, source: .request)
        case .fileTime: self.init(date: try FileMetadata.modificationDate(of: file), source: .fileTime)
        case nil: return nil
        }
    }
}

extension LivePhotoLinker {
    /// Sets the requested date of a photo and its movie.
    ///
    /// - Parameters:
    ///   - date: Nil changes nothing.
    ///   - photo: The photo whose modification time may be the date.
    /// - Throws: `LivePhotoError` if the photo does not exist.
    package mutating func setDate(_ date: RequestedDate?, ofPhoto photo: FilePath) throws(LivePhotoError) {
        guard let sourced = try OutsideMetadata.SourcedDate(date, ofFile: photo) else { return }
        (captureDate, captureDateSource) = (sourced.date, sourced.source)
    }
}
