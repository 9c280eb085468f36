/// Dates as seconds since 1970, as in file systems. The algorithms are H. Hinnant's `days_from_civil` and
/// `civil_from_days`: years begin in March, so the leap day is the last day.
extension CaptureDate {
    /// Seconds since 1970 in UTC. A date without time zone is taken as UTC.
    package var secondsSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(utcOffset ?? 0) * 60
    }

    /// The local time at a moment; nil for a year outside of 1…9999, or an offset of a day or more.
    ///
    /// - Parameter utcOffset: how many minutes local time is ahead of UTC.
    package init?(secondsSince1970 seconds: Int64, utcOffset: Int = 0) {
        // From the year -29,000 to 33,000; other years have no valid date anyway.
        guard (-1_000_000_000_000...1_000_000_000_000).contains(seconds), (-1439...1439).contains(utcOffset) else {
            return nil
        }
        let local = Int(seconds) + utcOffset * 60
        let secondOfDay = (local % 86_400 + 86_400) % 86_400
        let days = (local - secondOfDay) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: secondOfDay / 3600,
            minute: secondOfDay / 60 % 60, second: secondOfDay % 60, utcOffset: utcOffset)
    }
}
