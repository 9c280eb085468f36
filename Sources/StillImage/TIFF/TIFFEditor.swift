import Bytes

/// Changes fields of a TIFF and leaves all others unchanged.
///
/// The MakerNotes of most makers hold offsets from the TIFF's start, and not all of them are known; so no value moves.
/// New values and directories that grow are appended; a value of the same length replaces the old one. Thumbnails,
/// interoperability and unknown data stay byte for byte, except zeros at the end. An edit removes what an earlier one
/// appended at the end, so that edits which undo each other do not make the data larger.
struct TIFFEditor: Sendable {
    /// The directories that can be edited. Exif and GPS are created when they are first needed.
    enum Directory {
        case image, exif, gps
    }

    private var bytes: [UInt8]
    private let endianness: ByteReader.Endianness
    private var directories: [Directory: RawIFD]

    /// Keeps all offsets within 32 bits, including those of appended data.
    static let sizeLimit = 1 << 26

    /// An empty TIFF, big-endian.
    init() {
        bytes = Array("MM\0*".utf8) + [0, 0, 0, 0]
        endianness = .big
        directories = [.image: RawIFD()]
    }

    /// - Throws: if the header or a directory is damaged, as damaged data are not edited.
    init(_ tiff: [UInt8]) throws(ParseError) {
        let source = ByteReader(tiff, structure: "Exif TIFF")
        guard tiff.count <= Self.sizeLimit else {
            throw source.error(.overLimit, expected: "at most \(Self.sizeLimit) bytes, found \(tiff.count)")
        }
        let header = try TIFF.header(of: source)
        bytes = tiff
        endianness = header.endianness
        let image = try RawIFD(from: source, at: header.offset, endianness)
        directories = [.image: image]
        let fields = try IFD(from: source, at: header.offset, endianness)
        for (directory, pointer) in [(Directory.exif, TIFFTag.exifIFD), (.gps, .gpsIFD)] {
            guard let field = try fields.field(pointer) else { continue }
            guard let offset = field.unsigned.flatMap({ Int(exactly: $0) }) else {
                throw source.error(.invalidValue, expected: "\(pointer) to be an offset")
            }
            directories[directory] = try RawIFD(from: source, at: offset, endianness)
        }
        let tables = [0..<8] + directories.values.compactMap(\.range)
        for (index, table) in tables.enumerated() where tables[..<index].contains(where: table.overlaps) {
            throw source.error(.invalidValue, expected: "separate directories, found two at one offset")
        }
    }

    var isEmpty: Bool { directories.values.allSatisfy(\.entries.isEmpty) }

    func has(_ tag: TIFFTag, in directory: Directory) -> Bool {
        directories[directory]?[tag] != nil
    }

    /// Sets the field of this tag, replacing an existing one.
    mutating func set(_ field: TIFFField, in directory: Directory) {
        let data = field.bytes(endianness)
        var value = data + repeatElement(0, count: max(4 - data.count, 0))
        let old = directories[directory]?[field.tag]
        if data.count > 4 {
            if let old, let range = ownRange(of: old), range.count == data.count {
                bytes.replaceSubrange(range, with: data)
                value = old.value
            } else {
                remove(field.tag, from: directory)
                removeLastDirectories()
                value = pointer(to: append(data))
            }
        }
        directories[directory, default: RawIFD()][field.tag] = RawIFD.Entry(
            tag: field.tag, type: field.type.rawValue, count: UInt32(field.count), value: value)
    }

    mutating func remove(_ tag: TIFFTag, from directory: Directory) {
        guard let entry = directories[directory]?[tag] else { return }
        let range = ownRange(of: entry)
        directories[directory]?[tag] = nil
        removeLastDirectories()
        if let range, range.upperBound <= bytes.count, bytes[range.upperBound...].allSatisfy({ $0 == 0 }),
            // Zeros may be the value of another field.
            usedRanges.allSatisfy({ $0.upperBound <= range.lowerBound })
        {
            bytes.removeLast(bytes.count - range.lowerBound)
        }
    }

    /// Removes the directories at the end of the data, which are written again, and zeros after everything that is known.
    private mutating func removeLastDirectories() {
        while true {
            let used = usedRanges
            let end = used.map(\.upperBound).max() ?? bytes.count
            guard end <= bytes.count, bytes[end...].allSatisfy({ $0 == 0 }) else { return }
            bytes.removeLast(bytes.count - end)
            let last = directories.first { $0.value.range?.upperBound == end }
            guard let last, let range = last.value.range, used.count(where: range.overlaps) == 1 else { return }
            bytes.removeLast(range.count)
            directories[last.key]?.range = nil
        }
    }

    /// Lists a field in another directory; its value stays where it is.
    mutating func move(_ tag: TIFFTag, from source: Directory, to target: Directory) {
        guard let entry = directories[source]?[tag] else { return }
        directories[source]?[tag] = nil
        directories[target, default: RawIFD()][tag] = entry
    }

    /// Removes the GPS directory and overwrites it and its values with zeros.
    ///
    /// - Throws: if it shares bytes with something else.
    mutating func eraseGPS() throws(ParseError) {
        guard let gps = directories.removeValue(forKey: .gps) else { return }
        directories[.image]?[.gpsIFD] = nil
        let others = usedRanges
        for range in gps.usedRanges(in: bytes.count, endianness) {
            guard !others.contains(where: range.overlaps) else {
                throw ParseError(
                    .invalidValue, in: "GPS directory", at: range.lowerBound,
                    expected: "bytes that nothing else in the Exif data uses")
            }
            bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
    }

    /// Exif data of the same size without a location; nil if it cannot be removed.
    static func withoutLocation(_ tiff: [UInt8]) -> [UInt8]? {
        do throws(ParseError) {
            var editor = try TIFFEditor(tiff)
            guard editor.has(.gpsIFD, in: .image) else { return tiff }
            try editor.eraseGPS()
            let new = editor.finish()
            return new.count > tiff.count ? nil : new + repeatElement(0, count: tiff.count - new.count)
        } catch {
            return nil
        }
    }

    /// Removes the directory of the thumbnail, and overwrites it and its picture with zeros where nothing else uses the bytes.
    mutating func removeThumbnail() {
        guard let next = directories[.image]?.next, next.contains(where: { $0 != 0 }) else { return }
        directories[.image]?.next = [0, 0, 0, 0]
        let source = ByteReader(bytes, structure: "Exif TIFF")
        let offset = (endianness == .big ? next : next.reversed()).reduce(0) { $0 << 8 | Int($1) }
        guard let table = try? RawIFD(from: source, at: offset, endianness),
            let fields = try? IFD(from: source, at: offset, endianness)
        else { return }
        var ranges = table.usedRanges(in: bytes.count, endianness)
        for (place, count) in [(TIFFTag.jpegOffset, TIFFTag.jpegByteCount), (.stripOffsets, .stripByteCounts)] {
            guard let start = fields[place]?.unsigned.flatMap({ Int(exactly: $0) }),
                let count = fields[count]?.unsigned.flatMap({ Int(exactly: $0) }), start <= bytes.count
            else { continue }
            ranges.append(start..<min(start + count, bytes.count))
        }
        let others = usedRanges
        for range in ranges where !others.contains(where: range.overlaps) {
            bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        removeLastDirectories()
    }

    /// The edited TIFF.
    consuming func finish() -> [UInt8] {
        for (directory, tag) in [(Directory.exif, TIFFTag.exifIFD), (.gps, .gpsIFD)] {
            guard let table = directories[directory] else { continue }
            guard !table.entries.isEmpty else {
                directories[.image]?[tag] = nil  // a directory has at least one entry (TIFF 6.0 section 2)
                continue
            }
            let offset = table.write(to: &bytes, endianness)
            if offset != table.range?.lowerBound { set(.long(tag, UInt32(offset)), in: .image) }
        }
        if let image = directories[.image] {
            bytes.replaceSubrange(4..<8, with: pointer(to: image.write(to: &bytes, endianness)))
        }
        return bytes
    }

    /// The header, the directories and their values.
    private var usedRanges: [Range<Int>] {
        [0..<8] + directories.values.flatMap { $0.usedRanges(in: bytes.count, endianness) }
    }

    /// The range of the value of this entry, if nothing else uses those bytes: some writers store equal values once.
    private func ownRange(of entry: RawIFD.Entry) -> Range<Int>? {
        guard let range = entry.valueRange(in: bytes.count, endianness),
            usedRanges.count(where: range.overlaps) == 1
        else { return nil }
        return range
    }

    private mutating func append(_ data: [UInt8]) -> Int {
        bytes += repeatElement(0, count: bytes.count % 2)
        bytes += data
        return bytes.count - data.count
    }

    private func pointer(to offset: Int) -> [UInt8] {
        TIFFField.long(.exifIFD, UInt32(offset)).bytes(endianness)
    }
}
