import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct HEIFEditorTests {
    private static let other = ContentIdentifier()
    private static let place = GeographicLocation(latitude: 10, longitude: 20)

    /// exiftool sets their lengths to 0, which otherwise means all up to the end of the file.
    @Test func `metadata that were emptied are none, and new ones take their place`() throws {
        var file = SampleHEIF(name: "emptied").bytes
        for size in [10 + minimalTIFF.count, SampleHEIF.xmp.count] {
            let place = try #require(file.firstRange(of: big(size)))
            file.replaceSubrange(place, with: [0, 0, 0, 0])
        }
        let reader = try PhotoReader(inputFile(file))
        #expect(try reader.tiff() == nil && reader.xmp() == nil && PhotoEditor(file).tiff() == nil)
        let new = ContentIdentifier()
        let edited = try PhotoEditor(file).applying(ExifUpdate(contentIdentifier: .set(new)))
        #expect(try itemData(2, in: edited).count(of: Array(new.string.utf8)) == 1)
        #expect(try itemData(1, in: edited) == SampleHEIF.picture)
        #expect(try PhotoReader(inputFile(edited)).tiff() != nil)
        let without = try PhotoEditor(file).applying(ExifUpdate(location: .remove))
        #expect(without == file)
    }

    @Test func `a picture that reaches up to the end of the file does not become longer`() throws {
        var file = SampleHEIF(name: "endless", tiff: nil, isMetaLast: true).bytes
        let length = try #require(file.firstRange(of: big(SampleHEIF.picture.count)))
        file.replaceSubrange(length, with: [0, 0, 0, 0])
        let start = try #require(file.firstRange(of: SampleHEIF.picture)).lowerBound
        let edited = try PhotoEditor(file).applying(ExifUpdate(contentIdentifier: .set(ContentIdentifier())))
        #expect(edited.count > file.count)
        let data = try itemData(1, in: edited)
        #expect(data.count == file.count - start && data.starts(with: SampleHEIF.picture))
    }

    @Test func `an emptied item may have any offset`() throws {
        var file = SampleHEIF(name: "emptied", version: 2, offsetSize: 8).bytes
        let place = try #require(file.firstRange(of: big(10 + minimalTIFF.count)))
        file.replaceSubrange(place, with: [0, 0, 0, 0])
        file.replaceSubrange(place.lowerBound - 8..<place.lowerBound, with: hex("7fffffffffffffff"))
        let new = ContentIdentifier()
        let edited = try PhotoEditor(file).applying(ExifUpdate(contentIdentifier: .set(new)))
        #expect(try itemData(2, in: edited).count(of: Array(new.string.utf8)) == 1)
    }

    @Test func `the location of a movie in Samsung's trailer follows the movie`() throws {
        var sample = SampleHEIF(name: "Samsung", tiff: nil)
        func place(_ file: [UInt8]) throws -> Int {
            try #require(file.firstRange(of: Array("a movie".utf8))).lowerBound
        }
        func appended(_ offset: Int) -> [UInt8] {
            box("mpvd", Array("a movie".utf8)) + samsungTrailer(Array("mpv2".utf8) + big(offset) + big(7))
        }
        sample.appended = appended(0)
        sample.appended = appended(try place(sample.bytes))
        let update = ExifUpdate(contentIdentifier: .set(ContentIdentifier()))
        let new = try PhotoEditor(sample.bytes).applying(update)
        #expect(try place(new) != place(sample.bytes))
        #expect(try new.suffix(200).firstRange(of: Array("mpv2".utf8) + big(place(new)) + big(7)) != nil)
    }

    @Test(arguments: ["00100001", "ffffffff"]) func `a picture of an impossible size is an error`(edge: String) throws {
        let bytes = SampleHEIF(name: "huge").bytes
        let size = try #require(bytes.firstRange(of: hex("00000040 00000030")))
        var file = bytes
        file.replaceSubrange(size, with: hex(edge + edge))
        let error = #expect(throws: ParseError.self) { try PhotoEditor(file) }
        #expect(error?.code == .overLimit)
    }

    @Test(arguments: SampleHEIF.layouts)
    func `Exif data of the same length change nothing else`(sample: SampleHEIF) throws {
        let new = try PhotoEditor(sample.bytes).applying(ExifUpdate(contentIdentifier: .set(Self.other)))
        #expect(new.count == sample.bytes.count)
        #expect(zip(new, sample.bytes).count(where: { $0 != $1 }) <= 36)
        #expect(try PhotoMetadata(new).contentIdentifier == .success(FileText(Self.other.string)))
    }

    @Test(arguments: SampleHEIF.layouts)
    func `longer Exif data are found again, the old ones are gone and the picture is the same`(
        sample: SampleHEIF
    ) throws {
        var new = try PhotoEditor(sample.bytes).applying(
            ExifUpdate(contentIdentifier: .set(Self.other), location: Self.place.map { .set($0) } ?? .keep))
        for _ in 0..<2 {
            let photo = try PhotoMetadata(new)
            #expect(photo.contentIdentifier == .success(FileText(Self.other.string)))
            #expect(photo.exif?.location == Self.place)
            #expect(try itemData(1, in: new) == SampleHEIF.picture)
            #expect(try itemData(3, in: new) == SampleHEIF.xmp)
            #expect(new.count(of: Array(identifier.utf8)) == 0)
            #expect(new.suffix(sample.appended.count) == sample.appended[...])
            // The file is whole: it can be edited again.
            new = try PhotoEditor(new).applying(ExifUpdate(captureDate: .set(try #require(.sample))))
        }
        #expect(try PhotoMetadata(new).exif?.captureDate == .sample)
    }

    @Test(arguments: SampleHEIF.layouts, [true, false])
    func `offsets keep their form, whose base some readers take for the offset`(
        sample: SampleHEIF, hasExif: Bool
    ) throws {
        var sample = sample
        if !hasExif { sample.tiff = nil }
        let new = try PhotoEditor(sample.bytes).applying(
            ExifUpdate(contentIdentifier: .set(Self.other), location: Self.place.map { .set($0) } ?? .keep))
        func form(_ bytes: [UInt8]) throws -> ArraySlice<UInt8> {
            let start = try #require(bytes.firstRange(of: Array("iloc".utf8))).upperBound
            // Version and flags, and the sizes of the fields.
            return bytes[start..<start + 6]
        }
        #expect(try form(new) == form(sample.bytes))
    }

    @Test(arguments: SampleHEIF.layouts)
    func `a photo without Exif data gets some`(sample: SampleHEIF) throws {
        var sample = sample
        sample.tiff = nil
        #expect(try PhotoMetadata(sample.bytes).contentIdentifier == .failure(.noExif))
        #expect(try PhotoEditor(sample.bytes).applying(ExifUpdate(contentIdentifier: .remove)) == sample.bytes)
        let new = try PhotoEditor(sample.bytes).applying(ExifUpdate(contentIdentifier: .set(Self.other)))
        #expect(try PhotoMetadata(new).contentIdentifier == .success(FileText(Self.other.string)))
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
        #expect(try itemData(3, in: new) == SampleHEIF.xmp)
        #expect(try itemData(4, in: new).starts(with: hex("00000006 457869660000 4d4d002a")))
        #expect(new.suffix(sample.appended.count) == sample.appended[...])
    }

    @Test func `a sequence whose pictures would have to move is refused`() throws {
        let movie = box("moov", hex("00000000"))
        let sample = SampleHEIF(name: "sequence", tiff: nil, appended: movie)
        let error = #expect(throws: ParseError.self) {
            _ = try PhotoEditor(sample.bytes).applying(ExifUpdate(contentIdentifier: .set(Self.other)))
        }
        #expect(error?.code == .unsupported)
        let withExif = SampleHEIF(name: "sequence", appended: movie)
        let new = try PhotoEditor(withExif.bytes).applying(ExifUpdate(captureDate: .set(try #require(.sample))))
        #expect(try PhotoMetadata(new).exif?.captureDate == .sample)
    }

    @Test func `XMP is overwritten when it is to go`() throws {
        let sample = SampleHEIF(name: "XMP")
        let new = try PhotoEditor(sample.bytes).applying(ExifUpdate(), keepingMetadata: false)
        #expect(new.count == sample.bytes.count)
        #expect(try itemData(3, in: new) == Array(repeating: UInt8(ascii: " "), count: SampleHEIF.xmp.count))
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
    }

    @Test(arguments: SampleHEIF.layouts)
    func `a HEIC cut off anywhere is not edited`(sample: SampleHEIF) throws {
        var sample = sample
        sample.appended = []
        let whole = sample.bytes
        for count in 0..<whole.count {
            let bytes = Array(whole.prefix(count))
            #expect(throws: ParseError.self, "cut to \(count) bytes") {
                _ = try PhotoEditor(bytes).applying(ExifUpdate(captureDate: .set(try #require(.sample))))
            }
        }
    }

    @Test(.seeded, arguments: SampleHEIF.layouts)
    func `bytes changed at random are read or refused, and what is edited can be read`(sample: SampleHEIF) throws {
        let original = sample.bytes
        var generator = SeededGenerator()
        var refused = 0
        for round in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 24..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            _ = try? PhotoMetadata(bytes)
            for update in [
                ExifUpdate(contentIdentifier: .set(Self.other)), ExifUpdate(captureDate: .set(try #require(.sample))),
            ] {
                guard let new = try? PhotoEditor(bytes).applying(update, keepingMetadata: false) else {
                    refused += 1
                    continue
                }
                #expect(new.count < 2 * bytes.count, "round \(round)")
                #expect(throws: Never.self, "round \(round)") { _ = try PhotoMetadata(new) }
            }
        }
        #expect((1..<600).contains(refused))
    }

    /// Found by libFuzzer: the item that was added to the list became part of the box.
    @Test(arguments: ["infe", "cdsc", "ispe"]) func `a box without size in another one is an error`(type: String) throws
    {
        var bytes = SampleHEIF(name: "a box without size").bytes
        let place = bytes.count(before: Array(type.utf8)) - 4
        bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
        let error = #expect(throws: ParseError.self) { try PhotoEditor(bytes).tiff() }
        #expect(error?.code == .invalidValue)
        #expect(error?.offset == place)
    }
}
