#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zone of the system, or of the environment variable TZ.
enum LocalTimeZone {
    /// How many minutes local time was ahead of UTC at a moment.
    static func utcOffset(atSecondsSince1970 seconds: Int) -> Int {
        var time = time_t(seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else { return 0 }
        return parts.tm_gmtoff / 60
    }
}
