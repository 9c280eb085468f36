/// When a clip or photo was shot: the local time, to the second.
public struct CaptureDate: Sendable, Hashable {
    public let year: Int
    public let month: Int
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int
    /// Minutes ahead of UTC; nil if unknown.
    public let utcOffset: Int?

    /// Nil for an invalid date or time, a year outside of 1…9999, or an offset of a day or more.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, utcOffset: Int? = nil) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(year: year, month: month)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            (-1439...1439).contains(utcOffset ?? 0)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.utcOffset = utcOffset
    }

    private static func days(year: Int, month: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
