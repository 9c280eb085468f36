package import Bytes
import ISOBMFF

/// `mvhd`: timescale and duration of the movie (ISO/IEC 14496-12, 8.2.2; QuickTime File Format). In `moov`.
package struct MovieHeaderBox: Box {
    package static var type: FourCC { "mvhd" }

    package var times: HeaderTimes = .unknown
    /// Ticks a second of the movie's own timeline.
    package var timescale: UInt32
    /// In ticks of `timescale`; nil if the file marks it as unknown.
    package var duration: UInt64?
    /// 16.16 fixed point.
    package var preferredRate: Int32 = 1 << 16
    /// 8.8 fixed point.
    package var preferredVolume: Int16 = 1 << 8
    package var matrix: Matrix = .identity
    /// QuickTime's preview, poster, selection and current time, which ISO files hold as zeros.
    package var playbackTimes: [UInt32] = Array(repeating: 0, count: 6)
    package var nextTrackID: UInt32
}

extension MovieHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let (version, _) = try reader.fullBoxHeader(latest: 1)
        times = try HeaderTimes(from: &reader, version: version)
        timescale = try reader.integer()
        duration = try reader.versionedDuration(version)
        preferredRate = try reader.integer()
        preferredVolume = try reader.integer()
        try reader.skip(10)
        matrix = try Matrix(from: &reader)
        playbackTimes = try reader.table(count: 6, entrySize: 4) { (entry) throws(ParseError) in try entry.integer() }
        nextTrackID = try reader.integer()
    }

    package func write(to writer: inout ByteWriter) {
        let version = times.version(duration: duration)
        writer.fullBoxHeader(version: version)
        times.write(to: &writer, version: version)
        writer.integer(timescale)
        writer.versionedDuration(duration, version)
        writer.integer(preferredRate)
        writer.integer(preferredVolume)
        writer.zeros(10)
        matrix.write(to: &writer)
        for time in playbackTimes { writer.integer(time) }
        writer.integer(nextTrackID)
    }
}
