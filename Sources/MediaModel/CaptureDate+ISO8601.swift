/// Dates in ISO 8601, as in QuickTime's key `creationdate`.
extension CaptureDate {
    /// Reads `2025-10-12T23:36:14+1300`, `2025-10-12 23:36:14.5+13:00` and `2025-10-12T10:36:14Z`; without a zone the
    /// offset is unknown. Nil for anything else, including a date without a time of day.
    public init?(iso8601 text: String) { self.init(iso8601: FileText(text)) }

    package init?(iso8601 text: FileText) {
        var scanner = DigitScanner(text.bytes[...])
        guard let year = scanner.number(of: 4), scanner.skip("-"), let month = scanner.number(of: 2), scanner.skip("-"),
            let day = scanner.number(of: 2), scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(of: 2),
            scanner.skip(":"), let minute = scanner.number(of: 2), scanner.skip(":"),
            let second = scanner.number(of: 2)
        else { return nil }
        if scanner.skip(".") { while scanner.number(of: 1) != nil {} }
        var offset: Int?
        if !scanner.isAtEnd {
            guard let minutes = scanner.zone(), scanner.isAtEnd else { return nil }
            offset = minutes
        }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second, utcOffset: offset)
    }

    /// The date as text, as devices write it: `2025-10-12T23:36:14+1300`; without a zone if it is unknown.
    public var iso8601: String {
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
        guard let utcOffset else { return "\(date)T\(time)" }
        let (hours, minutes) = Int(utcOffset.magnitude).quotientAndRemainder(dividingBy: 60)
        return "\(date)T\(time)\(utcOffset < 0 ? "-" : "+")\(padded(hours, 2))\(padded(minutes, 2))"
    }
}

/// Reads numbers and separators of a date.
package struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    package var isAtEnd: Bool { rest.isEmpty }
    var nextIsDigit: Bool { rest.first?.isDigit ?? false }
    /// Of ASCII.
    var nextIsLetter: Bool { rest.first?.isLetter ?? false }

    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    /// Exactly so many digits.
    package mutating func number(of digits: Int) -> Int? {
        let run = rest.prefix(digits)
        guard run.count == digits, run.allSatisfy(\.isDigit) else { return nil }
        rest.removeFirst(digits)
        return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The minutes of `Z`, `+1300`, `+13:00` or `+13`.
    package mutating func zone() -> Int? {
        if skip("Z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(of: 2) else { return nil }
        _ = skip(":")
        guard let minutes = isAtEnd ? 0 : number(of: 2), minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
}
