import MediaModel

/// Dates as Exif writes them (CIPA DC-008 4.6.6 and 4.6.5, DateTimeOriginal and OffsetTimeOriginal).
extension CaptureDate {
    /// - Parameters:
    ///   - text: `2025:01:31 11:06:47`.
    ///   - offset: `+09:00`; anything else counts as unknown.
    init?(exif text: String, offset: String?) {
        guard let fields = text.digitGroups("dddd:dd:dd dd:dd:dd") else { return nil }
        self.init(
            year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4], second: fields[5],
            utcOffset: offset.flatMap(Self.minutes))
    }

    private static func minutes(ofOffset text: String) -> Int? {
        if let fields = text.digitGroups("+dd:dd"), fields[1] < 60 { return fields[0] * 60 + fields[1] }
        if let fields = text.digitGroups("-dd:dd"), fields[1] < 60 { return -(fields[0] * 60 + fields[1]) }
        return nil
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

extension String {
    /// The numbers at the runs of `d` in `pattern`, if the text has a digit for each `d` and otherwise the same
    /// characters.
    fileprivate func digitGroups(_ pattern: String) -> [Int]? {
        guard utf8.count == pattern.utf8.count else { return nil }
        var groups: [Int] = []
        var isInGroup = false
        for (byte, expected) in zip(utf8, pattern.utf8) {
            guard expected == UInt8(ascii: "d") else {
                guard byte == expected else { return nil }
                isInGroup = false
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Int(byte - UInt8(ascii: "0"))
            groups.append(isInGroup ? groups.removeLast() * 10 + digit : digit)
            isInGroup = true
        }
        return groups
    }
}
