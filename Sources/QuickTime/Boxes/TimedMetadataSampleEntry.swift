package import Bytes
import ISOBMFF
package import MediaModel

/// `mebx`: the keys of a timed metadata track (QuickTime File Format, "Timed metadata"). In `stsd`.
///
/// A sample of such a track is a sequence of [u32 size, u32 local key id, value].
package struct TimedMetadataSampleEntry: SampleEntry {
    package static var type: FourCC { "mebx" }

    package struct Key: Sendable, Equatable {
        /// The number that identifies the key in the samples.
        package var localID: UInt32
        package var key: MetadataKey
        package var dataType: DataType
        /// For example `setu`, the setup data of the writer.
        package var others: [OpaqueBox] = []
    }

    package enum DataType: Sendable, Hashable {
        case wellKnown(MetadataType)
        /// In a name space other than 0, such as a reverse-DNS name in name space 1.
        case named(space: UInt32, FileText)
    }

    package var dataReferenceIndex: UInt16 = 1
    package var keys: [Key]
    package var others: [OpaqueBox] = []

    package var type: FourCC { Self.type }
}

extension TimedMetadataSampleEntry {
    private static let keysType: FourCC = "keys"

    package init(type: FourCC, from reader: inout ByteReader) throws(ParseError) {
        guard type == Self.type else { throw reader.error(.unsupported, expected: "\(Self.type), found \(type)") }
        dataReferenceIndex = try reader.dataReferenceIndex()
        var keys: [Key]?
        while let child = try reader.nextBox() {
            guard child.type == Self.keysType, keys == nil else {
                others.append(OpaqueBox(child))
                continue
            }
            var table = child.payload
            var found: [Key] = []
            while let key = try table.nextBox() { found.append(try Key(key)) }
            try table.finishPadded()
            keys = found
        }
        guard let keys else { throw reader.missing(Self.keysType) }
        self.keys = keys
    }

    package func write(to writer: inout ByteWriter) {
        writer.dataReferenceIndex(dataReferenceIndex)
        writer.box(Self.keysType) { table in
            for key in keys { key.write(to: &table) }
        }
        writer.boxes(others)
    }
}

extension TimedMetadataSampleEntry.Key {
    private static let nameType: FourCC = "keyd"
    private static let dataTypeType: FourCC = "dtyp"

    /// Reads it; the type of its box is the local id.
    fileprivate init(_ box: ChildBox) throws(ParseError) {
        localID = box.type.rawValue
        var reader = box.payload
        var key: MetadataKey?
        var dataType: TimedMetadataSampleEntry.DataType?
        while let child = try reader.nextBox() {
            var payload = child.payload
            switch child.type {
            case Self.nameType where key == nil: key = try MetadataKey(from: &payload)
            case Self.dataTypeType where dataType == nil:
                dataType = try TimedMetadataSampleEntry.DataType(from: &payload)
            default: others.append(OpaqueBox(child))
            }
        }
        try reader.finishPadded()
        guard let key else { throw reader.missing(Self.nameType) }
        guard let dataType else { throw reader.missing(Self.dataTypeType) }
        self.key = key
        self.dataType = dataType
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.box(FourCC(rawValue: localID)) { box in
            box.box(Self.nameType) { key.write(to: &$0) }
            box.box(Self.dataTypeType) { dataType.write(to: &$0) }
            box.boxes(others)
        }
    }
}

extension TimedMetadataSampleEntry.DataType {
    init(from reader: inout ByteReader) throws(ParseError) {
        let space = try reader.integer(UInt32.self)
        if space == 0 {
            self = .wellKnown(MetadataType(rawValue: try reader.integer()))
        } else {
            self = .named(space: space, FileText(reader.rest()))
        }
    }

    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .wellKnown(let type):
            writer.integer(UInt32(0))
            writer.integer(type.rawValue)
        case .named(let space, let name):
            writer.integer(space)
            writer.append(name.bytes)
        }
    }
}
