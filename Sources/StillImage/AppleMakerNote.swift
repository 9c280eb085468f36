package import Bytes
package import MediaModel

/// Apple's own part of a photo's Exif: a header and an IFD whose offsets count from the note's first byte, so that
/// the note can be moved as it is.
///
/// Not published; FORMAT 3.1 of this project, read off photos of several iPhones.
package struct AppleMakerNote: Hashable, Sendable {
    /// All fields, of which only the content identifier is known for sure.
    package var fields: IFD

    private static let signature = Array("Apple iOS\0\u{0}\u{1}".utf8)

    /// A note with nothing else in it, which is enough for a pair: 69 bytes.
    package init(contentIdentifier: ContentIdentifier) {
        fields = IFD()
        setContentIdentifier(contentIdentifier)
    }

    /// Whether a MakerNote is Apple's: the other makers' have forms of their own.
    package static func isApple(_ note: some Collection<UInt8>) -> Bool {
        note.starts(with: signature)
    }

    /// Reads the note that is all of what `reader` has left.
    package init(from reader: ByteReader) throws(ParseError) {
        var header = reader
        guard Self.isApple(try header.bytes(Self.signature.count)) else {
            throw reader.error(.invalidValue, expected: "the header of Apple's MakerNote")
        }
        let endianness: ByteReader.Endianness
        switch try header.integer(UInt16.self) {
        case 0x4D4D: endianness = .big
        case 0x4949: endianness = .little
        default: throw reader.error(.invalidValue, expected: "the byte order mark of Apple's MakerNote, MM or II")
        }
        fields = try IFD(from: reader, at: header.offset - reader.offset, endianness)
    }

    /// The content identifier as it stands there: Photos compares it as a string, so nothing is made of it here.
    ///
    /// - Returns: nil when the note has none.
    /// - Throws: why it cannot be read, when it is there.
    package func contentIdentifier() throws(ParseError) -> String? {
        try fields.field(.appleContentIdentifier)?.text
    }

    /// All other fields stay.
    package mutating func setContentIdentifier(_ identifier: ContentIdentifier) {
        fields[.appleContentIdentifier] = .ascii(.appleContentIdentifier, identifier.string)
    }

    package func write(to writer: inout ByteWriter) {
        let start = writer.count
        writer.append(Self.signature)
        writer.text("MM")
        fields.write(to: &writer, start: start)
    }
}
