import Bytes
import ISOBMFF
import MediaModel
import StillImage
import TestSupport
import Testing

/// What decoders of HEIF are given: the primary picture and what it needs, and nothing else of the file.
@Suite struct PictureAloneTests {
    /// Boxes of a file with these items, of which each has a property `ispe`, and item 1 is the primary one.
    private struct Items {
        var types: [(id: UInt16, type: FourCC)] = [(1, "hvc1")]
        var references: [(type: FourCC, from: UInt16, to: [UInt16])] = []
        var properties: [(item: UInt16, box: [UInt8], isEssential: Bool)] = []
        /// Where each item's data are, in `mdat`.
        var ranges: [UInt16: Range<Int>] = [:]
        var data = Array("0123456789".utf8)
        var brands = (major: "heic", compatible: "mif1heic")

        var bytes: [UInt8] {
            let type = box("ftyp", Array(brands.major.utf8) + hex("00000000") + Array(brands.compatible.utf8))
            let size = meta(0).count
            return type + meta(type.count + size + 8) + box("mdat", data)
        }

        private func meta(_ start: Int) -> [UInt8] {
            let infos = types.flatMap { item in
                box(
                    "infe",
                    hex("02000000") + big(Int(item.id), 2) + hex("0000") + big(Int(item.type.rawValue), 4) + [0])
            }
            let locations = types.flatMap { item -> [UInt8] in
                let range = ranges[item.id] ?? 0..<2
                return big(Int(item.id), 2) + hex("0000 0001") + big(start + range.lowerBound, 4)
                    + big(range.count, 4)
            }
            let references = references.flatMap { reference in
                box(
                    reference.type,
                    big(Int(reference.from), 2) + big(reference.to.count, 2)
                        + reference.to.flatMap { big(Int($0), 2) })
            }
            let boxes = [box("ispe", hex("00000000 00000040 00000030"))] + properties.map(\.box)
            let associations = types.flatMap { item -> [UInt8] in
                let own = properties.indices.filter { properties[$0].item == item.id }.map {
                    UInt8($0 + 2) | (properties[$0].isEssential ? 0x80 : 0)
                }
                return big(Int(item.id), 2) + [UInt8(own.count + 1), 1] + own
            }
            return box(
                "meta",
                heifMetaContent(
                    locations: box("iloc", hex("00000000 4400") + big(types.count, 2) + locations),
                    infos: (types.count, infos), references: references, properties: boxes.flatMap { $0 },
                    associations: (types.count, associations)))
        }
    }

    private func contains(_ text: String, _ bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }

    @Test func `tiles and their properties are kept, and nothing of other items`() throws {
        var file = Items()
        file.types = [
            (1, "grid"), (2, "hvc1"), (3, "hvc1"), (4, "tmap"), (5, "Exif"), (6, "hvc1"), (7, "zzzz"),
        ]
        file.ranges = [1: 0..<2, 2: 2..<4, 3: 4..<6, 4: 6..<7, 5: 7..<8, 6: 8..<9, 7: 9..<10]
        file.references = [
            ("dimg", 1, [2, 3]), ("dimg", 4, [1, 6]), ("cdsc", 5, [1, 99]), ("auxl", 6, [1, 4]), ("zzzz", 7, [1]),
        ]
        file.properties = [
            (1, box("irot", [1]), true), (2, box("hvcC", [2]), true), (3, box("free", [3]), false),
            (6, box("yyyy", [6]), true), (3, box("xxxx", [3]), true),
        ]
        let new = try HEIF.pictureAlone(file.bytes)
        for text in ["grid", "hvc1", "dimg", "irot", "hvcC", "xxxx"] { #expect(contains(text, new), "\(text)") }
        for text in ["tmap", "Exif", "cdsc", "auxl", "zzzz", "yyyy", "free"] {
            #expect(!contains(text, new), "\(text)")
        }
        #expect(new.suffix(14) == hex("0000000e") + Array("mdat012345".utf8))
        // The result is a file like others.
        #expect(try HEIF.pictureAlone(new) == new)
        #expect(try HEIF(new).orientation == .rotated90Counterclockwise && HEIF(new).size == HEIF(file.bytes).size)
    }

    @Test func `transparency is kept, for one picture alone`() throws {
        var file = Items()
        file.types = [(1, "av01"), (2, "av01"), (3, "av01")]
        file.references = [("auxl", 2, [1, 3])]
        let name = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)
        file.properties = [(2, box("auxC", hex("00000000") + name), true)]
        let new = try HEIF.pictureAlone(file.bytes)
        #expect(new.firstRange(of: Array("auxl".utf8) + hex("0002 0001 0001")) != nil)
        file.properties = [(2, box("auxC", hex("00000000") + Array("urn:com:apple:other\0".utf8)), true)]
        #expect(try !contains("auxl", HEIF.pictureAlone(file.bytes)))
    }

    @Test(arguments: [
        ("avis", "avifavismsf1iso8mif1miafMA1A", "avif", "avifavifmif1iso8mif1miafMA1A"),
        ("hevc", "msf1hevcmif1heic", "heic", "mif1heicmif1heic"), ("heic", "mif1heic", "heic", "mif1heic"),
    ])
    func `the picture of an image sequence is not called a sequence, which has a movie`(
        major: String, compatible: String, newMajor: String, newCompatible: String
    ) throws {
        var file = Items()
        file.brands = (major, compatible)
        var expected = Items()
        expected.brands = (newMajor, newCompatible)
        #expect(try HEIF.pictureAlone(file.bytes) == HEIF.pictureAlone(expected.bytes))
        #expect(try HEIF.pictureAlone(file.bytes)[8..<12].elementsEqual(newMajor.utf8))
    }

    @Test func `items that are derived from each other end`() throws {
        var file = Items()
        file.types = (1...9).map { ($0, "iden") }
        file.references = (1...9).map { ("dimg", $0, [$0 % 9 + 1, 1]) }
        #expect(try HEIF.pictureAlone(file.bytes).count < 2 * file.bytes.count)
    }

    @Test func `data that items share do not make a file larger than it is`() throws {
        var file = Items()
        file.types = [(1, "grid"), (2, "hvc1"), (3, "hvc1")]
        file.references = [("dimg", 1, [2, 3])]
        file.data = [UInt8](repeating: 7, count: 10_000)
        file.ranges = [2: 0..<10_000, 3: 0..<10_000]
        let error = #expect(throws: ParseError.self) { _ = try HEIF.pictureAlone(file.bytes) }
        #expect(error?.code == .overLimit)
    }

    @Test func `more items than any picture has are an error`() throws {
        var file = Items()
        file.types = (1...5000).map { ($0, "hvc1") }
        file.references = [("dimg", 1, (2...5000).map { $0 })]
        file.ranges = Dictionary(uniqueKeysWithValues: (1...5000).map { ($0, 0..<1) })
        file.data = [UInt8](repeating: 7, count: 10_000)
        let error = #expect(throws: ParseError.self) { _ = try HEIF.pictureAlone(file.bytes) }
        #expect(error?.code == .overLimit)
    }

    @Test func `a file cut off anywhere, or with any damage, is an error or a file`() throws {
        var file = Items()
        file.types = [(1, "grid"), (2, "hvc1")]
        file.references = [("dimg", 1, [2])]
        let bytes = file.bytes
        for count in 0..<bytes.count - 8 {
            #expect(throws: ParseError.self) { _ = try HEIF.pictureAlone(Array(bytes.prefix(count))) }
        }
        for place in bytes.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                if let new = try? HEIF.pictureAlone(damaged) { #expect(new.count <= 3 * bytes.count) }
            }
        }
    }
}
