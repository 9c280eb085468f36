import Foundation
import TestSupport
import Testing

/// Clips that break off, and clips that are encrypted.
@Suite struct DamagedClipTests {
    struct Cut: Sendable, CustomTestStringConvertible {
        let name: String
        let options: String
        /// What is left of the file.
        var part = 0.5
        /// Whether reading ends with an error, as libav's demuxer of this format has it, or just ends.
        let endsWithError: Bool
        var testDescription: String { name }
    }

    @Test(arguments: [
        Cut(name: "cut.rm", options: "-c:v rv20 -q:v 2 -g 25", endsWithError: true),
        Cut(name: "cut.mkv", options: "-c:v mpeg4 -q:v 2", endsWithError: false),
        Cut(name: "cut.ts", options: "-c:v mpeg2video -q:v 2", endsWithError: false),
        Cut(name: "cut.flv", options: "-c:v flv -q:v 2", endsWithError: false),
        Cut(name: "cut.avi", options: "-c:v mpeg4 -q:v 2", endsWithError: false),
    ])
    func `a clip that was cut off becomes a Live Photo of what is there`(test: Cut) throws {
        let clip = try CountingClip.make(test.name, test.options)
        let folder = try TemporaryFolder()
        let cut = try CountingClip.changed(clip, in: folder) { $0 = $0.prefix(Int(Double($0.count) * test.part)) }
        let report = try Report(try Program.livephoto("convert", cut, "-o", folder.path("out"), "--json"))
        let whole = try FullDecode(cut)
        let photo = try FullDecode(report.photo)
        #expect(photo.numbers == [whole.numbers[try whole.frame(at: report.stillTimeInClip)]])
        #expect((50..<130).contains(whole.numbers.count))
        // The middle of what is there, and all warnings speak of the damage.
        #expect(abs(report.stillTimeInClip - (whole.times.last ?? 0) / 2) < 0.3)
        #expect(report.warnings.count { $0.hasPrefix("the clip is damaged after ") } == (test.endsWithError ? 1 : 0))
    }

    @Test func `a warning names the place from which on a clip cannot be read`() throws {
        // With sound between them, each picture is a chunk.
        let clip = try CountingClip.make(
            "chunks.mov", "-f lavfi -i sine=d=8 -c:v mjpeg -q:v 2 -c:a pcm_s16le -map 0:v -map 1:a")
        let folder = try TemporaryFolder()
        let broken = try CountingClip.changed(clip, in: folder) { try Self.moveOutOfReach(chunk: 60, of: &$0) }
        // At 4.5, the picture begins after the damage, which is met by reading the sound before it.
        for (still, isDamaged, picture) in [("3", true, 59), ("4.5", false, 112), ("7", false, 175)] {
            let report = try Report(
                try Program.livephoto("convert", broken, "--still", still, "-o", folder.path(still), "--json"))
            let times = report.warnings.compactMap { warning in
                warning.firstMatch(of: /^the clip is damaged after ([0-9.]+) s/).flatMap { Double($0.1) }
            }
            #expect(times == (isDamaged ? [59.0 / 25] : []), "\(report.warnings)")
            #expect(try FullDecode(report.photo).numbers == [picture])
        }
    }

    /// Writes the offsets of the first track's chunks with 64 bits (`co64`, ISO/IEC 14496-12, 8.7.5), one of them one to
    /// which no file reaches. The movie box comes after the media.
    private static func moveOutOfReach(chunk: Int, of data: inout Data) throws {
        func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let type = try #require(data.range(of: Data("stco".utf8)))
        let (start, count) = (type.lowerBound - 4, number(type.upperBound + 4))
        try #require(chunk < count)
        var box = big(16 + 8 * count, 4) + Array("co64".utf8) + big(0, 4) + big(count, 4)
        for index in 0..<count {
            box += big(index == chunk ? 1 << 62 : number(type.upperBound + 8 + 4 * index), 8)
        }
        let growth = box.count - number(start)
        for name in ["moov", "trak", "mdia", "minf", "stbl"] {
            let type = try #require(data.range(of: Data(name.utf8), options: .backwards, in: 0..<start))
            let parent = type.lowerBound - 4
            data.replaceSubrange(parent..<parent + 4, with: big(number(parent) + growth, 4))
        }
        data.replaceSubrange(start..<start + number(start), with: box)
    }

    @Test func `a reader that asks for another try gets one`() throws {
        // A movie of Silicon Graphics, whose reader does so at the end of each track. Version 2: both tracks' packets lie
        // where the table says.
        let (width, height, count) = (64, 48, 60)
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        var header = Array("MOVI".utf8) + big(2, 2) + zeros(10)
        header += big(Int(bitPattern: UInt(Double(25).bitPattern)), 8) + big(1, 2) + big(0, 2)
        for value in [count, 2, width, height] { header += big(value, 4) }
        header += zeros(12)
        for value in [8000, 2, 401, 1] { header += big(value, 4) }
        header += zeros(8 + 0x80 + 0x100 + 0x80)
        let sound = zeros(640)
        var data: [UInt8] = []
        var table: [UInt8] = []
        for number in 0..<count {
            let row = (0..<width).flatMap { column -> [UInt8] in
                let level: UInt8 = number >> (column / 8) & 1 == 1 ? 255 : 0
                return [255, level, level, level]
            }
            let picture = (0..<height).flatMap { _ in row }
            let place = header.count + count * 20 + data.count
            table += big(place, 4) + big(sound.count, 4) + big(picture.count, 4) + big(0, 8)
            data += sound + picture
        }
        let folder = try TemporaryFolder()
        try Data(header + table + data).write(to: URL(fileURLWithPath: folder.path("old.mv")))
        try expectFullDecode(folder.path("old.mv"), stills: [0.4, 2])
    }

    // MARK: Encrypted clips

    private func expectEncrypted(_ clip: String, _ sentence: String = "is encrypted", _ arguments: [String] = []) throws
    {
        let folder = try TemporaryFolder()
        try expectFailure(["convert", clip] + arguments, in: folder, 65, sentence)
    }

    private static let key =
        "-encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb"
        + " -encryption_kid a7e61c373e219033c21091fa607bf3b8"

    @Test(arguments: [
        "-c:v libx264 -pix_fmt yuv420p", "-c:v libx264 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov",
    ])
    func `a movie of Common Encryption is refused as encrypted`(options: String) throws {
        try expectEncrypted(try CountingClip.make("cenc.mp4", "\(options) \(Self.key)"))
    }

    @Test(arguments: ["encv", "drmi"])
    func `a movie with a sample entry of encrypted video is refused as encrypted`(entry: String) throws {
        let clip = try CountingClip.make("entry.mov", "-c:v libx264 -pix_fmt yuv420p")
        let folder = try TemporaryFolder()
        try expectEncrypted(try CountingClip.changed(clip, in: folder) { try $0.replaceAll("avc1", with: entry) })
    }

    @Test func `sound alone that is encrypted can be left out`() throws {
        let clip = try SampleClips.moving("sound.mov", size: "64x48", seconds: 2)
        let folder = try TemporaryFolder()
        let changed = try CountingClip.changed(clip, in: folder) { data in
            // The sample entry, not the box of the same name within it.
            let media = try #require(data.range(of: Data("smhd".utf8)))
            let entry = Data("stsd\0\0\0\0\0\0\0\u{1}".utf8)
            let table = try #require(data.range(of: entry, in: media.upperBound..<data.count))
            data.replaceSubrange(table.upperBound + 4..<table.upperBound + 8, with: Data("enca".utf8))
        }
        try expectEncrypted(changed, "sound is encrypted; leave the sound out (--no-audio")
        let report = try Report(
            try Program.livephoto("convert", changed, "--no-audio", "-o", folder.path("out"), "--json"))
        #expect(report.warnings.isEmpty)
    }

    /// Content Encryption Object: its size, then four fields, each behind its length (ASF specification, 3.14).
    private static let contentEncryption: [UInt8] = [
        [0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC, 0x6E],
        little(24 + 30, 8), little(4, 4), [1, 2, 3, 4], little(4, 4), Array("DRM\0".utf8), little(4, 4),
        Array("key\0".utf8), little(2, 4), Array("u\0".utf8),
    ].flatMap(\.self)

    /// Extended Content Encryption Object (3.15).
    private static let extendedEncryption: [UInt8] = [
        [0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C, 0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9, 0x28, 0x9C],
        little(24 + 8, 8), little(4, 4), [1, 2, 3, 4],
    ].flatMap(\.self)

    @Test(arguments: [contentEncryption, extendedEncryption])
    func `an ASF file with a content encryption object is refused as encrypted`(object: [UInt8]) throws {
        let clip = try CountingClip.make("drm.asf", "-c:v msmpeg4 -q:v 2")
        let folder = try TemporaryFolder()
        let changed = try CountingClip.changed(clip, in: folder) { data in
            // The Header Object: its identifier, 8 bytes size, 4 bytes count of objects, 2 reserved ones.
            let size = data[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
            let count = data[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
            data.replaceSubrange(16..<28, with: little(size + object.count, 8) + little(count + 1, 4))
            data.insert(contentsOf: object, at: 30)
        }
        try expectEncrypted(changed)
    }

    @Test func `a scrambled transport stream is refused as encrypted`() throws {
        let clip = try CountingClip.make("scrambled.ts", "-c:v mpeg2video -q:v 2")
        let folder = try TemporaryFolder()
        try expectEncrypted(
            try CountingClip.changed(clip, in: folder) { data in
                // The recording begins within a packet. The video's PID is 256, as ffmpeg numbers them.
                defer { data = data.dropFirst(100) }
                for place in stride(from: 0, to: data.count, by: 188)
                where data[place + 1] & 0x1F == 1 && data[place + 2] == 0 && place > 188 * 8 {
                    data[place + 3] |= 0x80
                    for byte in place + 20..<place + 188 { data[byte] ^= 0x5A }
                }
            })
    }

    @Test func `a scrambled program stream is refused as encrypted`() throws {
        let clip = try CountingClip.make("scrambled.vob", "-c:v mpeg2video -q:v 2")
        let folder = try TemporaryFolder()
        try expectEncrypted(
            try CountingClip.changed(clip, in: folder) { data in
                let start = Data([0, 0, 1, 0xE0])
                var place = data.range(of: start)
                while let found = place {
                    data[found.upperBound + 2] |= 0x10
                    place = data.range(of: start, in: found.upperBound..<data.count)
                }
            })
    }
}
