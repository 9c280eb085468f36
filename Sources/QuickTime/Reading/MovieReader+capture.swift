package import MediaModel

extension MovieReader {
    /// When the movie was shot: QuickTime's key, the user data that some cameras write, or the movie header, which has UTC.
    package var captureDate: CaptureDate? { statedDate?.date }

    /// The same; a date of an unknown form is only returned if there is no other. Some programs write only a day, which the
    /// header may have with the time.
    package var statedDate: StatedDate? {
        let texts = Array(texts(of: .creationDate, orUserData: "\u{A9}day"))
        let exact = texts.lazy.compactMap { CaptureDate(iso8601: $0) }.first ?? movie.header.times.captureDate
        if let exact { return .date(exact) }
        let stated = texts.compactMap { StatedDate($0) }
        return stated.first { $0.date != nil } ?? stated.first
    }

    /// Where the movie was shot: QuickTime's key, or the user data that Android and some cameras write.
    package var location: GeographicLocation? {
        texts(of: .location, orUserData: "\u{A9}xyz").compactMap { GeographicLocation(iso6709: $0) }.first
    }

    /// - Parameter name: See QuickTime File Format, "User data atoms".
    private func texts(of key: MetadataKey, orUserData name: FileText) -> some Sequence<FileText> {
        (metadata.filter { $0.key == key } + movie.userData.filter { $0.key.name == name }).lazy
            .compactMap { $0.value.text }
    }
}
