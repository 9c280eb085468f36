import Bytes
import FFmpegKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// A clip can be read from its start again without opening it again.
@Suite struct RewindTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// ffmpeg's arguments after those of the picture.
        let encoding: String
        var name: String = "clip.mp4"
        /// Whether the clip must be rewound; nil if opening it again is as good.
        var rewinds: Bool? = true
        var testDescription: String { "\(encoding) \(name)" }
    }

    static let cases = [
        // The priming of AAC comes before the pictures,
        Case(encoding: "-c:v libx264 -bf 0 -c:a aac"),
        // and so do pictures that are decoded before the first one that is shown.
        Case(encoding: "-c:v libx264 -bf 3 -c:a aac", name: "clip.mov"),
        Case(encoding: "-c:v libx264 -bf 3 -c:a pcm_s16le", name: "clip.mov"),
        Case(encoding: "-c:v libx264 -bf 2 -an"),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac -output_ts_offset 2"),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac -timecode 01:00:00:00", name: "clip.mov"),
        Case(encoding: "-c:v mpeg4 -bf 2 -c:a aac"),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac -movflags frag_keyframe+empty_moov", rewinds: nil),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac -movflags frag_keyframe+empty_moov+delay_moov", rewinds: nil),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac", name: "clip.mkv", rewinds: false),
        Case(encoding: "-c:v libx264 -bf 2 -c:a aac", name: "clip.ts", rewinds: false),
    ]

    @Test(arguments: cases) func `a clip that was rewound gives the packets of the first time`(_ sample: Case) throws {
        let clip = try TestClip(
            .init(sample.name) ?? "clip.mp4",
            "\(TestClip.picture(seconds: 1.2, rate: 30)) \(TestClip.tone(seconds: 1.4)) -g 12 \(sample.encoding)")
        try Self.expectSamePackets(clip.path, rewinds: sample.rewinds)
    }

    /// Cuts without encoding leave pictures and sound in the file that an edit list hides.
    @Test(arguments: ["0.2", "0.53", "1.1"]) func `so does one that was cut without encoding`(start: String) throws {
        let clip = try TestClip(
            "clip.mp4",
            "\(TestClip.picture(seconds: 2, rate: 30)) \(TestClip.tone(seconds: 2)) -g 12 -c:v libx264 -c:a aac")
        let cut = try TestClip("cut.mov", "-ss \(start) -i \(clip.path) -c copy")
        try Self.expectSamePackets(cut.path, rewinds: true)
    }

    private static func expectSamePackets(_ path: FilePath, rewinds: Bool?) throws {
        let demuxer = try Demuxer(InputFile(path))
        let all = try packets(demuxer)
        #expect(all.count > 30)
        for count in [0, 1, 7, all.count] {
            let isRewound = demuxer.rewind()
            if let rewinds { #expect(isRewound == rewinds) }
            guard isRewound else { continue }
            #expect(try packets(demuxer, atMost: count) == Array(all.prefix(count)))
        }
        // After a seek, as well.
        try demuxer.seek(to: MediaTime(value: 1, timescale: 2), stream: 0)
        _ = try packets(demuxer, atMost: 3)
        if demuxer.rewind() { #expect(try packets(demuxer) == all) }
    }

    private struct ReadPacket: Equatable {
        let stream: Int
        let times: [MediaTime?]
        let bytes: [UInt8]
        let flags: [Bool]
        let skippedSamples: Int64

        init(_ packet: Packet) {
            stream = packet.streamIndex
            times = [packet.decodeTime, packet.presentationTime]
            bytes = packet.bytes
            flags = [packet.isKeyFrame, packet.isDiscarded]
            skippedSamples = packet.skippedSamples
        }
    }

    private static func packets(_ demuxer: Demuxer, atMost count: Int = .max) throws -> [ReadPacket] {
        let packet = try Packet()
        var packets: [ReadPacket] = []
        while packets.count < count, try demuxer.read(into: packet) { packets.append(ReadPacket(packet)) }
        return packets
    }
}
