package import MediaModel

extension MovieReader {
    /// When the movie was shot: QuickTime's key, the user data that some cameras write, or the movie header, which has UTC.
    package var captureDate: CaptureDate? {
        texts(of: .creationDate, orUserData: "\u{A9}day").compactMap { CaptureDate(iso8601: $0) }.first
            ?? movie.header.times.captureDate
    }

    /// Where the movie was shot: QuickTime's key, or the user data that Android and some cameras write.
    package var location: GeographicLocation? {
        texts(of: .location, orUserData: "\u{A9}xyz").compactMap { GeographicLocation(iso6709: $0) }.first
    }

    /// - Parameter name: See QuickTime File Format, "User data atoms".
    private func texts(of key: MetadataKey, orUserData name: String) -> some Sequence<String> {
        (metadata.filter { $0.key == key } + movie.userData.filter { $0.key.name == name }).lazy
            .compactMap { $0.value.text }
    }
}
