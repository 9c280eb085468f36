package import Bytes
import ISOBMFF

/// `elst`: the parts of the media that the track shows, and when (ISO/IEC 14496-12, 8.6.6). In `edts`.
package struct EditListBox: Box {
    package static var type: FourCC { "elst" }

    package struct Entry: Sendable, Hashable {
        /// In ticks of the movie's timescale.
        package var duration: UInt64
        /// The media time at which the edit begins, in ticks of the media's timescale; nil for an empty edit, which
        /// shows nothing.
        package var mediaTime: Int64?
        /// 16.16 fixed point.
        package var rate: Int32

        package init(duration: UInt64, mediaTime: Int64?, rate: Int32 = 1 << 16) {
            self.duration = duration
            self.mediaTime = mediaTime
            self.rate = rate
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }
}

extension EditListBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let (version, _) = try reader.fullBoxHeader(latest: 1)
        entries = try reader.countedTable(entrySize: version == 0 ? 12 : 20) { (entry) throws(ParseError) in
            let duration = try entry.versioned(version)
            let mediaTime = version == 0 ? Int64(try entry.integer(Int32.self)) : try entry.integer(Int64.self)
            return Entry(
                duration: duration, mediaTime: mediaTime == -1 ? nil : mediaTime, rate: try entry.integer())
        }
    }

    package func write(to writer: inout ByteWriter) {
        let isShort = entries.allSatisfy { $0.duration <= UInt32.max && Int32(exactly: $0.mediaTime ?? -1) != nil }
        let version: UInt8 = isShort ? 0 : 1
        writer.fullBoxHeader(version: version)
        writer.count(entries)
        for entry in entries {
            writer.versioned(entry.duration, version)
            writer.versioned(UInt64(bitPattern: entry.mediaTime ?? -1), version)
            writer.integer(entry.rate)
        }
    }
}
