import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// Gain maps and other further pictures of a photo, which an edit keeps or drops.
@Suite struct GainMapTests {
    private static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
    private static let depthType = "urn:com:apple:photo:2017:aux:depth"
    private static let alphaType = "urn:mpeg:hevc:2015:auxid:1"

    /// A HEIC with a grid of two tiles and its XMP, which an auxiliary picture of this type consists of.
    private static func heic(_ types: [String], properties: [UInt8] = []) -> [UInt8] {
        let start = box("ftyp", Array("heic".utf8) + hex("00000000") + Array("mif1heic".utf8))
        // The photo; for each auxiliary picture, a grid, two tiles and XMP.
        let kinds = ["hvc1"] + types.flatMap { _ in ["grid", "hvc1", "hvc1", "mime"] }
        let parts = ["the photo"] + types.flatMap { ["\($0) grid", "left tile", "right tile", "<x/> of \($0)"] }
        func info(_ id: Int, _ kind: String) -> [UInt8] {
            let type = kind == "mime" ? Array("application/rdf+xml".utf8) + [0] : []
            return box("infe", hex("02000001") + big(id, 2) + hex("0000") + Array(kind.utf8) + [0] + type)
        }
        let infos = kinds.enumerated().flatMap { info($0 + 1, $1) }
        let maps = types.indices.map { 2 + 4 * $0 }
        let references = maps.flatMap {
            box("auxl", big($0, 2) + hex("0001 0001"))
                + box("dimg", big($0, 2) + hex("0002") + big($0 + 1, 2) + big($0 + 2, 2))
                + box("cdsc", big($0 + 3, 2) + hex("0001") + big($0, 2))
        }
        let size = box("ispe", hex("00000000 00000040 00000030"))
        let others = types.flatMap { box("auxC", hex("00000000") + Array($0.utf8) + [0]) }
        let associations =
            hex("0001 01 81")
            + maps.enumerated().flatMap {
                big($1, 2) + [properties.isEmpty ? 2 : 3, 0x81, UInt8($0 + 2)]
                    + (properties.isEmpty ? [] : [UInt8(types.count + 2)])
            }
        func meta(_ mediaOffset: Int) -> [UInt8] {
            var offset = mediaOffset + 8
            var places: [UInt8] = []
            for (index, part) in parts.enumerated() {
                places += big(index + 1, 2) + hex("0000 0001") + big(offset) + big(part.utf8.count)
                offset += part.utf8.count
            }
            return box(
                "meta",
                heifMetaContent(
                    locations: box("iloc", hex("00000000 4400") + big(parts.count, 2) + places),
                    infos: (kinds.count, infos), references: references, properties: size + others + properties,
                    associations: (maps.count + 1, associations)))
        }
        let length = meta(0).count
        return start + meta(start.count + length) + box("mdat", parts.flatMap { Array($0.utf8) })
    }

    private static let iso = segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + hex("00000000"))
    private static let map = sampleJPEG(xmpSegment(Array("<x hdr-gain-map='1'/>".utf8)))
    private static let ultraHDR = Array(
        """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'/></rdf:RDF></x:xmpmeta>
        """.utf8)

    @Test(arguments: SampleHEIF.layouts, Orientation.allCases)
    func `the gain map of a HEIC is copied bit for bit to another one, and turned like it`(
        _ target: SampleHEIF, _ orientation: Orientation
    ) throws {
        let turned = box("irot", [1])
        let map = try #require(FurtherPictures(Self.heic([Self.appleType], properties: turned)).gainMap)
        let file = try map.added(to: target.bytes, orientation)
        #expect(try PhotoMetadata(file).orientation == orientation)
        #expect(try itemData(1, in: file) == SampleHEIF.picture)
        let (others, again) = (FurtherPictures(file), try #require(FurtherPictures(file).gainMap))
        #expect(!others.hasOthers)
        for text in ["\(Self.appleType) grid", "left tile", "right tile", "<x/> of \(Self.appleType)"] {
            #expect(file.count(of: Array(text.utf8)) == 1)
        }
        // Copied again, it has the same parts.
        let twice = try again.added(to: target.bytes, orientation)
        #expect(twice == file)
    }

    /// Exiv2 reads the last XMP that is listed, which is to be the photo's.
    @Test(arguments: SampleHEIF.layouts) func `items of a gain map are listed before the photo's own`(
        target: SampleHEIF
    ) throws {
        func entries(_ file: [UInt8]) throws -> ArraySlice<UInt8> {
            let type = try #require(file.firstRange(of: Array("iinf".utf8)))
            let size = file[..<type.lowerBound].suffix(4).reduce(0) { $0 << 8 | Int($1) }
            return file[type.upperBound + 6..<type.lowerBound - 4 + size]
        }
        let map = try #require(FurtherPictures(Self.heic([Self.appleType])).gainMap)
        let (old, new) = (try entries(target.bytes), try entries(map.added(to: target.bytes, .upright)))
        #expect(new.count > old.count && new.suffix(old.count) == old)
    }

    @Test(arguments: [
        ([], false, false), ([appleType], true, false), ([depthType], false, true), ([alphaType], false, false),
        ([depthType, appleType], true, true), ([alphaType, appleType], true, false),
        ([appleType, appleType], true, true),
    ])
    func `depth maps are further pictures, alpha is not`(types: [String], hasMap: Bool, hasOthers: Bool) {
        let pictures = FurtherPictures(Self.heic(types))
        #expect((pictures.gainMap != nil) == hasMap)
        #expect(pictures.hasOthers == hasOthers)
    }

    @Test func `a cropped gain map is not copied`() {
        let crop = box("clap", hex("00000020 00000001 00000020 00000001 00000000 00000001 00000000 00000001"))
        let pictures = FurtherPictures(Self.heic([Self.appleType], properties: crop))
        #expect(pictures.gainMap == nil && pictures.hasOthers)
    }

    @Test(arguments: [[], [exifSegment(minimalTIFF)], [exifSegment(minimalTIFF), comment, xmpSegment(SampleHEIF.xmp)]])
    func `the gain map of a JPEG is copied bit for bit to another one`(segments: [[UInt8]]) throws {
        let source = multiPictureJPEG([Self.map], Self.iso, xmpSegment(Self.ultraHDR))
        let map = try #require(FurtherPictures(source).gainMap)
        let announcement = try XMP(try #require(map.xmpOfPhoto))
        #expect(announcement["http://ns.google.com/photos/1.0/container/", "Directory"]?.items.count == 2)
        let file = try map.added(to: sampleJPEG(Array(([jfif] + segments).joined())), .upright)
        #expect(Array(file.suffix(Self.map.count)) == Self.map)
        #expect(file.count(of: Self.iso) == 1)
        #expect(try JPEG(file).xmp()?["http://ns.adobe.com/hdr-gain-map/1.0/", "Version"]?.text == "1.0")
        let pictures = FurtherPictures(file)
        #expect(!pictures.hasOthers)
        let again = try #require(pictures.gainMap)
        #expect(try again.added(to: sampleJPEG(Array(([jfif] + segments).joined())), .upright) == file)
    }

    @Test func `a JPEG keeps its own XMP with a gain map, and what it stated of another one goes`() throws {
        let source = multiPictureJPEG([Self.map], Self.iso, xmpSegment(Self.ultraHDR))
        let map = try #require(FurtherPictures(source).gainMap)
        let own = Array(
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
            <rdf:Description xmlns:e='urn:e' e:a='1' xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'
            hdrgm:Version='0.9'/></rdf:RDF></x:xmpmeta>
            """.utf8)
        let xmp = try #require(try JPEG(map.added(to: sampleJPEG(jfif, xmpSegment(own)), .upright)).xmp())
        #expect(xmp["urn:e", "a"]?.text == "1")
        #expect(xmp.properties.map(\.name.local).sorted() == ["Directory", "Version", "a"])
        #expect(xmp["http://ns.adobe.com/hdr-gain-map/1.0/", "Version"]?.text == "1.0")
    }

    @Test func `a JPEG with other pictures keeps none of them`() {
        let other = sampleJPEG(comment)
        for pictures in [[other], [Self.map, other], [Self.map, Self.map]] {
            let found = FurtherPictures(multiPictureJPEG(pictures))
            #expect(found.gainMap == nil && found.hasOthers)
        }
        #expect(!FurtherPictures(sampleJPEG(jfif)).hasOthers)
    }

    @Test func `a gain map that is cut off is not copied`() throws {
        let files = [Self.heic([Self.appleType]), multiPictureJPEG([Self.map], Self.iso)]
        for file in files {
            for count in 0..<file.count {
                let pictures = FurtherPictures(Array(file.prefix(count)))
                // The XMP is the last part of the HEIC.
                #expect(pictures.gainMap == nil, "of \(count) bytes of \(file.count)")
            }
        }
    }
}
