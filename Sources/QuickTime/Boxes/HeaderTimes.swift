import Bytes
import ISOBMFF
package import MediaModel

/// The creation and modification times of a movie, a track or its media, in `mvhd`, `tkhd` and `mdhd`.
package struct HeaderTimes: Sendable, Hashable {
    /// Unknown times, so that equal movies have equal bytes.
    package static let unknown = HeaderTimes(creation: 0, modification: 0)

    /// Seconds since 1904-01-01 UTC; 0 if unknown.
    package var creation: UInt64
    package var modification: UInt64

    package init(creation: UInt64, modification: UInt64) {
        self.creation = creation
        self.modification = modification
    }

    private static let from1904To1970: Int64 = 2_082_844_800

    /// A date as both times; nil for dates before 1904.
    package init?(_ date: CaptureDate) {
        guard let seconds = UInt64(exactly: date.secondsSince1970 + Self.from1904To1970) else { return nil }
        self.init(creation: seconds, modification: seconds)
    }

    /// The creation time in UTC. Nil until the first day of 1970, which is the time of a clock that was not set.
    package var captureDate: CaptureDate? {
        guard let seconds = Int64(exactly: creation), seconds >= Self.from1904To1970 + 86_400 else { return nil }
        return CaptureDate(secondsSince1970: seconds - Self.from1904To1970)
    }

    /// The version of a box with these times and this duration: 1 if one of them needs 64 bits, otherwise 0.
    func version(duration: UInt64?) -> UInt8 {
        let isShort = max(creation, modification) <= UInt32.max && (duration ?? 0) < UInt32.max
        return isShort ? 0 : 1
    }
}

extension HeaderTimes {
    init(from reader: inout ByteReader, version: UInt8) throws(ParseError) {
        creation = try reader.versioned(version)
        modification = try reader.versioned(version)
    }

    func write(to writer: inout ByteWriter, version: UInt8) {
        writer.versioned(creation, version)
        writer.versioned(modification, version)
    }
}
