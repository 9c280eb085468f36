import Bytes

/// The trailer that Samsung's cameras append to photos (`SEF`): records and, at the end of the file, their directory.
///
/// Samsung has not published its format; Format.md of this project describes it ("Other containers"). All numbers are little-endian.
struct SamsungTrailer: Sendable {
    struct Record: Hashable, Sendable {
        var type: UInt16
        /// The range of the record in the file.
        var range: Range<Int>
    }

    let records: [Record]
    private let version: UInt32

    /// The record of a motion photo's movie; in a HEIF, of the movie's location.
    static let motionPhotoData: UInt16 = 0x0A30

    private static let entrySize = 12
    /// Records of one photo; the newest phones write about 20.
    private static let recordLimit = 1024

    /// Nil for a file that does not end with a directory.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    init?(_ file: InputFile) throws {
        try self.init(size: file.size) { try file.bytes(at: $0, count: $1) }
    }

    private init?(_ photo: [UInt8]) throws {
        try self.init(size: photo.count) { Array(photo[$0..<$0 + $1]) }
    }

    private init?(size: Int, read: (_ offset: Int, _ count: Int) throws -> [UInt8]) throws {
        let footer = 8
        let end = size - footer
        guard end >= 0 else { return nil }
        var reader = Self.reader(try read(end, footer), at: end)
        let length = Int(try reader.integer(UInt32.self, .little))
        guard try reader.fourCC() == "SEFT" else { return nil }
        let start = end - length
        guard length >= Self.entrySize, start >= 0 else {
            throw Self.error(
                .invalidValue, at: end, "the length of the directory before this, found \(length)")
        }
        guard length <= Self.entrySize * (Self.recordLimit + 1) else {
            throw Self.error(.overLimit, at: end, "at most \(Self.recordLimit) records, found \(length) bytes of them")
        }
        reader = Self.reader(try read(start, length), at: start)
        guard try reader.fourCC() == "SEFH" else { throw Self.error(.invalidValue, at: start, "SEFH") }
        version = try reader.integer(UInt32.self, .little)
        let count = Int(try reader.integer(UInt32.self, .little))
        records = try reader.table(count: count, entrySize: Self.entrySize) { reader throws(ParseError) in
            try reader.skip(2)
            let type = try reader.integer(UInt16.self, .little)
            let distance = Int(try reader.integer(UInt32.self, .little))
            let size = Int(try reader.integer(UInt32.self, .little))
            guard size <= distance, distance <= start else {
                throw reader.error(.invalidValue, expected: "a record between the photo and the directory before this")
            }
            return Record(type: type, range: start - distance..<start - distance + size)
        }
    }

    /// The location of the movie in or described by a record; it may be outside of the file.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    static func movie(_ record: Record, in file: InputFile) throws -> (offset: Int, count: Int) {
        let start = record.range.lowerBound
        let head = try file.bytes(at: start, count: min(record.range.count, longestHead))
        // A name that does not fit is longer than that of any known record.
        var reader = try data(of: record, from: head)
        let data = reader.offset..<record.range.upperBound
        // In a HEIF the movie is in the box mpvd, whose location this is, the only big-endian numbers.
        guard (try? reader.fourCC()) == "mpv2" else { return (data.lowerBound, data.count) }
        return (Int(try reader.integer(UInt32.self)), Int(try reader.integer(UInt32.self)))
    }

    /// - Parameter head: the beginning of the record.
    /// - Returns: What is in `head` of its data, after its type and name.
    private static func data(of record: Record, from head: [UInt8]) throws(ParseError) -> ByteReader {
        let start = record.range.lowerBound
        var reader = reader(head, at: start)
        try reader.skip(2)
        guard try reader.integer(UInt16.self, .little) == record.type else {
            throw error(.invalidValue, at: start, "a record of the type in the directory")
        }
        try reader.skip(Int(try reader.integer(UInt32.self, .little)))
        return reader
    }

    /// A trailer with all records except the movie's; nil if there are no others.
    ///
    /// - Throws: `ParseError` if records share bytes, so that their total exceeds the size of the file.
    func withoutMovie(in file: InputFile) throws(ParseError) -> FilePieces? {
        let others = records.filter { $0.type != Self.motionPhotoData }
        guard !others.isEmpty else { return nil }
        let size = others.reduce(0) { $0 + $1.range.count }
        guard size <= file.size else {
            throw Self.error(.invalidValue, at: file.size, "records of at most the file's size, found \(size) bytes")
        }
        var pieces = FilePieces()
        var directory = ByteWriter()
        directory.text("SEFH")
        directory.integer(version, .little)
        directory.integer(UInt32(others.count), .little)
        for record in others {
            directory.integer(UInt16(0))
            directory.integer(record.type, .little)
            directory.integer(UInt32(size - pieces.count), .little)
            directory.integer(UInt32(record.range.count), .little)
            pieces.append(record.range, of: file)
        }
        directory.integer(UInt32(directory.count), .little)
        directory.text("SEFT")
        pieces.append(directory.bytes)
        return pieces
    }

    /// The photo's file without what records state about where and when it was taken, or without the contents of all but the
    /// movie's. They are overwritten with zeros, so that nothing moves.
    static func erasing(in photo: [UInt8], keeping kept: KeptMetadata) -> [UInt8] {
        guard kept != .all, let trailer = try? SamsungTrailer(photo) else { return photo }
        var new = photo
        for record in trailer.records where !isKept(record.type, kept) {
            guard let data = try? data(of: record, from: Array(photo[record.range])) else { continue }
            let place = data.offset..<record.range.upperBound
            new.replaceSubrange(place, with: repeatElement(0, count: place.count))
        }
        return new
    }

    /// The photo's file whose record of the movie's location, which a HEIC has, follows the movie.
    ///
    /// - Parameter distance: by how many bytes the movie has moved.
    static func following(movieMovedBy distance: Int, in photo: [UInt8]) -> [UInt8] {
        guard distance != 0, let trailer = try? SamsungTrailer(photo),
            let record = trailer.records.first(where: { $0.type == motionPhotoData }),
            var data = try? data(of: record, from: Array(photo[record.range])), (try? data.fourCC()) == "mpv2"
        else { return photo }
        let place = data.offset..<data.offset + 4
        guard let old = try? data.integer(UInt32.self), let new = UInt32(exactly: Int(old) + distance) else {
            return photo
        }
        var writer = ByteWriter()
        writer.integer(new)
        return photo[..<place.lowerBound] + writer.bytes + photo[place.upperBound...]
    }

    private static func isKept(_ type: UInt16, _ kept: KeptMetadata) -> Bool {
        switch kept {
        case .all: true
        case .allBut(let statements):
            !(type == mobileCountryCode && statements.contains(.location) || type == time && statements.contains(.date))
        case .nothing: type == motionPhotoData
        }
    }

    /// `MCC_Data`: the country of the mobile network.
    private static let mobileCountryCode: UInt16 = 0x0AA1
    /// `Image_UTC_Data`: when the photo was taken, in milliseconds since 1970.
    private static let time: UInt16 = 0x0A01

    /// Enough for a record's numbers, a name, and `mpv2`.
    private static let longestHead = 256

    private static func reader(_ bytes: [UInt8], at offset: Int) -> ByteReader {
        ByteReader(bytes, structure: "Samsung trailer", fileOffset: offset)
    }

    private static func error(_ code: ParseError.Code, at offset: Int, _ expected: String) -> ParseError {
        ParseError(code, in: "Samsung trailer", at: offset, expected: expected)
    }
}
