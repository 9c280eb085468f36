package import ISOBMFF

/// `stsd`: what the samples are (ISO/IEC 14496-12, 8.5.2). In `stbl`.
///
/// The entries are kept as they are, so that those of foreign movies survive unchanged; `entry(_:as:)` reads one.
package struct SampleDescriptionBox: Box {
    package static var type: FourCC { "stsd" }

    package var version: UInt8 = 0
    package var entries: [OpaqueBox]
    /// How many entries more than there are the count claims: a copy of a track whose format the copier does not know
    /// has none at all.
    package private(set) var missingEntries: UInt32 = 0

    /// How many entries the box says that it has.
    package var declaredCount: UInt32 {
        let (count, overflow) = UInt32(clamping: entries.count).addingReportingOverflow(missingEntries)
        return overflow ? .max : count
    }

    package init(_ entry: some SampleEntry) {
        var writer = ByteWriter()
        entry.write(to: &writer)
        entries = [OpaqueBox(type: entry.type, payload: writer.bytes)]
    }

    /// The first entry as what it has to be in a track of its kind; nil where there is none.
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
