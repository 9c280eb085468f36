/// When a clip or photo was shot: the local time, to the second.
public struct CaptureDate: Sendable, Hashable {
    /// The year of the Gregorian calendar, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int
    /// The hour in local time, from 0 to 23.
    public let hour: Int
    /// The minute, from 0 to 59.
    public let minute: Int
    /// The second, from 0 to 59; leap seconds and fractions are not represented.
    public let second: Int
    /// How many minutes local time is ahead of UTC; nil if unknown.
    public let utcOffset: Int?

    /// A local time; nil for an invalid date or time, a year outside of 1…9999, or an offset of a day or more.
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
