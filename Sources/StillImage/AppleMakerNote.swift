package import Bytes
package import MediaModel

/// Apple's own part of a photo's Exif: a header and an IFD whose offsets count from the note's first byte, so that the
/// note can be moved unchanged.
///
/// Apple has not published its format; Format.md of this project describes it after photos of several iPhones.
package struct AppleMakerNote: Hashable, Sendable {
    /// All fields. Only the meaning of the content identifier is certain.
    package var fields: IFD

    private static let signature = Array("Apple iOS\0\u{0}\u{1}".utf8)

    /// A note without other fields, which is enough for a pair: 69 bytes.
    package init(contentIdentifier: ContentIdentifier) {
        fields = IFD()
        setContentIdentifier(contentIdentifier)
    }

    /// Whether a MakerNote is Apple's; other makers use other forms.
    package static func isApple(_ note: some Collection<UInt8>) -> Bool {
        note.starts(with: signature)
    }

    /// Reads the note, which is everything left in `reader`.
    package init(from reader: ByteReader) throws(ParseError) {
        fields = try IFD(from: reader, at: Self.headerSize, Self.endianness(of: reader))
    }

    private static let headerSize = signature.count + 2

    private static func endianness(of reader: ByteReader) throws(ParseError) -> ByteReader.Endianness {
        var header = reader
        guard isApple(try header.bytes(signature.count)) else {
            throw reader.error(.invalidValue, expected: "the header of Apple's MakerNote")
        }
        return try header.byteOrderMark()
    }

    /// The content identifier, unchanged: Photos compares it as a string.
    ///
    /// - Returns: nil when the note has none; longer text than a UUID is none.
    /// - Throws: if it is there but cannot be read.
    package func contentIdentifier() throws(ParseError) -> FileText? {
        guard let text = try fields.field(.appleContentIdentifier)?.text,
            text.bytes.count <= ContentIdentifier.byteCount
        else { return nil }
        return text
    }

    /// All other fields stay.
    package mutating func setContentIdentifier(_ identifier: ContentIdentifier) {
        fields[.appleContentIdentifier] = .ascii(.appleContentIdentifier, identifier.string)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.signature)
        writer.text("MM")
        fields.write(to: &writer)
        return writer.bytes
    }

    /// A device's note with another content identifier.
    ///
    /// If the note already holds one, only its characters change, and the note keeps its length.
    package static func setting(_ identifier: ContentIdentifier, in note: [UInt8]) throws(ParseError) -> [UInt8] {
        let reader = ByteReader(note, structure: "Apple MakerNote")
        let field = TIFFField.ascii(.appleContentIdentifier, identifier.string)
        let endianness = try endianness(of: reader)
        let raw = try RawIFD(from: reader, at: headerSize, endianness)
        if raw[field.tag]?.type == field.type.rawValue,
            let range = ownRange(of: field.tag, in: raw, noteSize: note.count, endianness),
            range.count == field.data.count
        {
            return note[..<range.lowerBound] + field.data + note[range.upperBound...]
        }
        var new = try AppleMakerNote(from: reader)
        new.setContentIdentifier(identifier)
        return new.bytes
    }

    /// A device's note without its content identifier, of the same length; nil if the note held nothing else.
    package static func removingContentIdentifier(from note: [UInt8]) throws(ParseError) -> [UInt8]? {
        let reader = ByteReader(note, structure: "Apple MakerNote")
        let endianness = try endianness(of: reader)
        var fields = try RawIFD(from: reader, at: headerSize, endianness)
        var new = note
        if let range = ownRange(of: .appleContentIdentifier, in: fields, noteSize: note.count, endianness) {
            new.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        fields[.appleContentIdentifier] = nil
        guard !fields.entries.isEmpty else { return nil }
        _ = fields.write(to: &new, endianness)
        return new
    }

    /// The range of this tag's value; nil if the value is in its entry, or shares bytes with something else, as in a
    /// hostile note.
    private static func ownRange(
        of tag: TIFFTag, in fields: RawIFD, noteSize: Int, _ endianness: ByteReader.Endianness
    ) -> Range<Int>? {
        guard let range = fields[tag]?.valueRange(in: noteSize, endianness) else { return nil }
        let used = [0..<headerSize] + fields.usedRanges(in: noteSize, endianness)
        return used.count(where: range.overlaps) == 1 ? range : nil
    }
}
