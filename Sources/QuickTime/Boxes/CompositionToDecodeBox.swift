package import ISOBMFF

/// `cslg`: the range of composition offsets and times (ISO/IEC 14496-12, 8.6.1.4; QuickTime File Format,
/// "Composition shift least greatest atom"). In `stbl`, beside `ctts`. All in ticks of the media's timescale.
package struct CompositionToDecodeBox: Box {
    package static var type: FourCC { "cslg" }

    /// What to add to composition times so that none is before its decode time.
    package var shift: Int64
    package var leastOffset: Int64
    package var greatestOffset: Int64
    package var compositionStart: Int64
    /// Composition time plus duration of the sample that is shown last.
    package var compositionEnd: Int64
}

extension CompositionToDecodeBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let (version, _) = try reader.fullBoxHeader(latest: 1)
        let fields = try reader.table(count: 5, entrySize: version == 0 ? 4 : 8) { (entry) throws(ParseError) in
            version == 0 ? Int64(try entry.integer(Int32.self)) : try entry.integer(Int64.self)
        }
        shift = fields[0]
        leastOffset = fields[1]
        greatestOffset = fields[2]
        compositionStart = fields[3]
        compositionEnd = fields[4]
    }

    package func write(to writer: inout ByteWriter) {
        let fields = [shift, leastOffset, greatestOffset, compositionStart, compositionEnd]
        let version: UInt8 = fields.allSatisfy { Int32(exactly: $0) != nil } ? 0 : 1
        writer.fullBoxHeader(version: version)
        for field in fields { writer.versioned(UInt64(bitPattern: field), version) }
    }
}
