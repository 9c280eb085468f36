package import Bytes
import ISOBMFF

/// `dref`: the files that hold a track's samples (QuickTime File Format, "Data reference atoms"; ISO/IEC 14496-12,
/// 8.7.2). In `dinf`.
package struct DataReferenceBox: Box {
    package static var type: FourCC { "dref" }

    package struct Entry: Sendable, Hashable {
        /// `alis`, `rsrc`, `url `.
        package var type: FourCC
        package var flags: UInt32
        package var data: [UInt8]

        package init(type: FourCC, flags: UInt32, data: [UInt8]) {
            self.type = type
            self.flags = flags
            self.data = data
        }

        /// Whether the samples are in the file that contains the reference. One that names no file means that too.
        package var isSameFile: Bool { flags & 1 != 0 || data.isEmpty }
    }

    package var entries: [Entry]

    static let sameFile = DataReferenceBox(entries: [Entry(type: "alis", flags: 1, data: [])])
}

extension DataReferenceBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        let count = try reader.integer(UInt32.self)
        entries = []
        for _ in 0..<count {
            guard let child = try reader.nextBox() else {
                throw reader.error(.truncated, expected: "\(count) references, found \(entries.count)")
            }
            var payload = child.payload
            let flags = try payload.fullBoxHeader(latest: .max).flags
            entries.append(Entry(type: child.type, flags: flags, data: payload.rest()))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.count(entries)
        for entry in entries {
            writer.box(entry.type) { box in
                box.fullBoxHeader(flags: entry.flags)
                box.append(entry.data)
            }
        }
    }
}
