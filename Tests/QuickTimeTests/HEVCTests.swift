import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct HEVCTests {
    /// What libx265 writes for 64x64, Main at level 1, and what ffmpeg's muxer puts into `hvcC` for it.
    static let video = "40010c01ffff01600000030090000003000003001e959809"
    static let sequence =
        "42010101600000030090000003000003001ea020810596566924caf016a020202080000003008000000f04"
    static let picture = "4401c172b42240"

    private static func parameterSets(_ units: [String]) -> [UInt8] {
        units.flatMap { hex("00000001") + hex($0) }
    }

    /// An IDR picture, a picture that others refer to and one that none does (ITU-T H.265, table 7-1).
    private static let (key, reference, disposable) = ("2601af88", "0201d088", "0001e088")

    @Test func `hvcC and colr are made of x265's extradata`() throws {
        let folder = try TemporaryFolder()
        // An SEI with x265's settings is left out.
        let sets = Self.parameterSets([Self.video, Self.sequence, Self.picture, "4e0105ff80"])
        let path = folder.path.appending("movie.mov")
        let format = try VideoFormat(
            .hevc, parameterSets: sets.span, size: PixelSize(width: 64, height: 64), color: .bt709)
        let writer = try MovieWriter(to: OutputFile(creating: path), video: format, audio: nil)
        // In decoding order: the last picture is shown before the one that it refers to.
        for (unit, time) in [(Self.key, 0), (Self.reference, 80), (Self.disposable, 40)] {
            let annexB = (unit == Self.key ? sets : []) + hex("000001") + hex(unit)
            try writer.appendVideo(annexB: annexB.span, presentationTime: TestMovie.ticks(Int64(time)))
        }
        try writer.finish(
            MovieTiming(duration: TestMovie.ticks(120), stillTime: TestMovie.ticks(40)),
            metadata: [MetadataItem(key: .contentIdentifier, value: .text(FileText(TestMovie.identifier)))])

        let reader = try MovieReader(InputFile(path))
        let table = reader.movie.tracks[0].media.information.sampleTable
        let entry: VisualSampleEntry = try #require(try table.descriptions.firstEntry())
        #expect(entry.type == "hvc1" && entry.size == PixelSize(width: 64, height: 64))
        #expect(entry.color == ColorBox(.quickTime(.bt709)))
        #expect(
            entry.others.map(\.payload) == [
                hex(
                    """
                    01 01 60000000 900000000000 1e  ; version, Main, compatible with it, progressive, level 1
                    f000 fc fd f8 f8 0000           ; segments, parallelism, 4:2:0, 8 bits twice, frame rate
                    0f 03                           ; one nested layer, lengths of 4 bytes; three arrays
                    a0 0001 0018 \(Self.video)
                    a1 0001 002b \(Self.sequence)
                    a2 0001 0007 \(Self.picture)
                    """)
            ])
        #expect(try reader.tracks.first?.format()?.name == "HEVC Main, level 1.0")
        #expect(table.syncSamples?.sampleNumbers == [1])
        #expect(table.dependencies?.payload == hex("00000000 20 10 18"))
        #expect(table.sampleSizes.count == 3)
    }

    @Test(arguments: [[video, sequence], [video, picture], [sequence, picture], [], [video, "4201", picture]])
    func `extradata without whole parameter sets is an error`(units: [String]) {
        let sets = Self.parameterSets(units)
        #expect(throws: ParseError.self) { _ = try HEVCParameterSets(annexB: sets.span) }
    }

    @Test(arguments: [
        (key, true, false), (reference, false, false), (disposable, false, true),
        ("2801af88", true, false),  // IDR without leading pictures
        ("2a01af88", true, false),  // a clean random access
        ("1001af88", false, true), ("1201af88", false, false),  // skipped leading pictures
    ])
    func `the first byte says whether decoding begins with a picture and whether others refer to it`(
        unit: String, isSync: Bool, isDisposable: Bool
    ) throws {
        let annexB =
            hex("000001 460150") + Self.parameterSets([Self.sequence]) + hex("000001 4e0189 000001") + hex(unit)
        let sample = try VideoSample(.hevc, annexB: annexB.span)
        #expect(sample.isSync == isSync && sample.isDisposable == isDisposable)
        #expect(sample.bytes == hex("00000003 4e0189 00000004") + hex(unit))
        let bare = try VideoSample(.hevc, annexB: annexB.span, keepsInformation: false)
        #expect(bare.bytes == hex("00000004") + hex(unit))
    }

    @Test(arguments: ["", "000001 4e0189", "000001 42010101", "2601af88"])
    func `an access unit without a picture is an error`(bytes: String) {
        let unit = hex(bytes)
        #expect(throws: ParseError.self) { _ = try VideoSample(.hevc, annexB: unit.span) }
    }
}
