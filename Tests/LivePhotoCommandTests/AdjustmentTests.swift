import Foundation
import TestSupport
import Testing

/// Options that turn the picture and change its tone, colour and sound.
@Suite struct AdjustmentTests {
    struct Tone: Sendable, CustomTestStringConvertible {
        let options: String
        let color: [Int]
        let expected: [Int]
        var testDescription: String { "\(options) of \(color)" }
    }

    private func flat(_ color: [Int], size: String = "128x96") throws -> String {
        let name = color.map { String($0) }.joined(separator: "-")
        let hex = color.map { String(format: "%02x", $0) }.joined()
        return try SampleClips.make(
            "flat-\(name).mkv",
            "-f lavfi -i color=0x\(hex):size=\(size):rate=15:duration=0.4,format=gbrp -c:v ffv1")
    }

    private func convert(_ clip: String, _ options: [String], in folder: TemporaryFolder) throws -> Report {
        try Report(try Program.livephoto(["convert", clip, "-o", folder.path("out"), "--force", "--json"] + options))
    }

    /// The values follow from the definitions: light is the signal to the power of 2.2, and white balance keeps luminance.
    @Test(arguments: [
        Tone(options: "--exposure 1", color: [64, 64, 64], expected: [88, 88, 88]),
        Tone(options: "--exposure -1", color: [128, 128, 128], expected: [93, 93, 93]),
        Tone(options: "--exposure 3", color: [255, 255, 255], expected: [255, 255, 255]),
        Tone(options: "--exposure 3", color: [0, 0, 0], expected: [0, 0, 0]),
        Tone(options: "--contrast 100", color: [64, 64, 64], expected: [40, 40, 40]),
        Tone(options: "--contrast -100", color: [64, 64, 64], expected: [88, 88, 88]),
        Tone(options: "--contrast 100", color: [128, 128, 128], expected: [128, 128, 128]),
        Tone(options: "--saturation -100", color: [200, 60, 60], expected: [90, 90, 90]),
        Tone(options: "--saturation 100", color: [140, 100, 100], expected: [171, 92, 92]),
        Tone(options: "--warmth 100", color: [128, 128, 128], expected: [146, 124, 106]),
        Tone(options: "--warmth -100", color: [128, 128, 128], expected: [112, 131, 153]),
        Tone(options: "--tint 100", color: [128, 128, 128], expected: [141, 122, 141]),
        Tone(options: "--exposure 0 --contrast 0 --vignette 0", color: [90, 120, 40], expected: [90, 120, 40]),
    ])
    func `tone and colour change by the stated amount, in photo and movie alike`(tone: Tone) throws {
        let folder = try TemporaryFolder()
        let report = try convert(
            try flat(tone.color), tone.options.split(separator: " ").map { String($0) }, in: folder)
        for file in [report.photo, report.movie] {
            let found = try Reader.pixel(file, 64, 48)
            #expect(zip(found, tone.expected).allSatisfy { abs($0 - $1) <= 4 }, "\(found) in \(file)")
        }
    }

    @Test func `a brighter picture keeps steps between bright parts`() throws {
        let ramp = try SampleClips.make(
            "ramp.mkv",
            "-f lavfi -i color=black:size=256x64:rate=15:duration=0.4,format=gbrp,geq=r=X:g=X:b=X -c:v ffv1")
        let folder = try TemporaryFolder()
        let photo = try convert(ramp, ["--exposure", "1.5"], in: folder).photo
        let steps = try [150, 180, 210, 240].map { try Reader.pixel(photo, $0, 32)[0] }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 + 2 < $1 } && steps[3] < 255, "\(steps)")
    }

    @Test(arguments: [
        (["--rotate", "90"], "128x256", [40, 200], [200, 174]),
        (["--rotate", "180"], "256x128", [40, 20], [215, 214]),
        (["--rotate", "270"], "128x256", [40, 200], [55, 80]),
        (["--flip", "horizontal"], "256x128", [40, 20], [215, 40]),
        (["--flip", "vertical"], "256x128", [40, 20], [40, 214]),
        (["--rotate", "90", "--flip", "horizontal"], "128x256", [40, 200], [200, 80]),
        (["--rotate", "90", "--crop", "20,100,64,80"], "64x80", [20, 40], [140, 174]),
        (["--rotate", "90", "--fill", "1:1"], "128x128", [40, 64], [128, 174]),
    ])
    func `the picture is rotated, then mirrored, then cropped`(
        options: [String], size: String, place: [Int], expected: [Int]
    ) throws {
        // Red is the column, green twice the row.
        let ramps = try SampleClips.make(
            "turned.mkv",
            "-f lavfi -i color=black:size=256x128:rate=30:duration=0.2,format=gbrp,geq=r=X:g=Y*2:b=64 -c:v ffv1")
        let folder = try TemporaryFolder()
        let report = try convert(ramps, options, in: folder)
        #expect("\(report.photoWidth)x\(report.photoHeight)" == size && "\(report.width)x\(report.height)" == size)
        for file in [report.photo, report.movie] {
            let found = try Reader.pixel(file, place[0], place[1])
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(found) in \(file)")
        }
    }

    @Test(arguments: ["-30", "4.5"]) func `a straightened picture has its size, and no empty corner`(angle: String)
        throws
    {
        let folder = try TemporaryFolder()
        let report = try convert(try flat([180, 180, 180]), ["--straighten", angle], in: folder)
        #expect(report.photoWidth == 128 && report.photoHeight == 96)
        for file in [report.photo, report.movie] {
            for (x, y) in [(0, 0), (127, 0), (0, 95), (127, 95)] {
                let found = try Reader.pixel(file, x, y)
                #expect(found.allSatisfy { abs($0 - 180) <= 8 }, "\(found) at \(x), \(y) of \(file)")
            }
        }
    }

    @Test func `a vignette darkens the corners and not the middle`() throws {
        let folder = try TemporaryFolder()
        let report = try convert(try flat([180, 180, 180]), ["--vignette", "100"], in: folder)
        for file in [report.photo, report.movie] {
            #expect(try Reader.pixel(file, 64, 48)[0] > 170)
            #expect(try Reader.pixel(file, 2, 2)[0] < 90)
        }
    }

    @Test(arguments: [("--sharpen", true), ("--denoise", false)])
    func `sharpening strengthens fine detail, and removing noise weakens it`(option: String, strengthens: Bool) throws {
        let noise = try SampleClips.make(
            "noise.mkv",
            "-f lavfi -i color=gray:size=128x96:rate=15:duration=0.4,noise=alls=12:all_seed=7,format=gray -c:v ffv1")
        let folder = try TemporaryFolder()
        let detail = try ["0", "100"].map { strength in
            let photo = try convert(noise, [option, strength], in: folder).photo
            let row = try Reader.pixel(photo, 20, 40, count: 80)
            return zip(row, row.dropFirst(3)).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        #expect(strengthens ? detail[1] > detail[0] * 5 / 4 : detail[1] < detail[0] * 3 / 4, "\(detail)")
    }

    @Test func `a photo of one's own is adjusted like the movie, keeps its metadata, and its shape`() throws {
        let folder = try TemporaryFolder()
        let photo = folder.path("own.jpg")
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=0x404040:size=120x80", "-frames:v", "1",
            photo,
        ])
        try Program.run([
            "exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", "-Artist=Me",
            "-DateTimeOriginal=2024:02:03 04:05:06", photo,
        ])
        let report = try convert(
            try flat([64, 64, 64]), ["--photo", photo, "--exposure", "1", "--rotate", "180"], in: folder)
        #expect(report.photoWidth == 80 && report.photoHeight == 120)
        for file in [report.photo, report.movie] {
            #expect(try Reader.pixel(file, 40, 40).allSatisfy { abs($0 - 88) <= 4 })
        }
        let tags = try Reader.tags(report.photo)
        #expect(tags["Artist"] as? String == "Me" && tags["Orientation"] as? Int ?? 1 == 1)
        #expect(tags["DateTimeOriginal"] as? String == "2024:02:03 04:05:06")
    }

    @Test(arguments: [
        (["--exposure", "1"], true), (["--exposure", "1", "--no-location"], false), (["--rotate", "90"], true),
    ])
    func `an adjusted photo keeps its XMP, without the location if that is asked for`(
        options: [String], keepsLocation: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let photo = folder.path("own.jpg")
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=120x80", "-frames:v", "1", photo,
        ])
        try Program.run(["exiftool", "-q", "-overwrite_original", "-XMP-dc:Title=Shore", "-XMP:City=Kyoto", photo])
        let report = try convert(try flat([64, 64, 64]), ["--photo", photo] + options, in: folder)
        let tags = try Reader.tags(report.photo)
        #expect(tags["Title"] as? String == "Shore" && (tags["City"] as? String == "Kyoto") == keepsLocation)
    }

    @Test func `a warning says that further pictures in an adjusted photo get lost`() throws {
        let folder = try TemporaryFolder()
        let plain = folder.path("plain.jpg")
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=120x80", "-frames:v", "1", plain,
        ])
        // A segment APP2 with the beginning of a list of pictures.
        let list: [UInt8] = [0xFF, 0xE2, 0, 8] + Array("MPF\0".utf8) + [0, 0]
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain)))
        let photo = folder.path("listed.jpg")
        try Data(bytes.prefix(2) + list + bytes.dropFirst(2)).write(to: URL(fileURLWithPath: photo))
        for (file, isWarned) in [(plain, false), (photo, true)] {
            let outcome = try Program.livephoto(
                "convert", try flat([64, 64, 64]), "--photo", file, "--exposure", "1", "-o", folder.path("out"),
                "--force")
            #expect(outcome.errors.contains("further pictures in the photo") == isWarned, "\(outcome.errors)")
        }
    }

    @Test(arguments: [("0.5", -6.0), ("2", 6), ("4", 12)])
    func `sound becomes softer or louder by the factor`(factor: String, decibels: Double) throws {
        let quiet = try SampleClips.make(
            "quiet.mp4",
            "-f lavfi -i testsrc2=size=128x96:rate=15:duration=1 -f lavfi -i sine=frequency=440:duration=1,volume=0.5"
                + " -c:v libx264 -pix_fmt yuv420p -c:a aac -b:a 128k")
        let folder = try TemporaryFolder()
        let before = try #require(try Reader.volume(try convert(quiet, [], in: folder).movie))
        let after = try #require(try Reader.volume(try convert(quiet, ["--volume", factor], in: folder).movie))
        #expect(abs(after - before - decibels) < 0.8, "\(before) dB, then \(after) dB")
    }

    @Test func `loud sound that becomes louder does not clip, and a volume of 0 leaves the sound out`() throws {
        let loud = try SampleClips.make(
            "loud.mp4",
            "-f lavfi -i testsrc2=size=128x96:rate=15:duration=1 -f lavfi -i sine=frequency=440:duration=1,volume=7"
                + " -c:v libx264 -pix_fmt yuv420p -c:a aac -b:a 128k")
        let folder = try TemporaryFolder()
        let louder = try convert(loud, ["--volume", "4"], in: folder).movie
        let outcome = try Program.system(
            "ffmpeg", ["-v", "info", "-nostdin", "-i", louder, "-vn", "-af", "astats", "-f", "null", "-"])
        let flat = outcome.errors.components(separatedBy: "Flat factor: ").dropFirst().compactMap {
            Double($0.prefix { $0.isNumber || $0 == "." })
        }
        #expect(!flat.isEmpty && flat.allSatisfy { $0 < 1 }, "\(flat)")
        let silent = try convert(loud, ["--volume", "0"], in: folder).movie
        #expect(!(try Reader.streams(silent)).contains { $0["codec_type"] as? String == "audio" })
    }

    @Test(arguments: [
        ("--rotate", "45", "90, 180 or 270"), ("--exposure", "9", "stops from -5 to 5"),
        ("--contrast", "150", "a whole number from -100 to 100"), ("--straighten", "60", "degrees from -45 to 45"),
        ("--vignette", "-1", "a whole number from 0 to 100"), ("--volume", "5", "a factor from 0 to 4"),
        ("--flip", "up", "horizontal or vertical"),
    ])
    func `a wrong value is a usage error that says what is allowed`(option: String, value: String, allowed: String)
        throws
    {
        let folder = try TemporaryFolder()
        let outcome = try Program.livephoto(
            "convert", try SampleClips.beach(), "-o", folder.path("out"), option, value)
        #expect(outcome.status == 64 && outcome.errors.contains("'\(value)' is not "), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(option): ") && outcome.errors.contains(allowed), "\(outcome.errors)")
    }
}
