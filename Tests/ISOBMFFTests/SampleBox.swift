import Bytes
import ISOBMFF
import Testing

/// A full box whose versions 0 and 1 have a number of 32 and 64 bits.
struct SampleBox: Box {
    static var type: FourCC { "smpl" }

    var number: UInt64

    init(from reader: inout ByteReader) throws(ParseError) {
        let (version, _) = try reader.fullBoxHeader(latest: 1)
        number = try reader.versioned(version)
    }

    func write(to writer: inout ByteWriter) {
        let version: UInt8 = number > UInt32.max ? 1 : 0
        writer.fullBoxHeader(version: version, flags: 5)
        writer.versioned(number, version)
    }

    /// Reads the box, and nothing else, from `bytes`.
    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, structure: "test")
        guard let child = try reader.nextBox() else { throw reader.missing(Self.type) }
        #expect(child.type == Self.type)
        try reader.finish()
        self = try child.read()
    }
}
