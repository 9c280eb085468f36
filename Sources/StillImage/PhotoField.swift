package import Bytes

/// One field of a photo's Exif data, for display.
package struct PhotoField: Hashable, Sendable {
    /// The directory of a field, on which the meaning of its tag depends.
    package enum Directory: Hashable, Sendable, CaseIterable {
        /// The first IFD.
        case image
        case exif, gps
        /// Apple's MakerNote.
        case apple
    }

    package let directory: Directory
    package let tag: TIFFTag
    /// The value from `TIFFField.printed`, or why it cannot be read.
    package let text: Result<String, ParseError>

    /// Nil for an unknown tag.
    package var name: String? { tag.name(in: directory) }

    /// All fields of a TIFF and of the MakerNote in it, if that is Apple's, in the order of directories and tags. Of
    /// damaged data it lists what can be read; fields that refer to the rest hold the error.
    ///
    /// - Throws: if the header or the first IFD is damaged.
    package static func all(in reader: ByteReader) throws(ParseError) -> [PhotoField] {
        let tiff = try TIFF(from: reader)
        var fields = all(in: tiff.image, .image)
        guard var exif = tiff.exif else { return fields + all(in: tiff.gps ?? IFD(), .gps) }
        var apple: [PhotoField] = []
        if let note = exif[.makerNote]?.data, AppleMakerNote.isApple(note) {
            do throws(ParseError) {
                let read = try AppleMakerNote(from: ByteReader(note, structure: "Apple MakerNote"))
                apple = all(in: read.fields, .apple)
            } catch {
                apple = [PhotoField(directory: .exif, tag: .makerNote, text: .failure(error))]
            }
            exif[.makerNote] = nil
        }
        fields += all(in: exif, .exif) + all(in: tiff.gps ?? IFD(), .gps) + apple
        return fields
    }

    private static func all(in directory: IFD, _ place: Directory) -> [PhotoField] {
        let read = directory.fields.map { PhotoField(directory: place, tag: $0.tag, text: .success($0.printed)) }
        let unreadable = directory.unreadable.map { PhotoField(directory: place, tag: $0, text: .failure($1)) }
        return (read + unreadable).sorted { $0.tag < $1.tag }
    }
}

extension TIFFField {
    /// Characters of text that are printed.
    package static let printedCharacters = 200
    /// Numbers that are printed; of a longer field of bytes only the count is printed.
    package static let printedNumbers = 16

    /// The value on one line: text, or numbers with commas between them, fractions unchanged. Longer values are cut and
    /// end with `…`.
    package var printed: String {
        switch type {
        case .ascii: return Self.printable(data)
        case .undefined where !data.isEmpty && data.allSatisfy({ (0x20...0x7E).contains($0) }):
            return Self.printable(data)
        case .byte, .signedByte, .undefined:
            // Four fit in the entry itself: these are codes more often than data.
            guard count <= (type == .undefined ? 4 : Self.printedNumbers) else { return "\(count) bytes" }
        case .short, .long, .rational, .signedShort, .signedLong, .signedRational, .float, .double, .ifd, .long8,
            .signedLong8, .ifd8:
            break
        }
        var reader = ByteReader(data, structure: tag.description)
        var values: [String] = []
        while values.count < Self.printedNumbers, let value = try? printedValue(&reader) { values.append(value) }
        return values.joined(separator: ", ") + (values.count < count ? ", … (\(count) values)" : "")
    }

    private static func printable(_ data: [UInt8]) -> String {
        // A character has at most four bytes of UTF-8, unless marks are heaped on it.
        let bytes = data.prefix { $0 != 0 }
        let text = String(decoding: bytes.prefix(4 * printedCharacters), as: UTF8.self)
        let isWhole = bytes.count <= 4 * printedCharacters && text.count <= printedCharacters
        // Control characters would act on a terminal.
        let printable = text.prefix(printedCharacters).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(printable)) + (isWhole ? "" : "…")
    }

    private func printedValue(_ reader: inout ByteReader) throws(ParseError) -> String {
        switch type {
        case .byte, .ascii, .undefined: "\(try reader.integer(UInt8.self))"
        case .signedByte: "\(try reader.integer(Int8.self))"
        case .short: "\(try reader.integer(UInt16.self))"
        case .signedShort: "\(try reader.integer(Int16.self))"
        case .long, .ifd: "\(try reader.integer(UInt32.self))"
        case .signedLong: "\(try reader.integer(Int32.self))"
        case .long8, .ifd8: "\(try reader.integer(UInt64.self))"
        case .signedLong8: "\(try reader.integer(Int64.self))"
        case .rational: "\(try reader.integer(UInt32.self))/\(try reader.integer(UInt32.self))"
        case .signedRational: "\(try reader.integer(Int32.self))/\(try reader.integer(Int32.self))"
        case .float: "\(Float(bitPattern: try reader.integer(UInt32.self)))"
        case .double: "\(Double(bitPattern: try reader.integer(UInt64.self)))"
        }
    }
}
