package import MediaModel

extension CaptureDate {
    /// Seconds since 1970 in UTC; a date of unknown zone is taken as UTC's.
    package var secondsSince1970: Int64 {
        // Days from civil: years begin in March, so that a leap day ends one (H. Hinnant).
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(utcOffset ?? 0) * 60
    }
}
