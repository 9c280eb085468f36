package import Bytes
import ISOBMFF

/// `stsz`: the size of each sample (ISO/IEC 14496-12, 8.7.3.2). In `stbl`. `stz2`, its compact form (8.7.3.3), is
/// read as well.
package struct SampleSizeBox: Box {
    package static var type: FourCC { "stsz" }
    static var compactType: FourCC { "stz2" }

    package enum Sizes: Sendable, Hashable {
        /// All samples have `size` bytes, at least 1. There is no table to check the count against.
        case uniform(size: UInt32, count: UInt32)
        case each([UInt32])
    }

    package var sizes: Sizes

    package var count: Int {
        switch sizes {
        case .uniform(_, let count): Int(count)
        case .each(let sizes): sizes.count
        }
    }

    /// The size of one sample, counted from 0.
    subscript(index: Int) -> Int {
        switch sizes {
        case .uniform(let size, _): Int(size)
        case .each(let sizes): Int(sizes[index])
        }
    }

    /// The total size of some samples; uniform sizes have been checked against the size of the file.
    func sum(_ indices: Range<Int>) -> Int {
        switch sizes {
        case .uniform(let size, _): indices.count * Int(size)
        case .each(let sizes): sizes[indices].reduce(0) { $0 + Int($1) }
        }
    }

    init(_ sizes: [UInt32]) {
        if let first = sizes.first, first > 0, sizes.allSatisfy({ $0 == first }) {
            self.sizes = .uniform(size: first, count: UInt32(clamping: sizes.count))
        } else {
            self.sizes = .each(sizes)
        }
    }
}

extension SampleSizeBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        let size = try reader.integer(UInt32.self)
        if size == 0 {
            sizes = .each(
                try reader.countedTable(entrySize: 4) { (entry) throws(ParseError) in try entry.integer() })
        } else {
            sizes = .uniform(size: size, count: try reader.integer())
        }
    }

    /// Reads `stz2`: sizes of 4, 8 or 16 bits.
    init(compact child: ChildBox) throws(ParseError) {
        var reader = child.payload
        _ = try reader.fullBoxHeader()
        let width = try reader.integer(UInt32.self) & 0xFF
        switch width {
        case 4:
            let count = Int(try reader.integer(UInt32.self))
            let pairs = try reader.table(count: count / 2 + count % 2, entrySize: 1) { (entry) throws(ParseError) in
                let pair = try entry.integer(UInt8.self)
                return [UInt32(pair >> 4), UInt32(pair & 0xF)]
            }
            sizes = .each(Array(pairs.joined().prefix(count)))
        case 8, 16:
            let bytes = Int(width / 8)
            sizes = .each(
                try reader.countedTable(entrySize: bytes) { (entry) throws(ParseError) in
                    UInt32(try entry.bigEndian(width: bytes))
                })
        default:
            throw reader.error(.invalidValue, expected: "sizes of 4, 8 or 16 bits, found \(width)")
        }
        try reader.finishPadded()
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        switch sizes {
        case .uniform(let size, let count):
            writer.integer(size)
            writer.integer(count)
        case .each(let sizes):
            writer.integer(UInt32(0))
            writer.count(sizes)
            for size in sizes { writer.integer(size) }
        }
    }
}
