import Bytes
import FFmpegKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// What is left out of decoding costs nothing of what is wanted.
@Suite struct SkippedPicturesTests {
    /// How the clip is encoded, and whether any of its pictures can be left out; nil if that depends on the encoder's version.
    struct Case: Sendable, CustomTestStringConvertible {
        let encoding: String
        var name: String = "clip.mp4"
        var skips: Bool? = true
        var testDescription: String { "\(encoding) \(name)" }
    }

    static let cases = [
        Case(encoding: "-c:v libx264 -bf 3 -x264-params b-pyramid=normal:weightp=2:ref=4"),
        Case(encoding: "-c:v libx264 -bf 3 -x264-params b-pyramid=strict:b-adapt=0"),
        Case(encoding: "-c:v libx264 -bf 2 -x264-params b-pyramid=none:keyint=7:open-gop=1"),
        Case(encoding: "-c:v libx264 -bf 16 -x264-params b-adapt=0:slices=4"),
        Case(encoding: "-c:v libx264 -bf 3 -flags +ildct+ilme -x264-params b-adapt=0"),
        Case(encoding: "-c:v libx264 -bf 3 -x264-params b-adapt=0", name: "clip.ts"),
        Case(encoding: "-c:v libx264 -bf 0", skips: false),
        Case(encoding: "-c:v libx264 -bf 0 -x264-params intra-refresh=1", skips: false),
        Case(encoding: "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:bframes=4:b-adapt=0"),
        Case(
            encoding: "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:bframes=3:b-adapt=0:temporal-layers=3",
            skips: nil),
        Case(encoding: "-c:v libx265 -x265-params log-level=none:bframes=4:b-adapt=0", name: "clip.ts", skips: false),
        Case(encoding: "-c:v mpeg4 -bf 2", skips: false),
    ]

    @Test(arguments: cases) func `wanted pictures are bit for bit those of decoding everything`(_ sample: Case) throws {
        let clip = try TestClip(
            .init(sample.name) ?? "clip.mp4",
            "\(TestClip.picture(seconds: 1.2, rate: 60)) -vf noise=alls=9:allf=t -pix_fmt yuv420p \(sample.encoding)")
        let all = try Self.pictures(clip, threads: 1) { _ in true }
        let times = all.keys.sorted()
        try #require(times.count > 40)
        for threads in [1, 3] {
            for (first, step) in [(0, 4), (1, 2), (2, 5)] {
                let wanted = Set(stride(from: first, to: times.count, by: step).map { times[$0] })
                let found = try Self.pictures(clip, threads: threads) { wanted.contains($0) }
                #expect(wanted.allSatisfy { found[$0] == all[$0] }, "every \(step) from \(first), \(threads) threads")
                if step == 5, let skips = sample.skips {
                    #expect((found.count < all.count) == skips, "\(found.count) of \(all.count)")
                }
            }
        }
    }

    /// The luma of all pictures that come out, by their times.
    private static func pictures(
        _ clip: TestClip, threads: Int, isWanted: (MediaTime) -> Bool
    ) throws -> [MediaTime: [UInt8]] {
        let demuxer = try Demuxer(InputFile(clip.path))
        let decoder = try Decoder(demuxer, stream: 0, threads: threads)
        let packet = try Packet()
        var pictures: [MediaTime: [UInt8]] = [:]
        func take() throws {
            while case .frame(let frame) = try decoder.receive() {
                if let time = frame.presentationTime { pictures[time] = try frame.lumaPlane() }
            }
        }
        while try demuxer.read(into: packet) {
            guard packet.streamIndex == 0 else { continue }
            try decoder.send(packet, isNeeded: packet.presentationTime.map(isWanted) ?? true)
            try take()
        }
        try decoder.send(nil)
        try take()
        return pictures
    }
}
