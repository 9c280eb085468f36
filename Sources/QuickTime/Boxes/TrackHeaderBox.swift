package import Bytes
import ISOBMFF

/// `tkhd`: identity, duration and geometry of a track (ISO/IEC 14496-12, 8.3.2). In `trak`.
package struct TrackHeaderBox: Box {
    package static var type: FourCC { "tkhd" }

    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let enabled = Flags(rawValue: 1)
        package static let inMovie = Flags(rawValue: 2)
        package static let inPreview = Flags(rawValue: 4)
        package static let inPoster = Flags(rawValue: 8)
        /// The flags that cameras write.
        package static let all: Flags = [.enabled, .inMovie, .inPreview, .inPoster]
    }

    package var flags: Flags = .all
    package var times: HeaderTimes = .unknown
    package var trackID: UInt32
    /// In ticks of the movie's timescale; nil if the file marks it as unknown.
    package var duration: UInt64?
    package var layer: Int16 = 0
    package var alternateGroup: Int16 = 0
    /// 8.8 fixed point; 0 for media other than sound.
    package var volume: Int16 = 0
    package var matrix: Matrix = .identity
    /// The display size before the matrix is applied.
    package var size: FixedSize = .zero
}

extension TrackHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let (version, flags) = try reader.fullBoxHeader(latest: 1)
        self.flags = Flags(rawValue: flags)
        times = try HeaderTimes(from: &reader, version: version)
        trackID = try reader.integer()
        try reader.skip(4)
        duration = try reader.versionedDuration(version)
        try reader.skip(8)
        layer = try reader.integer()
        alternateGroup = try reader.integer()
        volume = try reader.integer()
        try reader.skip(2)
        matrix = try Matrix(from: &reader)
        size = try FixedSize(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        let version = times.version(duration: duration)
        writer.fullBoxHeader(version: version, flags: flags.rawValue)
        times.write(to: &writer, version: version)
        writer.integer(trackID)
        writer.zeros(4)
        writer.versionedDuration(duration, version)
        writer.zeros(8)
        writer.integer(layer)
        writer.integer(alternateGroup)
        writer.integer(volume)
        writer.zeros(2)
        matrix.write(to: &writer)
        size.write(to: &writer)
    }
}
