package import Bytes
import ISOBMFF

/// `mdhd`: timescale, duration and language of a track's media (ISO/IEC 14496-12, 8.4.2). In `mdia`.
package struct MediaHeaderBox: Box {
    package static var type: FourCC { "mdhd" }
    /// The packed ISO 639-2 code `und`, undetermined.
    package static let undeterminedLanguage: UInt16 = 0x55C4

    package var times: HeaderTimes = .unknown
    /// Ticks a second of the media's own timeline.
    package var timescale: UInt32
    /// In ticks of `timescale`; nil if the file marks it as unknown.
    package var duration: UInt64?
    /// A packed ISO 639-2 code, or below 0x400 a Macintosh language code.
    package var language: UInt16 = MediaHeaderBox.undeterminedLanguage
    package var quality: UInt16 = 0
}

extension MediaHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let (version, _) = try reader.fullBoxHeader(latest: 1)
        times = try HeaderTimes(from: &reader, version: version)
        timescale = try reader.integer()
        duration = try reader.versionedDuration(version)
        language = try reader.integer()
        quality = try reader.integer()
    }

    package func write(to writer: inout ByteWriter) {
        let version = times.version(duration: duration)
        writer.fullBoxHeader(version: version)
        times.write(to: &writer, version: version)
        writer.integer(timescale)
        writer.versionedDuration(duration, version)
        writer.integer(language)
        writer.integer(quality)
    }
}
