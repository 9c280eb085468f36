package import MediaModel

extension MovieReader {
    /// When the movie was shot: QuickTime's key, the user data that some cameras write, or the movie header, which has UTC.
    package var captureDate: CaptureDate? {
        let texts =
            metadata.filter { $0.key == .creationDate } + movie.userData.filter { $0.key.name == Self.dayName }
        return texts.lazy.compactMap { $0.value.text.flatMap { CaptureDate(iso8601: $0) } }.first
            ?? movie.header.times.captureDate
    }

    /// `©day` (QuickTime File Format, "User data atoms").
    private static let dayName = "\u{A9}day"
}
