package import Bytes
import MediaModel

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

    /// All fields of a TIFF and of Apple's MakerNote in it, in the order of directories and tags. A field that cannot be
    /// read, or refers to data that cannot be read, holds the error.
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

    private static func all(in ifd: IFD, _ directory: Directory) -> [PhotoField] {
        let read = ifd.fields.map { PhotoField(directory: directory, tag: $0.tag, text: .success($0.printed)) }
        let unreadable = ifd.unreadable.map { PhotoField(directory: directory, tag: $0, text: .failure($1)) }
        return (read + unreadable).sorted { $0.tag < $1.tag }
    }
}

extension TIFFField {
    /// Characters of text that are printed.
    package static let printedCharacters = 200
    /// Numbers that are printed. If a field has more bytes than this, only their count is printed.
    package static let printedNumbers = 16

    /// The value on one line: text, or numbers with commas between them, fractions unchanged. Longer values are cut and
    /// end with `…`.
    package var printed: String {
        let isPrintable = !data.isEmpty && data.allSatisfy { (0x20...0x7E).contains($0) }
        if type == .ascii || type == .undefined && isPrintable { return Self.printable(data) }
        // Up to four bytes fit in the entry: these are codes more often than data.
        let limit = type == .undefined ? 4 : Self.printedNumbers
        guard type.numberSize > 1 || count <= limit else { return "\(count) bytes" }
        var reader = ByteReader(data, structure: tag.description)
        var values: [String] = []
        while values.count < Self.printedNumbers, let value = try? printedValue(&reader) { values.append(value) }
        return values.joined(separator: ", ") + (values.count < count ? ", … (\(count) values)" : "")
    }

    private static func printable(_ data: [UInt8]) -> String {
        let scalars = FileText(data.prefix { $0 != 0 }).string(limit: 4 * printedCharacters).unicodeScalars
        // A terminal would interpret control characters.
        let printable = scalars.prefix(printedCharacters).map { scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(printable)) + (scalars.count > printedCharacters ? "…" : "")
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
