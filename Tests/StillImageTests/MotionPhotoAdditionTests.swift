import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// What is written for some phones besides Google's format.
@Suite struct MotionPhotoAdditionTests {
    private static let additions: [Set<MotionPhotoAddition>] = [
        [.samsungRecord], [.oppoProperties], [.vivoProperty], [.samsungRecord, .oppoProperties, .vivoProperty],
    ]
    private static let gainMapXMP = googleXMP("", "<r:li><C:Item I:Semantic='GainMap' I:Length='8'/></r:li>")

    private static let gainMap = hex("0011223344556677")

    private func bytes(_ pieces: FilePieces) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try pieces.forEach { bytes += $0 }
        return bytes
    }

    private func adding(_ additions: Set<MotionPhotoAddition>, to photo: [UInt8]) throws -> [UInt8] {
        let time = MediaTime(value: 1, timescale: 2)
        return try bytes(
            MotionPhoto(PhotoReader(inputFile(photo))).with(
                FilePieces(inputFile(shortMovie)), presentationTime: time, movingIdentifier: true,
                additions: additions))
    }

    /// A JPEG with an identifier, one with a gain map of eight bytes, and a HEIC.
    private func photo(_ kind: Int) throws -> [UInt8] {
        let identified = ExifUpdate(contentIdentifier: .set(ContentIdentifier()))
        return switch kind {
        case 0: try PhotoEditor(sampleJPEG(jfif)).applying(identified)
        case 1: sampleJPEG(jfif, xmpSegment(Self.gainMapXMP)) + Self.gainMap
        default: DevicePair.photo
        }
    }

    @Test(arguments: additions, [0, 1, 2])
    func `readers of Google's format and of trailers find the same movie`(
        additions: Set<MotionPhotoAddition>, kind: Int
    ) throws {
        let whole = try adding(additions, to: photo(kind))
        let found = try #require(try EmbeddedVideo(PhotoReader(inputFile(whole))))
        #expect(Array(whole[found.range]) == shortMovie)
        let xmp = try #require(try PhotoReader(inputFile(whole)).xmp())
        let items = (xmp[XMLNamespace.googleContainer, "Directory"]?.items ?? []).map {
            $0[XMLNamespace.googleContainer, "Item"] ?? $0
        }
        func number(_ index: Int, _ name: String) -> Int {
            items[index][XMLNamespace.googleContainerItem, FileText(name)]?.integer ?? 0
        }
        let start = whole.count - number(items.count - 1, "Length")
        #expect(start == found.range.lowerBound)
        if kind == 1 {
            let gainMap = start - number(1, "Length")
            #expect(whole[gainMap...].starts(with: Self.gainMap) && number(0, "Padding") == 0)
        } else {
            let end = start - number(0, "Padding")
            #expect(
                kind == 2
                    ? whole[end + 4..<end + 8].elementsEqual("mpvd".utf8) : whole[..<end].suffix(2) == scan.suffix(2))
        }
    }

    @Test(arguments: additions, [0, 1, 2])
    func `extracting removes what was added`(additions: Set<MotionPhotoAddition>, kind: Int) throws {
        func still(_ whole: [UInt8]) throws -> [UInt8] {
            try bytes(MotionPhoto(PhotoReader(inputFile(whole))).still())
        }
        let photo = try photo(kind)
        let left = try still(adding(additions, to: photo))
        let plain = try still(adding([], to: photo))
        #expect(try EmbeddedVideo(PhotoReader(inputFile(left))) == nil)
        #expect(try PhotoReader(inputFile(left)).xmp() == PhotoReader(inputFile(plain)).xmp())
        let exif = try PhotoReader(inputFile(left)).tiff().map { try TIFF(from: $0) }
        #expect(exif?.exif?[.userComment] == nil)
        let identifiers = [left, plain, photo].map { try? PhotoMetadata($0).contentIdentifier.get() }
        #expect(identifiers[0] == identifiers[2] && identifiers[1] == identifiers[2])
    }

    @Test func `what cameras state about their movie goes with it, and their other properties stay`() throws {
        let movie = "O:OLivePhotoVersion='2' O:LivePhotoCover='7' O:VideoLength='9' V:VMotionPhotoVersion='1'"
        let packet = googleXMP(
            "xmlns:O='http://ns.oplus.com/photos/1.0/camera/' xmlns:V='http://ns.vivo.com/photos/1.0/camera/' O:Filter='3'"
                + " V:Scene='4' G:BurstID='5' G:MotionPhotoPrimaryPresentationTimestampUs='6' \(movie)")
        let photo = sampleJPEG(jfif, xmpSegment(packet))
        func names(_ bytes: [UInt8]) throws -> Set<String> {
            Set(try PhotoReader(inputFile(bytes)).xmp()?.properties.map { $0.name.local.string() } ?? [])
        }
        let whole = try adding([], to: photo)
        let added: Set = ["MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "Directory"]
        #expect(try names(whole) == added.union(["Filter", "Scene", "BurstID"]))
        #expect(try names(bytes(MotionPhoto(PhotoReader(inputFile(whole))).still())) == ["Filter", "Scene", "BurstID"])
    }

    @Test func `a comment of the photographer stays`() throws {
        let comment = Array("ASCII\0\0\0Anna".utf8)
        let tiff = TIFF(image: IFD([]), exif: IFD([.undefined(.userComment, comment)]), gps: nil)
        let whole = try adding([.oppoProperties], to: sampleJPEG(jfif, exifSegment(tiff.bytes)))
        #expect(whole.count(of: comment) == 1 && whole.count(of: Array("oplus_8388608".utf8)) == 0)
    }

    @Test func `programs that search a HEIC for XMP find that of the photo, and extracting restores the gain map's`()
        throws
    {
        let mark = Array("<x:xmpmeta".utf8)
        var photo = DevicePair.photo
        // Item 8, XMP, describes item 5, the gain map.
        let reference = try #require(photo.firstRange(of: Array("cdsc".utf8) + hex("0008 0002 0003 0006")))
        photo.replaceSubrange(reference, with: Array("cdsc".utf8) + hex("0008 0002 0005 0005"))
        let whole = try adding([], to: photo)
        #expect(photo.count(of: mark) == 1 && whole.count(of: mark) == 1)
        let found = try #require(whole.firstRange(of: mark))
        #expect(whole[found.lowerBound...].prefix(400).firstRange(of: Array("GCamera:MotionPhoto".utf8)) != nil)
        let left = try bytes(MotionPhoto(PhotoReader(inputFile(whole))).still())
        let gainMap = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
        #expect(photo.count(of: gainMap) == 1 && left.count(of: gainMap) == 1)
    }
}
