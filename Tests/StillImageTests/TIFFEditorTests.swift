import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// A TIFF with a note of a maker whose offsets count from the TIFF's start, a field of a type that nobody knows, a place, a
/// thumbnail's directory and an interoperability directory; in both byte orders.
private func sampleTIFF(_ endianness: ByteReader.Endianness) -> [UInt8] {
    var writer = ByteWriter()
    func short(_ values: UInt16...) { for value in values { writer.integer(value, endianness) } }
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) {
        short(tag, type)
        writer.integer(count, endianness)
        writer.integer(value, endianness)
    }
    func end(next: UInt32 = 0) { writer.integer(next, endianness) }
    writer.text(endianness == .big ? "MM" : "II")
    short(42)
    writer.integer(UInt32(8), endianness)
    short(4)  // at 8
    entry(0x010F, 2, 6, 0x90)  // Make
    entry(0x8769, 4, 1, 0x3E)
    entry(0x8825, 4, 1, 0x68)
    entry(0xC000, 99, 1, 0xFFFF_FFFF)  // a type that nobody knows
    end(next: 0xA8)
    short(3)  // the Exif IFD, at 0x3E
    entry(0x9003, 2, 20, 0xB0)  // DateTimeOriginal
    entry(0x927C, 7, 8, 0x98)  // MakerNote
    entry(0xA005, 4, 1, 0xA2)  // interoperability
    end()
    short(2)  // the GPS IFD, at 0x68
    entry(0x0001, 2, 2, endianness == .big ? 0x4E00_0000 : 0x4E)
    entry(0x0002, 5, 1, 0xC8)
    end()
    writer.zeros(0x90 - writer.count)
    writer.text("Maker\0")
    writer.zeros(2)
    writer.text("Note")  // at 0x98
    writer.integer(UInt32(0x98), endianness)  // an offset from the TIFF's start
    writer.zeros(2)
    short(0)  // interoperability, at 0xA2, without fields
    end()
    short(0)  // the thumbnail, at 0xA8
    end()
    writer.zeros(0xB0 - writer.count)
    writer.text("2020:01:02 03:04:05\0")
    writer.zeros(0xC8 - writer.count)
    writer.integer(UInt32(1_234_567), endianness)
    writer.integer(UInt32(10_000), endianness)
    return writer.bytes
}

@Suite struct TIFFEditorTests {
    private static let new = ContentIdentifier()
    private static let both: [ByteReader.Endianness] = [.big, .little]

    private func apply(_ update: ExifUpdate, to tiff: [UInt8]?) throws -> [UInt8] {
        try #require(try update.applied(to: tiff))
    }

    private func read(_ bytes: [UInt8]) throws -> TIFF { try TIFF(from: reader(bytes)) }

    @Test func `zeros of another field behind a removed value stay`() throws {
        let comment = [UInt8](repeating: 0, count: 64)
        let linked = try #require(try ExifUpdate(contentIdentifier: .set(ContentIdentifier())).applied(to: nil))
        let note = try #require(try read(linked).exif?.field(.makerNote)?.data)
        let tiff = TIFF(
            image: IFD([.ascii(.make, "Apple")]),
            exif: IFD([.undefined(.makerNote, note), .undefined(.userComment, comment)]), gps: nil)
        let update = ExifUpdate(
            contentIdentifier: .remove,
            captureDate: CaptureDate(iso8601: "2025-09-12T13:45:10").map { .set($0) } ?? .keep)
        let edited = try read(try #require(try update.applied(to: tiff.bytes)))
        #expect(edited.exif?[.userComment]?.data == comment && edited.exif?[.makerNote] == nil)
        #expect(edited.exif?[.dateTimeOriginal]?.text == "2025:09:12 13:45:10")
    }

    @Test(arguments: both) func `an edit that changes nothing gives the same bytes`(order: ByteReader.Endianness) throws
    {
        let tiff = sampleTIFF(order)
        #expect(try apply(ExifUpdate(), to: tiff) == tiff)
        let old = try #require(CaptureDate(year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5))
        #expect(try apply(ExifUpdate(captureDate: .fillIn(old)), to: tiff) == tiff)
        #expect(try apply(ExifUpdate(captureDate: .fillIn(try #require(.sample))), to: tiff) == tiff)
    }

    @Test(arguments: both)
    func `another maker's note moves to the first IFD as it is, and back`(order: ByteReader.Endianness) throws {
        let tiff = sampleTIFF(order)
        let linked = try apply(ExifUpdate(contentIdentifier: .set(Self.new)), to: tiff)
        let read = try read(linked)
        #expect(read.contentIdentifier() == .success(FileText(Self.new.string)))
        #expect(read.image[.makerNote]?.data.prefix(4) == Array("Note".utf8)[...])
        // Nothing that was there has moved: behind the header and the directories all is as before.
        #expect(linked[0x90..<tiff.count] == tiff[0x90...])
        let original = try self.read(tiff)
        #expect(read.image[.make] == original.image[.make])
        // The thumbnail's directory and the field of the unknown type.
        #expect(linked.count(of: Array(tiff[0x2E..<0x3E])) == 2)

        let again = try apply(ExifUpdate(contentIdentifier: .set(ContentIdentifier())), to: linked)
        #expect(again.count == linked.count)
        let unlinked = try apply(ExifUpdate(contentIdentifier: .remove), to: again)
        // The added note and directory were at the end.
        #expect(unlinked.count < linked.count)
        #expect(try self.read(unlinked) == original)
    }

    @Test(arguments: both) func `a place that is removed is nowhere any more`(order: ByteReader.Endianness) throws {
        let tiff = sampleTIFF(order)
        let bytes = try apply(ExifUpdate(location: .remove), to: tiff)
        #expect(bytes.count == tiff.count)
        #expect(try read(bytes).gps == nil)
        #expect(bytes[0x68..<0x86].allSatisfy { $0 == 0 } && bytes[0xC8..<0xD0].allSatisfy { $0 == 0 })
        var original = try read(tiff)
        original.gps = nil
        #expect(try read(bytes) == original)
    }

    @Test func `a place that shares its bytes is not removed`() throws {
        var tiff = sampleTIFF(.big)
        tiff.replaceSubrange(0x54..<0x58, with: hex("000000c8"))  // the MakerNote's offset
        #expect(throws: ParseError.self) { _ = try ExifUpdate(location: .remove).applied(to: tiff) }
    }

    @Test(arguments: both) func `dates, place and orientation are set and read again`(order: ByteReader.Endianness)
        throws
    {
        let place = try #require(GeographicLocation(latitude: -1.5, longitude: 2.25, altitude: -3))
        let date = try #require(CaptureDate.sample)
        let update = ExifUpdate(captureDate: .set(date), location: .set(place), orientation: .transposed)
        for tiff in [nil, sampleTIFF(order), minimalTIFF, littleEndianTIFF] {
            var bytes = try apply(update, to: tiff)
            for _ in 0..<2 {
                let exif = Exif(from: try read(bytes))
                #expect(exif.captureDate == date && exif.location == place && exif.orientation == .transposed)
                #expect(try read(bytes).exif?[.dateTimeDigitized]?.text == "2001:02:03 04:05:06")
                bytes = try apply(update, to: bytes)
            }
            let bare = try apply(ExifUpdate(captureDate: .remove, location: .remove), to: bytes)
            #expect(Exif(from: try read(bare)).captureDate == nil)
            #expect(Exif(from: try read(bare)).location == nil)
        }
    }

    @Test func `what is filled in does not replace what the photo says`() throws {
        let place = try #require(GeographicLocation(latitude: 1, longitude: 2))
        let first = try apply(
            ExifUpdate(captureDate: .fillIn(try #require(.sample)), location: .fillIn(place)), to: nil)
        let other = try #require(GeographicLocation(latitude: 3, longitude: 4))
        let date = try #require(CaptureDate(year: 1999, month: 1, day: 1, hour: 1, minute: 1, second: 1))
        #expect(try apply(ExifUpdate(captureDate: .fillIn(date), location: .fillIn(other)), to: first) == first)
    }

    @Test func `nothing to say leaves a photo without Exif data`() throws {
        #expect(try ExifUpdate(contentIdentifier: .remove, location: .remove).applied(to: nil) == nil)
        let bytes = try apply(ExifUpdate(contentIdentifier: .set(Self.new)), to: nil)
        #expect(bytes.count == 126)
        let bare = try read(try apply(ExifUpdate(contentIdentifier: .remove), to: bytes))
        #expect(bare == TIFF(image: IFD([.short(.orientation, 1)])))
    }

    @Test(arguments: both) func `a device's note keeps its other fields`(order: ByteReader.Endianness) throws {
        var writer = ByteWriter()
        writer.text("Apple iOS\0\u{0}\u{1}" + (order == .big ? "MM" : "II"))
        for number in [1, 0x14, 9] as [UInt16] { writer.integer(number, order) }
        for number in [1, 12, 0] as [UInt32] { writer.integer(number, order) }
        let linked = try apply(
            ExifUpdate(contentIdentifier: .set(Self.new)),
            to: TIFF(exif: IFD([.undefined(.makerNote, writer.bytes)])).bytes)
        #expect(try read(linked).contentIdentifier() == .success(FileText(Self.new.string)))
        let unlinked = try apply(ExifUpdate(contentIdentifier: .remove), to: linked)
        let data = try #require(try read(unlinked).exif?[.makerNote]?.data)
        #expect(try AppleMakerNote(from: reader(data)).fields.fields.map(\.data) == [[0, 0, 0, 12]])
        #expect(unlinked.count(of: Array(Self.new.string.utf8)) == 0)
    }

    @Test(arguments: both) func `what is damaged is refused`(order: ByteReader.Endianness) throws {
        let tiff = sampleTIFF(order)
        for count in 0..<0x86 {
            #expect(throws: ParseError.self, "cut to \(count) bytes") {
                _ = try ExifUpdate().applied(to: Array(tiff.prefix(count)))
            }
        }
        var shared = tiff
        shared[0x2A...0x2D] = tiff[0x1E...0x21]  // GPS where Exif is
        #expect(throws: ParseError.self) { _ = try ExifUpdate().applied(to: shared) }
    }

    @Test(.seeded, arguments: both) func `bytes changed at random are edited or refused`(order: ByteReader.Endianness)
        throws
    {
        let original = sampleTIFF(order)
        var generator = SeededGenerator()
        let place = try #require(GeographicLocation(latitude: 1, longitude: 2))
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let update = ExifUpdate(
                contentIdentifier: .set(Self.new), captureDate: .set(try #require(.sample)), location: .set(place))
            guard let new = try? update.applied(to: bytes) else { continue }
            #expect(new.count < 4096)
            #expect(throws: Never.self) { _ = try TIFF(from: reader(new)) }
        }
    }

    /// Found by libFuzzer: a field of 104 bytes from the first one on is damaged in 44, but not in what they grow to, and
    /// then leaves no room for the note, as the values of a directory together fit in the file.
    @Test func `an edit that would not be read back is an error`() throws {
        let tiff =
            hex("4d4d 002a 00000008 0001 8769 0004 00000001 0000001a 00000000")
            + hex("0001 9000 0007 00000068 00000000 00000000")
        #expect(try TIFF(from: reader(tiff)).exif?.unreadable.count == 1)
        let error = #expect(throws: ParseError.self) {
            try ExifUpdate(contentIdentifier: .set(ContentIdentifier())).applied(to: tiff)
        }
        #expect(error?.code == .invalidValue)
    }
}
