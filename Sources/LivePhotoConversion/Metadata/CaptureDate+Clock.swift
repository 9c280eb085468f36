import MediaModel
import QuickTime

extension CaptureDate {
    /// The same for a movie's headers, which count from 1904; nil for earlier dates.
    var headerTimes: HeaderTimes? {
        let from1904To1970: Int64 = 2_082_844_800
        return UInt64(exactly: secondsSince1970 + from1904To1970).map { HeaderTimes(creation: $0, modification: $0) }
    }
}
