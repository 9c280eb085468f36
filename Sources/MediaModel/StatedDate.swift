/// The capture date that a file states, which is never replaced unasked.
package enum StatedDate: Hashable, Sendable {
    case date(CaptureDate)
    /// Text that is no date of a known form.
    case unreadable(FileText)

    /// Nil for text that states no date: spaces and zeros, which some cameras write without a clock.
    ///
    /// - Parameter offset: the zone if the text has none, such as `+09:00`; nil or other text if it is unknown.
    package init?(_ text: FileText, offset: FileText? = nil) {
        if let date = CaptureDate(stated: text, offset: offset) {
            self = .date(date)
        } else {
            let blanks = Set("0:-/.,TZ+\0 \t\r\n".utf8)
            guard text.bytes.contains(where: { !blanks.contains($0) }) else { return nil }
            self = .unreadable(text)
        }
    }

    /// Nil for an unreadable date.
    package var date: CaptureDate? {
        if case .date(let date) = self { date } else { nil }
    }
}

extension CaptureDate {
    /// Reads what programs write instead of the form that a field should have: `2025:01:31 11:06:47`, also with `-`, `/`
    /// or `.` in the day, `T` before the time, a zone, a fraction or spaces, and without seconds. A day alone is noon.
    fileprivate init?(stated text: FileText, offset: FileText?) {
        let blanks = Set(" \t\r\n".utf8)
        var rest = text.bytes.drop { blanks.contains($0) }
        while let last = rest.last, last == 0 || blanks.contains(last) { rest.removeLast() }
        var scanner = DigitScanner(rest)
        let separators: [Unicode.Scalar] = [":", "-", "/", "."]
        guard let year = scanner.number(of: 4), let separator = separators.first(where: { scanner.skip($0) }),
            let month = scanner.number(of: 2), scanner.skip(separator), let day = scanner.number(of: 2)
        else { return nil }
        guard !scanner.isAtEnd else {
            self.init(year: year, month: month, day: day, hour: 12, minute: 0, second: 0)
            return
        }
        guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(of: 2), scanner.skip(":"),
            let minute = scanner.number(of: 2)
        else { return nil }
        var second = 0
        if scanner.skip(":") {
            guard let number = scanner.number(of: 2) else { return nil }
            second = number
            if scanner.skip(".") || scanner.skip(",") { while scanner.number(of: 1) != nil {} }
        }
        _ = scanner.skip(" ")
        var zone = Self.zone(offset)
        if !scanner.isAtEnd {
            guard let minutes = scanner.zone(), scanner.isAtEnd else { return nil }
            zone = minutes
        }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second, utcOffset: zone)
    }

    /// Of the forms that the scanner reads, only `+09:00` has six characters.
    private static func zone(_ offset: FileText?) -> Int? {
        guard let offset, offset.bytes.count == 6 else { return nil }
        var scanner = DigitScanner(offset.bytes[...])
        let minutes = scanner.zone()
        return scanner.isAtEnd ? minutes : nil
    }
}
