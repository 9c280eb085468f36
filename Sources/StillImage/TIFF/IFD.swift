package import Bytes

/// An image file directory: the fields of one part of a TIFF (TIFF 6.0 section 2), each tag once.
///
/// Offsets count from the first byte of the TIFF, in Apple's MakerNote from the note's first byte.
package struct IFD: Hashable, Sendable {
    /// In the order of their tags.
    package private(set) var fields: [TIFFField] = []
    /// The fields whose values cannot be read, such as one that ends after the file.
    package private(set) var unreadable: [TIFFTag: ParseError] = [:]

    /// More fields than any camera writes (about 100), and few enough to add more to a copy without overflowing its
    /// 16-bit count.
    static let fieldLimit = 4096

    package init(_ fields: [TIFFField] = []) {
        for field in fields { self[field.tag] = field }
    }

    /// Reads the directory at `offset` from the start of `source`. Fields of unknown types are left out, since their
    /// length is unknown (TIFF 6.0 section 2: "readers should skip over fields containing an unexpected field type");
    /// of two fields with the same tag, the first is used.
    package init(from source: ByteReader, at offset: Int, _ endianness: ByteReader.Endianness) throws(ParseError) {
        // Values that share bytes could make a small file large: their total must not exceed the file.
        var budget = source.remaining
        var found: [TIFFTag: TIFFField] = [:]
        for entry in try RawIFD(from: source, at: offset, endianness).entries {
            let tag = entry.tag
            guard let type = TIFFType(rawValue: entry.type), found[tag] == nil, unreadable[tag] == nil else { continue }
            do throws(ParseError) {
                let field = try Self.field(entry, type, source, endianness, budget: budget)
                budget -= field.data.count
                found[tag] = field
            } catch {
                unreadable[tag] = error
            }
        }
        fields = found.values.sorted { $0.tag < $1.tag }
    }

    /// The field with its value, which is in its entry or, if longer than 4 bytes, at the offset in the entry.
    private static func field(
        _ entry: RawIFD.Entry, _ type: TIFFType, _ source: ByteReader, _ endianness: ByteReader.Endianness, budget: Int
    ) throws(ParseError) -> TIFFField {
        let inline = ByteReader(entry.value, structure: entry.tag.description, fileOffset: entry.valueOffset)
        guard let count = Int(exactly: entry.count), count <= budget / type.size else {
            throw inline.error(.overLimit, expected: "values that fit in the file, found \(entry.count) of them")
        }
        var values = inline
        if count * type.size > 4 {
            guard let offset = Int(exactly: try values.integer(UInt32.self, endianness)), offset <= source.remaining
            else { throw inline.error(.invalidValue, expected: "an offset within the \(source.remaining) bytes") }
            var rest = source
            try rest.skip(offset)
            values = try rest.reader(rest.remaining, structure: inline.structure)
        }
        return try TIFFField(entry.tag, type, count: count, from: &values, endianness)
    }

    /// The field of this tag; nil if there is none, or it cannot be read.
    package subscript(tag: TIFFTag) -> TIFFField? {
        get { fields.first { $0.tag == tag } }
        set {
            unreadable[tag] = nil
            fields.removeAll { $0.tag == tag }
            guard let newValue else { return }
            fields.insert(newValue, at: fields.firstIndex { $0.tag > tag } ?? fields.endIndex)
        }
    }

    /// The field of this tag; nil if there is none.
    ///
    /// - Throws: if it is there but cannot be read.
    package func field(_ tag: TIFFTag) throws(ParseError) -> TIFFField? {
        if let error = unreadable[tag] { throw error }
        return self[tag]
    }

    /// Removes the field that points to another directory.
    ///
    /// - Returns: the directory; nil if there is none, or it cannot be read, which is then recorded.
    mutating func takeDirectory(
        _ tag: TIFFTag, from source: ByteReader, _ endianness: ByteReader.Endianness
    ) -> IFD? {
        guard let pointer = self[tag] else { return nil }
        self[tag] = nil
        do throws(ParseError) {
            guard let offset = pointer.unsigned, let offset = Int(exactly: offset) else {
                throw source.error(.invalidValue, expected: "\(tag) to be an offset")
            }
            return try IFD(from: source, at: offset, endianness)
        } catch {
            unreadable[tag] = error
            return nil
        }
    }

    /// Writes the directory, then the values longer than 4 bytes, then `directories`, each with its pointer in this
    /// one. All begin at even offsets.
    ///
    /// - Parameter writer: holds the bytes from which offsets count.
    func write(to writer: inout ByteWriter, directories: [(pointer: TIFFTag, directory: IFD)] = []) {
        let entries = IFD(fields + directories.map { .long($0.pointer, 0) }).fields
        var places: [TIFFTag: Int] = [:]
        writer.integer(UInt16(entries.count))
        for field in entries {
            writer.integer(field.tag.rawValue)
            writer.integer(field.type.rawValue)
            writer.integer(UInt32(field.count))
            places[field.tag] = writer.count
            let inline = field.data.count > 4 ? [] : field.data
            writer.append(inline)
            writer.zeros(4 - inline.count)
        }
        writer.integer(UInt32(0))  // no next directory
        func patchPointer(of tag: TIFFTag) {
            writer.zeros(writer.count % 2)
            if let place = places[tag] { writer.patch(UInt32(writer.count), at: place) }
        }
        for field in entries where field.data.count > 4 {
            patchPointer(of: field.tag)
            writer.append(field.data)
        }
        for (pointer, directory) in directories {
            patchPointer(of: pointer)
            directory.write(to: &writer)
        }
    }
}
