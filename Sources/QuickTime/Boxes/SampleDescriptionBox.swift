package import Bytes
import ISOBMFF

/// `stsd`: the formats of the samples (ISO/IEC 14496-12, 8.5.2). In `stbl`.
///
/// The entries are kept as bytes, so that those of other writers stay unchanged; `firstEntry(as:)` reads one.
package struct SampleDescriptionBox: Box {
    package static var type: FourCC { "stsd" }

    package var version: UInt8 = 0
    package var entries: [OpaqueBox]
    /// How many more entries the count claims than there are. A program that copies a track of unknown format may write
    /// none.
    package private(set) var missingEntries: UInt32 = 0

    /// The number of entries that the box claims.
    package var declaredCount: UInt32 {
        let (count, overflow) = UInt32(clamping: entries.count).addingReportingOverflow(missingEntries)
        return overflow ? .max : count
    }

    package init(_ entry: some SampleEntry) {
        entries = [OpaqueBox(entry.type) { entry.write(to: &$0) }]
    }

    /// The first entry, read as `Entry`; nil if there is none.
    package func firstEntry<Entry: SampleEntry>(as _: Entry.Type = Entry.self) throws(ParseError) -> Entry? {
        guard let box = entries.first else { return nil }
        var reader = box.reader
        let entry = try Entry(type: box.type, from: &reader)
        try reader.finishPadded()
        return entry
    }
}

extension SampleDescriptionBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        version = try reader.fullBoxHeader(latest: 1).version
        let count = try reader.integer(UInt32.self)
        entries = []
        while entries.count < count, let child = try reader.nextBox() { entries.append(OpaqueBox(child)) }
        missingEntries = count - UInt32(entries.count)
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader(version: version)
        writer.integer(declaredCount)
        writer.boxes(entries)
    }
}

/// One entry of `stsd`: a box whose type is the format of the samples (ISO/IEC 14496-12, 8.5.2.2).
package protocol SampleEntry: Sendable, Equatable {
    var type: FourCC { get }
    /// Reads what follows size and type.
    init(type: FourCC, from reader: inout ByteReader) throws(ParseError)
    func write(to writer: inout ByteWriter)
}

extension ByteReader {
    /// The six reserved bytes and the data reference index, with which every entry begins.
    mutating func dataReferenceIndex() throws(ParseError) -> UInt16 {
        try skip(6)
        return try integer()
    }
}

extension ByteWriter {
    mutating func dataReferenceIndex(_ index: UInt16) {
        zeros(6)
        integer(index)
    }
}
