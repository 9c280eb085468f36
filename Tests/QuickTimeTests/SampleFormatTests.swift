import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct SampleFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let visualFields = """
        000000000000 0001 0000 0000 00000000 00000200 00000200 0780 05a0 00480000 00480000 00000000 0001
        00000000000000000000000000000000 00000000000000000000000000000000 0018 ffff
        """
    private static let audioFields = "000000000000 0001 0000 0000 00000000 0002 0010 0000 0000 bb800000"

    /// The format of a track of this kind whose first entry this is.
    private func format(_ handler: FourCC, _ type: FourCC, _ payload: String) throws -> SampleFormat? {
        let file = try TestMovie().write(in: folder)
        let description = try readBox(
            SampleDescriptionBox.self, box("stsd", hex("00000000 00000001") + box(type, hex(payload))))
        let changed = try TestMovie.changing(file, in: folder) {
            $0.tracks[0].media.handler.subtype = handler
            $0.tracks[0].media.information.sampleTable.descriptions = description
        }
        return try MovieReader(changed).tracks[0].format()
    }

    @Test(
        arguments: [
            ("hvc1", "0000001b 'hvcC' 01 01 60000000 b00000000000 96 f000 fc fd f8 f8", "HEVC Main, level 5.0", 8),
            ("hvc1", "0000001b 'hvcC' 01 02 20000000 b00000000000 7b f000 fc fd fa fa", "HEVC Main 10, level 4.1", 10),
            (
                "hev1", "0000001b 'hvcC' 01 24 20000000 b00000000000 78 f000 fc fe fc fc",
                "HEVC Range Extensions, level 4.0, High tier", 12
            ),
            ("avc1", "0000000f 'avcC' 01 64 00 28 ff e0 00", "H.264 High, level 4.0", 8),
            ("avc1", "00000013 'avcC' 01 6e 00 33 ff e0 00 fd fa fa 00", "H.264 High 10, level 5.1", 10),
            ("avc1", "0000000f 'avcC' 01 42 50 0b ff e0 00", "H.264 Constrained Baseline, level 1b", 8),
            ("av01", "0000000c 'av1C' 81 0d 40 00", "AV1 Main, level 5.1", 10),
            ("vp09", "00000014 'vpcC' 01000000 02 1f a2 01 01 01 0000", "VP9 profile 2, level 3.1", 10),
            ("avc1", "", "H.264", nil), ("apcn", "", "ProRes 422", nil), ("zzzz", "", "zzzz", nil),
        ] as [(FourCC, String, String, Int?)])
    func `video formats have names`(type: FourCC, boxes: String, name: String, bitDepth: Int?) throws {
        let format = try #require(try format("vide", type, Self.visualFields + boxes))
        #expect(format.name == name)
        #expect(format.media == .video(size: PixelSize(width: 1920, height: 1440), bitDepth: bitDepth, color: nil))
        #expect(!format.isEncrypted && format.originalType == type)
    }

    @Test(
        arguments: [
            ("mp4a", "40", "1190", "AAC-LC", 2), ("mp4a", "40", "1188", "AAC-LC", 1),
            ("mp4a", "40", "11b8", "AAC-LC", 8),
            ("mp4a", "40", "1180", "AAC-LC", 2), ("mp4a", "40", "1788", "AAC-LC", 2),
            ("mp4a", "40", "2b92", "HE-AAC", 2),
            ("mp4a", "40", "eb8a", "HE-AAC v2", 2), ("mp4a", "40", "f944", "xHE-AAC", 2),
            ("mp4a", "6b", "1188", "MP3", 2), ("mp4a", "77", "1188", "MPEG-4 audio", 2),
        ] as [(FourCC, String, String, String, Int)])
    func `MPEG-4 audio is named by its object type, and its channels are the decoder's`(
        type: FourCC, objectType: String, configuration: String, name: String, channels: Int
    ) throws {
        let descriptor =
            "00000027 'esds' 00000000 03 19 0000 00 04 11 \(objectType) 15 000600 0001f690 0001f3cb 05 02 \(configuration) 06 01 02"
        let format = try #require(try format("soun", type, Self.audioFields + descriptor))
        #expect(format.name == name)
        #expect(format.media == .audio(rate: 48000, channels: channels))
    }

    @Test func `what has no stream descriptor is named by its type`() throws {
        #expect(try format("soun", "sowt", Self.audioFields)?.name == "PCM")
    }

    @Test func `an encrypted format says what it was`() throws {
        let protection = "00000014 'sinf' 0000000c 'frma' 'avc1'"
        let format = try #require(try format("vide", "encv", Self.visualFields + protection))
        #expect(format.isEncrypted && format.type == "encv" && format.originalType == "avc1")
        #expect(format.name == "H.264")
    }

    @Test(arguments: ["", "00", "02010000000000000000000000000000000000000000", "0101"])
    func `a damaged hvcC is an error`(payload: String) {
        let bytes = hex(payload)
        let size = String(bytes.count + 8 + 0x1000_0000, radix: 16).dropFirst()
        #expect(throws: ParseError.self) {
            try format("vide", "hvc1", Self.visualFields + "0\(size) 'hvcC' \(payload)")
        }
    }

    @Test func `a track without entries has no format`() throws {
        let file = try TestMovie().write(in: folder, "none")
        let empty = try readBox(SampleDescriptionBox.self, hex("00000010 'stsd' 00000000 00000001"))
        let reader = try MovieReader(
            TestMovie.changing(file, in: folder) {
                $0.tracks[1].media.handler.subtype = "url "
                $0.tracks[1].media.information.sampleTable.descriptions = empty
            })
        #expect(try reader.tracks[1].format() == nil)
        #expect(reader.tracks.map(\.isStrippedTimedMetadata) == [false, true])
    }
}
