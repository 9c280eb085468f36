import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct PhotoMetadataTests {
    @Test func `size, Exif and content identifier are read from a photo`() throws {
        let photo = try PhotoMetadata(sampleJPEG(jfif, exifSegment(minimalTIFF)))
        #expect(photo.format == .jpeg)
        #expect(photo.size == PixelSize(width: 16, height: 8))
        #expect(photo.exif == Exif(contentIdentifier: ContentIdentifier(identifier)))
        #expect(photo.contentIdentifier == .success(FileText(identifier)))
    }

    @Test func `an identifier is given in the spelling of the file`() throws {
        let text = Array(identifier.lowercased().utf8)
        let tiff = Array(minimalTIFF.dropLast(38)) + text + [0, 0]
        let photo = try PhotoMetadata(sampleJPEG(exifSegment(tiff)))
        #expect(photo.contentIdentifier == .success(FileText(identifier.lowercased())))
        #expect(photo.exif?.contentIdentifier?.string == identifier)
    }

    @Test(
        arguments: [
            (nil, .noExif),
            (TIFF(image: IFD([.short(.orientation, 1)])), .noMakerNote),
            (TIFF(exif: IFD([.undefined(.exifVersion, [])])), .noMakerNote),
            (TIFF(exif: IFD([.undefined(.makerNote, Array("Nikon\0".utf8))])), .notApples),
            (
                TIFF(exif: IFD([.undefined(.makerNote, Array(minimalNote.prefix(14)) + hex("0000 00000000"))])),
                .notInMakerNote
            ),
        ] as [(TIFF?, MissingContentIdentifier)])
    func `a photo without content identifier says why`(tiff: TIFF?, reason: MissingContentIdentifier) throws {
        let photo = try PhotoMetadata(tiff == nil ? sampleJPEG(jfif) : sampleJPEG(jfif, exifSegment(tiff?.bytes ?? [])))
        #expect(photo.contentIdentifier == .failure(reason))
        #expect((photo.exif == nil) == (tiff == nil))
    }

    @Test func `Exif data cut off anywhere leave the photo readable and the identifier unreadable`() throws {
        for count in 0..<minimalTIFF.count - 1 {
            let photo = try PhotoMetadata(sampleJPEG(exifSegment(Array(minimalTIFF.prefix(count)))))
            guard case .failure(.unreadable(let error)) = photo.contentIdentifier else {
                Issue.record("cut to \(count) bytes: \(photo.contentIdentifier)")
                continue
            }
            #expect(error.code == .truncated || error.code == .overLimit)
            #expect(photo.size == PixelSize(width: 16, height: 8))
        }
    }

    @Test(arguments: ["", "00", "00000018 66747970 71742020", "89504e47"])
    func `what is no photo of a known kind is not supported`(bytes: String) {
        let error = #expect(throws: ParseError.self) { _ = try PhotoMetadata(hex(bytes)) }
        #expect(error?.code == .unsupported)
    }

    @Test(.seeded) func `bytes changed at random are read or refused, and what is read can be written`() throws {
        let original = sampleJPEG(jfif, exifSegment(minimalTIFF), comment, exifSegment(littleEndianTIFF))
        var generator = SeededGenerator()
        var refused = 0
        for round in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let jpeg = try? JPEG(bytes) else {
                refused += 1
                continue
            }
            _ = PhotoMetadata(jpeg)
            guard let reader = jpeg.exif, let tiff = try? TIFF(from: reader) else { continue }
            #expect(tiff.bytes.count <= 3 * bytes.count, "round \(round)")
            let changed = try JPEG(try jpeg.replacingExif(with: tiff.bytes))
            #expect(changed.size == jpeg.size, "round \(round)")
        }
        #expect((1..<20_000).contains(refused))
    }
}
