import MediaModel

/// Dates as Exif writes them (CIPA DC-008 4.6.6 and 4.6.5, DateTimeOriginal and OffsetTimeOriginal).
extension CaptureDate {
    /// - Parameters:
    ///   - text: `2025:01:31 11:06:47`.
    ///   - offset: `+09:00`; anything else counts as unknown.
    init?(exif text: String, offset: String?) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(of: 4), scanner.skip(":"), let month = scanner.number(of: 2), scanner.skip(":"),
            let day = scanner.number(of: 2), scanner.skip(" "), let hour = scanner.number(of: 2), scanner.skip(":"),
            let minute = scanner.number(of: 2), scanner.skip(":"), let second = scanner.number(of: 2), scanner.isAtEnd
        else { return nil }
        // Of the forms that the scanner reads, only `+09:00` has six characters.
        var zone = DigitScanner(offset ?? "")
        let minutes = offset?.utf8.count == 6 ? zone.zone() : nil
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            utcOffset: zone.isAtEnd ? minutes : nil)
    }

    /// `2025:01:31 11:06:47`
    var exif: String {
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: ":")
        return date + " " + [hour, minute, second].map { padded($0, 2) }.joined(separator: ":")
    }

    /// `+09:00`; nil when the offset is unknown.
    var exifOffset: String? {
        guard let utcOffset else { return nil }
        let (hours, minutes) = utcOffset.magnitude.quotientAndRemainder(dividingBy: 60)
        return (utcOffset < 0 ? "-" : "+") + padded(Int(hours), 2) + ":" + padded(Int(minutes), 2)
    }
}
