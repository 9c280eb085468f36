import Bytes
import Foundation
import MediaModel
import StillImage
import TestSupport
import Testing

/// New gain maps, and what files state about theirs.
@Suite struct GainMapWriterTests {
    private static let parameters = GainMapParameters(gains: -1.5...2.25, headroom: 2.25, offset: 0.001)

    /// Its binary form.
    private static let binary = hex(
        """
        0000 0000 40  ; versions of readers and writer; the photo's primaries
        00000000 000f4240  00225510 000f4240  ; headroom: 0 and 2.25
        ffe91ca0 000f4240  00225510 000f4240  000f4240 000f4240  ; gains of -1.5 to 2.25, gamma 1
        000003e8 000f4240  000003e8 000f4240  ; offsets
        """)

    /// What an iPhone 15 Plus wrote.
    private static let device = hex(
        """
        0000 0000 40 00000000 000f4240 002a8725 000f4240  00000000 000f4240 002a8725 000f4240 000dafcd 000f4240
        0000000a 000f4240 0000000a 000f4240
        """)

    /// A JPEG with a gain map.
    private static func jpeg() throws -> [UInt8] {
        try GainMap(jpeg: sampleJPEG(jfif), parameters).added(
            to: sampleJPEG(jfif, exifSegment(minimalTIFF)), .upright)
    }

    /// A HEIC with a gain map.
    private static func heic(_ target: SampleHEIF, _ orientation: Orientation) throws -> [UInt8] {
        var (apple, iso) = (SampleHEIF(name: "Apple's"), SampleHEIF(name: "of ISO"))
        (apple.tiff, iso.tiff) = (nil, nil)
        let map = try GainMap(apple: apple.bytes, iso: iso.bytes, parameters, photo: PixelSize(width: 64, height: 48))
        return try map.added(to: target.bytes, orientation)
    }

    @Test func `the parameters of ISO 21496-1 are written byte for byte`() throws {
        let file = try Self.jpeg()
        #expect(file.count(of: Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + Self.binary) == 1)
        #expect(try GainMapParameters(from: reader(Self.binary)) == Self.parameters)
    }

    @Test func `those of a device, of several channels and with one denominator are read`() throws {
        let read = try GainMapParameters(from: reader(Self.device))
        #expect(read.alternateHeadroom == 2.787109 && read.maximum == 2.787109 && read.minimum == 0)
        #expect(read.gamma == 0.896973 && read.baseOffset == 0.00001 && read.baseHeadroom == 0)
        let channels =
            hex("0000 0000 88 00000064 00000000 000000c8")
            + hex("ffffff9c 0000012c 00000064 00000001 00000002") + hex("00000000 00000064 000000c8 00000000 00000000")
        let other = try GainMapParameters(from: reader(channels))
        #expect(other.alternateHeadroom == 2 && other.minimum == -1 && other.maximum == 3 && other.gamma == 1)
        #expect(other.baseOffset == 0.01 && other.alternateOffset == 0.02)
    }

    @Test func `parameters that are cut off or make no sense are an error`() throws {
        for count in 0..<Self.binary.count {
            #expect(throws: ParseError.self) { try GainMapParameters(from: reader(Array(Self.binary.prefix(count)))) }
        }
        // A version for other readers, a denominator of 0, the range upside down, a gamma of 0.
        for (place, bytes) in [(0, hex("0001")), (9, hex("00000000")), (21, hex("7f")), (37, hex("00000000"))] {
            let damaged = Self.binary[..<place] + bytes + Self.binary[(place + bytes.count)...]
            #expect(throws: ParseError.self, "\(place)") { try GainMapParameters(from: reader(Array(damaged))) }
        }
    }

    @Test func `a JPEG lists its gain map for each kind of reader`() throws {
        let file = try Self.jpeg()
        let map = try #require(JPEG(file).segments.isEmpty ? nil : FurtherPictures(file).gainMap)
        let xmp = try XMP(try #require(map.xmpOfPhoto))
        let items = try #require(xmp["http://ns.google.com/photos/1.0/container/", "Directory"]?.items)
        #expect(items.count == 2 && xmp["http://ns.adobe.com/hdr-gain-map/1.0/", "Version"]?.text == "1.0")
        // The map has everything from its start marker on.
        let start = try #require(file.indices.last { file[$0...].starts(with: hex("ffd8 ffe0")) })
        #expect("\(items[1])".contains("text(\(file.count - start))"))
        let own = try #require(try JPEG(Array(file[start...])).xmp())
        for (name, value) in [
            ("GainMapMin", "-1.5"), ("GainMapMax", "2.25"), ("Gamma", "1.0"), ("OffsetSDR", "0.001"),
            ("OffsetHDR", "0.001"), ("HDRCapacityMin", "0.0"), ("HDRCapacityMax", "2.25"),
            ("BaseRenditionIsHDR", "False"),
        ] {
            #expect(own["http://ns.adobe.com/hdr-gain-map/1.0/", FileText(name)]?.text == FileText(value), "\(name)")
        }
        let description = try #require(try PhotoReader(inputFile(file)).gainMap())
        #expect(description.forms == [.iso, .adobe] && description.headroom == 2.25)
        #expect(description.size == PixelSize(width: 16, height: 8))
        // Other Exif data move the map, and the list follows.
        let edited = try PhotoEditor(file).applying(ExifUpdate(contentIdentifier: .set(ContentIdentifier())))
        #expect(Array(edited.suffix(file.count - start)) == Array(file[start...]))
        #expect(try PhotoReader(inputFile(edited)).gainMap() == description)
    }

    @Test(arguments: SampleHEIF.layouts, [Orientation.upright, .rotated90Clockwise])
    func `a HEIC gets a gain map in Apple's form and that of ISO 21496-1`(
        _ target: SampleHEIF, _ orientation: Orientation
    ) throws {
        let file = try Self.heic(target, orientation)
        #expect(try PhotoMetadata(file).orientation == orientation)
        #expect(try itemData(1, in: file) == SampleHEIF.picture)
        #expect(file.count(of: SampleHEIF.picture) == 3)
        #expect(file.count(of: [0] + Self.binary) == 1)
        let boxes = Array(file.prefix(28))
        #expect(boxes == hex("0000001c") + Array("ftypheic\0\0\0\0mif1heictmap".utf8))
        #expect(file.count(of: Array("altr".utf8)) == 1)
        let description = try #require(try PhotoReader(inputFile(file)).gainMap())
        #expect(description.forms == [.iso, .apple] && description.headroom == 2.25)
        #expect(description.size == PixelSize(width: 64, height: 48))
        // An edit copies all of it.
        let pictures = FurtherPictures(file)
        #expect(!pictures.hasOthers)
        #expect(try #require(pictures.gainMap).added(to: target.bytes, orientation) == file)
    }

    @Test(.seeded) func `a damaged gain map is described, copied or refused`() throws {
        var random = SeededGenerator()
        for file in [try Self.jpeg(), try Self.heic(SampleHEIF.layouts[0], .upright)] {
            for _ in 0..<500 {
                var damaged = file
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = try? PhotoReader(inputFile(damaged)).gainMap()
                guard let map = FurtherPictures(damaged).gainMap else { continue }
                let copy = try? map.added(to: file, .rotated180)
                #expect(copy?.count ?? 0 < 3 * file.count)
            }
        }
    }

    @Test(arguments: [0, 0.3, 1.5, 2.29, 2.3, 2.5, 2.787109, 3]) func `Apple's MakerNote keeps the headroom`(
        stops: Double
    )
        throws
    {
        var note = AppleMakerNote(contentIdentifier: try #require(ContentIdentifier(identifier)))
        #expect(note.headroom == nil)
        note.setHeadroom(stops)
        let read = try AppleMakerNote(from: reader(note.bytes))
        #expect(abs(try #require(read.headroom) - stops) < 0.0001)
        #expect(try read.contentIdentifier() == FileText(identifier))
        note.setHeadroom(stops + 4)
        #expect(note.headroom == AppleMakerNote.headroomLimit)
    }

    @Test(arguments: [(101, 3041, 2.78713), (101, 430_000, 2.17271), (90, 5000, 1.7), (90, 430_000, 1.55757)])
    func `the headroom in a MakerNote is that of Apple's formula`(base: Int32, gain: Int32, stops: Double) throws {
        var note = AppleMakerNote(contentIdentifier: try #require(ContentIdentifier(identifier)))
        note.fields[.appleHDRHeadroom] = .signedRational(.appleHDRHeadroom, base, 100)
        note.fields[.appleHDRGain] = .signedRational(.appleHDRGain, gain, 1_000_000)
        #expect(abs(try #require(note.headroom) - stops) < 0.00001)
    }
}
