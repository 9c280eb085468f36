package import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zone of the system, or of the environment variable TZ.
package enum LocalTimeZone {
    /// How many minutes local time was ahead of UTC at a moment.
    static func utcOffset(atSecondsSince1970 seconds: Int) -> Int {
        var time = time_t(seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else { return 0 }
        return parts.tm_gmtoff / 60
    }

    /// The moment of a date, which is local time if it has no zone.
    package static func secondsSince1970(_ date: CaptureDate) -> Int64 {
        let seconds = date.secondsSince1970
        guard date.utcOffset == nil else { return seconds }
        // The offset at that moment, which is known only by the offset.
        var moment = seconds
        for _ in 0..<2 { moment = seconds - Int64(utcOffset(atSecondsSince1970: Int(moment)) * 60) }
        return moment
    }
}
