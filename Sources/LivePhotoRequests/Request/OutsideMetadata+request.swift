package import LivePhotoKit

extension OutsideMetadata {
    /// Reads the request, and the file times, name and sidecar of its clip.
    ///
    /// - Throws: `LivePhotoError` for a requested modification time that does not exist.
    init(of request: ConversionRequest) throws(LivePhotoError) {
        let isFile = request.work.openedClip == nil
        guard isFile || request.captureDate != .fileTime else {
            throw LivePhotoError(
                .invalidRequest, request.clip, "has no modification time; write the date itself with --date")
        }
        requestedDate = try SourcedDate(
            request.captureDate, ofFile: request.work.isEdit ? request.photo ?? request.clip : request.clip)
        guard isFile, !request.work.isEdit, request.preset.metadata != .discard else { return }
        let file = FileMetadata(of: request.clip)
        if let date = file.captureDate, let source = file.dateSource {
            self.date = SourcedDate(date: date, source: source, isDayOnly: file.isDayOnly)
        }
        nameTime = request.clip.lastComponent.flatMap { NameTime(inName: $0.string) }
        location = file.location
        warnings = [file.warning].compactMap(\.self)
    }
}

extension ConversionRequest {
    /// The request with its `outsideMetadata`.
    ///
    /// - Throws: `LivePhotoError` for a requested modification time that does not exist.
    package func withOutsideMetadata() throws(LivePhotoError) -> ConversionRequest {
        guard work.outsideMetadata == nil else { return self }
        var request = self
        request.work.outsideMetadata = try OutsideMetadata(of: self)
        return request
    }
}

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
