/// A date that begins at a number of a file name: year, month and day, and mostly the time of day.
enum DateInName {
    case time(CaptureDate)
    /// A day without a time, as noon.
    case day(CaptureDate)

    static let years = 1900...2099
    /// For mere digits, which are more often some other number.
    static let yearsOfDigits = 1990...2099

    /// Nil if there is no date, or an impossible day or time.
    init?(_ name: NameBytes, at start: Int) {
        var scanner = name.scanner(at: start)
        guard let day = Day(&scanner), Self.years.contains(day.year) else { return nil }
        // Pixel phones and recordings of Zoom have UTC.
        let isUTC = name.hasPrefix("PXL_") && start == 4 || name.hasPrefix("GMT") && start == 3
        if let time = TimeOfDay(after: day, &scanner), name.isNumberAfterWord(at: start) {
            let offset = isUTC ? 0 : time.utcOffset
            guard let date = day.date(time.hour, time.minute, time.second, utcOffset: offset) else { return nil }
            self = .time(date)
            return
        }
        // The scanner is still behind the day.
        guard !scanner.nextIsDigit, !scanner.nextIsLetter, !name.isAlphanumeric(at: start - 1),
            !day.isDigits || Self.yearsOfDigits.contains(day.year), let noon = day.date(12, 0, 0)
        else { return nil }
        self = .day(noon)
    }
}

/// Numbers for a day, which need not exist.
private struct Day {
    let year: Int
    let month: Int
    let day: Int
    /// Whether nothing separates them.
    let isDigits: Bool

    /// Reads `20250912`, `2025-09-12`, `2025_09_12`, `2025.09.12` or `2025_0912`.
    init?(_ scanner: inout DigitScanner) {
        var ahead = scanner
        guard let year = ahead.number(of: 4) else { return nil }
        self.year = year
        let separator = (["-", "_", "."] as [Unicode.Scalar]).first { ahead.skip($0) }
        guard let month = ahead.number(of: 2) else { return nil }
        self.month = month
        let isHalf = separator == "_" && ahead.nextIsDigit
        if let separator, !isHalf, !ahead.skip(separator) { return nil }
        guard let day = ahead.number(of: 2) else { return nil }
        self.day = day
        isDigits = separator == nil
        if !isDigits, ahead.nextIsDigit { return nil }
        scanner = ahead
    }

    func date(_ hour: Int, _ minute: Int, _ second: Int, utcOffset: Int? = nil) -> CaptureDate? {
        CaptureDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, utcOffset: utcOffset)
    }
}

/// Numbers for a time of day, which need not exist.
private struct TimeOfDay {
    var hour: Int
    let minute: Int
    let second: Int
    var utcOffset: Int?

    /// What separates the day and the time; no text is the beginning of a later one. The words are those of macOS.
    private static let joiners = [
        " - ", " at ", " um ", " om ", " \u{E0} ", " a\u{300} ", " a las ", " alle ", " kl. ", " kl ", " \u{432} ",
        ", ", "_", "-", "T", ".", " ",
    ]
    private static let separators: [Unicode.Scalar] = ["-", ".", "_", ":"]
    /// Space, no-break space and narrow no-break space, or none.
    private static let spaces = [" ", "\u{A0}", "\u{202F}", ""]

    /// Reads what follows a day; if that is no time, the scanner does not move.
    init?(after day: Day, _ scanner: inout DigitScanner) {
        var ahead = scanner
        let joiner = Self.joiners.first { ahead.skip($0) }
        guard joiner != nil || day.isDigits && ahead.nextIsDigit else { return nil }
        if let time = Self.digits(&ahead) {
            self = time
        } else if let joiner, let time = Self.separated(&ahead, after: joiner) {
            self = time
        } else {
            return nil
        }
        utcOffset = Self.zone(&ahead, isISO: joiner == "T")
        scanner = ahead
    }

    private init(hour: Int, minute: Int, second: Int) {
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Reads `134510` or, with milliseconds, `134510123`.
    private static func digits(_ scanner: inout DigitScanner) -> TimeOfDay? {
        var ahead = scanner
        guard let hour = ahead.number(of: 2), let minute = ahead.number(of: 2), let second = ahead.number(of: 2)
        else { return nil }
        if ahead.nextIsDigit {
            guard ahead.number(of: 3) != nil, !ahead.nextIsDigit else { return nil }
        }
        scanner = ahead
        return TimeOfDay(hour: hour, minute: minute, second: second)
    }

    /// Reads `13-45-10`, `13.45.10`, `13_45_10`, `13:45:10`, `13h45m10s` and `1.45.10 PM`. Seconds may be missing after a
    /// word or a blank, and at the end of a name such as `2025-09-12_13-45`: elsewhere the numbers may be others.
    private static func separated(_ scanner: inout DigitScanner, after joiner: String) -> TimeOfDay? {
        var ahead = scanner
        let twoDigits = ahead.number(of: 2)
        guard let hour = twoDigits ?? ahead.number(of: 1) else { return nil }
        let isWritten = ahead.skip("h")
        let separator = separators.first { ahead.skip($0) }
        guard isWritten || separator != nil, let minute = ahead.number(of: 2) else { return nil }
        var time = TimeOfDay(hour: hour, minute: minute, second: 0)
        var more = ahead
        if isWritten ? more.skip("m") : separator.map({ more.skip($0) }) == true, let second = more.number(of: 2) {
            time = TimeOfDay(hour: hour, minute: minute, second: second)
            ahead = more
        } else {
            var rest = ahead
            let isLast = rest.skip(".") || rest.isAtEnd
            let isList =
                ["-", ".", ", ", " - "].contains(joiner)
                || joiner == "_" && (separator == "_" || twoDigits == nil || !isLast)
            guard !isList, !isWritten else { return nil }
        }
        guard !ahead.nextIsDigit else { return nil }
        for space in spaces {
            var half = ahead
            guard half.skip(space) else { continue }
            let isAfternoon = half.skip("PM")
            guard isAfternoon || half.skip("AM"), !half.nextIsLetter else { continue }
            // 13 PM is impossible.
            time.hour = (1...12).contains(hour) ? hour % 12 + (isAfternoon ? 12 : 0) : 99
            ahead = half
            break
        }
        scanner = ahead
        return time
    }

    /// Minutes ahead of UTC: `Z`, ` GMT+2` or, after a time in ISO 8601, `+0200`.
    ///
    /// - Parameter isISO: Whether the time follows a `T`. After other times only `+0200` is a zone: what follows a dash is
    ///   mostly another number.
    private static func zone(_ scanner: inout DigitScanner, isISO: Bool) -> Int? {
        var ahead = scanner
        if ahead.skip("Z") { return ahead.nextIsLetter || ahead.nextIsDigit ? nil : 0 }
        if ahead.skip(" GMT") {
            let isAhead = ahead.skip("+")
            guard isAhead || ahead.skip("-"), let hours = ahead.number(of: 2) ?? ahead.number(of: 1) else { return nil }
            let separated = ahead.skip(":") || ahead.skip("_")
            let minutes = separated ? ahead.number(of: 2) ?? 0 : 0
            return minutes < 60 && hours <= 14 ? (hours * 60 + minutes) * (isAhead ? 1 : -1) : nil
        }
        var plus = ahead
        guard isISO || plus.skip("+"), let minutes = ahead.zone(), !ahead.nextIsDigit, minutes.isMultiple(of: 15),
            abs(minutes) <= 840
        else { return nil }
        return minutes
    }
}
