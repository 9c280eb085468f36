/// The capture date in a file name, as phones, cameras, messengers and screen recorders write it.
package struct FileNameDate: Sendable, Hashable {
    /// The local time, whose offset is unknown; UTC with offset 0 in names that are known to have it.
    package let date: CaptureDate
    /// False for a name with only a day. The time is then noon, which is on the same day in nearly all time zones.
    package let hasTime: Bool

    /// Nil for a name without a date, with an impossible one, or with several days.
    ///
    /// - Parameter name: the name of a file, with or without its extension.
    package init?(_ name: String) {
        let name = NameBytes(name)
        guard !name.hasUUID else { return nil }
        if let date = UnixTimeName.date(in: name) ?? OtherOrder.date(in: name) {
            (self.date, hasTime) = (date, true)
            return
        }
        var days: Set<CaptureDate> = []
        for start in name.numbers {
            switch DateInName(name, at: start) {
            case .time(let date):
                (self.date, hasTime) = (date, true)
                return
            case .day(let noon): days.insert(noon)
            case nil: break
            }
        }
        guard let day = days.first, days.count == 1 else { return nil }
        (date, hasTime) = (day, false)
    }
}

/// Numbers with a known prefix that count from 1970: recordings of the screen by iOS, and files saved by messengers.
private enum UnixTimeName {
    /// The prefix, and the number of digits: 10 for seconds, 13 for milliseconds.
    static let prefixes: [(text: String, digits: Int)] = [
        ("RPReplay_Final", 10), ("FB_IMG_", 13), ("mmexport", 13), ("wx_camera_", 13), ("LINE_MOVIE_", 13),
    ]

    static func date(in name: NameBytes) -> CaptureDate? {
        for prefix in prefixes where name.hasPrefix(prefix.text) {
            var scanner = name.scanner(at: prefix.text.utf8.count)
            guard let number = scanner.number(of: prefix.digits), !scanner.nextIsDigit else { return nil }
            let seconds = Int64(prefix.digits == 13 ? number / 1000 : number)
            return CaptureDate(secondsSince1970: seconds).flatMap {
                DateInName.yearsOfDigits.contains($0.year) ? $0 : nil
            }
        }
        return nil
    }
}

/// Names that do not begin with the year, of programs that always write this order.
private enum OtherOrder {
    static func date(in name: NameBytes) -> CaptureDate? {
        // iOS: ScreenRecording_09-30-2025 13-45-10_1.MP4
        let recording = "ScreenRecording_"
        if name.hasPrefix(recording) {
            return date(name.scanner(at: recording.utf8.count), isMonthFirst: true, joiner: " ")
        }
        // Export of Telegram Desktop: video_1@30-09-2025_13-45-10.mp4
        let start = name.numbers.first { $0 > 0 && name.bytes[$0 - 1] == UInt8(ascii: "@") }
        return start.flatMap { date(name.scanner(at: $0), isMonthFirst: false, joiner: "_") }
    }

    private static func date(_ start: DigitScanner, isMonthFirst: Bool, joiner: Unicode.Scalar) -> CaptureDate? {
        var scanner = start
        guard let first = scanner.number(of: 2), scanner.skip("-"), let second = scanner.number(of: 2),
            scanner.skip("-"), let year = scanner.number(of: 4), DateInName.years.contains(year),
            scanner.skip(joiner), let hour = scanner.number(of: 2), scanner.skip("-"),
            let minute = scanner.number(of: 2), scanner.skip("-"), let last = scanner.number(of: 2),
            !scanner.nextIsDigit
        else { return nil }
        let (month, day) = isMonthFirst ? (first, second) : (second, first)
        return CaptureDate(year: year, month: month, day: day, hour: hour, minute: minute, second: last)
    }
}

/// A file name as bytes, to look at what is before and after its numbers.
struct NameBytes {
    let bytes: [UInt8]

    init(_ name: String) {
        bytes = Array(name.utf8)
    }

    /// The index of each number's first digit.
    var numbers: [Int] { bytes.indices.filter { bytes[$0].isDigit && ($0 == 0 || !bytes[$0 - 1].isDigit) } }

    func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

    func scanner(at index: Int) -> DigitScanner { DigitScanner(bytes[index...]) }

    /// Whether the byte at the index is a letter or digit of ASCII. False outside of the name.
    func isAlphanumeric(at index: Int) -> Bool {
        bytes.indices.contains(index) && (bytes[index].isDigit || bytes[index].isLetter)
    }

    /// Whether a number follows a separator or a word, as in `IMG20250912134510`, not a part of a hash.
    func isNumberAfterWord(at start: Int) -> Bool {
        let letters = bytes[..<start].reversed().prefix { $0.isLetter }.count
        return letters == 0 || letters > 1 && !isAlphanumeric(at: start - letters - 1)
    }

    /// Whether 8, 4, 4, 4 and 12 hexadecimal digits follow each other, whose digits are not a date.
    var hasUUID: Bool {
        let dashes = [8, 13, 18, 23]
        guard bytes.count >= 36 else { return false }
        return (0...(bytes.count - 36)).contains { start in
            (0..<36).allSatisfy { index in
                let byte = bytes[start + index]
                return dashes.contains(index)
                    ? byte == UInt8(ascii: "-")
                    : byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            }
        }
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// Of ASCII.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
