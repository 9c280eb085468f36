import Foundation
import TestSupport
import Testing

/// `inspect`, as its users run it.
@Suite struct InspectTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(DevicePair.photo, "IMG_0001.HEIC")
        try write(DevicePair.movie, "IMG_0001.MOV")
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private func inspect(_ arguments: String...) throws -> Outcome {
        try Program.livephoto(["inspect"] + arguments, in: folder.url)
    }

    /// What it prints where nothing is wrong.
    private func page(_ arguments: String...) throws -> String {
        let outcome = try Program.livephoto(["inspect"] + arguments, in: folder.url)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output
    }

    @Test func `an empty folder does not keep the next argument from being shown`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
        let outcome = try inspect("empty", "IMG_0001.MOV")
        #expect(outcome.status == 1 && outcome.errors.contains("empty: contains no photo"), "\(outcome.errors)")
        #expect(try outcome.output == inspect("IMG_0001.MOV").output)
    }

    @Test func `a device's pair is told on two pages and a line`() throws {
        #expect(
            try page("IMG_0001.MOV", "IMG_0001.HEIC") == GoldenPages.movie + "\n" + GoldenPages.photo + GoldenPages.pair
        )
    }

    @Test func `two files that are no pair are said to be none`() throws {
        let other = DevicePair.photo.replacing(bytes: hex("'AABBCCDDEEFF'"), with: hex("'AABBCCDDEE99'"))
        try write(other, "other.HEIC")
        let line = "\nnot a pair: the content identifiers differ or are missing\n"
        #expect(try page("other.HEIC", "IMG_0001.MOV").hasSuffix(line))
        // Nothing to compare.
        #expect(try !page("IMG_0001.MOV", "IMG_0001.MOV").contains("pair"))
        #expect(try !page("IMG_0001.MOV", "IMG_0001.HEIC", "other.HEIC").contains("pair"))
    }

    @Test func `a folder is a line for each file, whatever is in the others`() throws {
        try write(Array("no photo".utf8), "broken.jpg")
        try write(MotionPhotos.microVideo, "deeper/MVIMG_1.jpg")
        let outcome = try inspect(".")
        #expect(outcome.status == 0)
        let identifier = DevicePair.contentIdentifier
        #expect(
            outcome.output == """
                IMG_0001.HEIC  HEIC  1192x894  \(identifier)  gain map
                IMG_0001.MOV  HEVC Main, level 5.0, 1920x1440, 30 fps  1.4 s  \(identifier)  still at 0.9 s
                deeper/MVIMG_1.jpg  JPEG  16x8  no identifier  MicroVideo

                """)
        #expect(outcome.errors.hasPrefix("warning: broken.jpg: is not a photo (JPEG, HEIC, AVIF), movie"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `what cannot be read in a folder does not stop the others, and is told`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("A.JPG"), withDestinationPath: "nowhere")
        let outcome = try inspect(".")
        #expect(outcome.status == 1 && outcome.errors == "error: A.JPG: no such file\n")
        #expect(outcome.output.split(separator: "\n").count == 2)
    }

    @Test func `a named file that cannot be read does not stop the others, and alone tells its own status`() throws {
        try write(Array("no photo".utf8), "broken.jpg")
        for options in [[], ["--json"], ["--boxes"]] {
            let outcome = try Program.livephoto(
                ["inspect"] + options + ["nothing.MOV", "IMG_0001.MOV", "broken.jpg", "IMG_0001.HEIC"], in: folder.url)
            #expect(outcome.status == 1 && outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
            #expect(outcome.output.contains(options == ["--boxes"] ? "moov" : "IMG_0001.HEIC"))
        }
        #expect(try inspect("nothing.MOV").status == 66 && inspect("broken.jpg").status == 65)
    }

    @Test func `JSON lines are one document a file`() throws {
        try write(Array("no photo".utf8), "broken.jpg")
        let outcome = try inspect("--json", ".", "IMG_0001.MOV")
        let documents = try outcome.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(documents.map { $0["kind"] as? String } == ["photo", "movie", "movie"])
        #expect(documents.allSatisfy { $0["schema"] as? Int == 1 })
        let still = (documents[1]["movie"] as? [String: Any])?["still"] as? [String: Any]
        #expect(still?["time"] as? Double == 0.9)
        #expect(still?["frame"] as? Int == 27)
    }

    @Test func `--boxes lists boxes, and says what has none`() throws {
        let both = try Program.livephoto("inspect", "--boxes", "--json", "IMG_0001.MOV", in: folder.url)
        #expect(both.status == 64 && both.errors.hasPrefix("error: --boxes and --json exclude each other"))
        let lines = try page("--boxes", "IMG_0001.MOV").split(separator: "\n")
        #expect(lines.count == 183)
        #expect(lines[2] == "        1181         5637  moov")
        #expect(try page("--boxes", "IMG_0001.HEIC").contains("    ispe  1192×894\n"))
        try write(MotionPhotos.microVideo, "photo.jpg")
        try write(Array("# The Live Photo format\n".utf8), "page.md")
        for name in ["photo.jpg", "page.md"] {
            let outcome = try inspect("--boxes", name)
            #expect(outcome.status == 65 && outcome.output.isEmpty)
            #expect(outcome.errors == "error: \(name): has no boxes; it is neither a movie nor a HEIC\n")
        }
    }

    @Test func `a folder of Photos is a bundle`() throws {
        try write(DevicePair.photo, "beach.pvt/IMG_0001.HEIC")
        try write(DevicePair.movie, "beach.pvt/IMG_0001.MOV")
        try write(Array("<plist/>".utf8), "beach.pvt/metadata.plist")
        #expect(
            try page("beach.pvt") == """
                beach.pvt
                  bundle              pvt, 3 files
                  members
                    IMG_0001.HEIC   \(DevicePair.photo.count) bytes
                    IMG_0001.MOV    \(DevicePair.movie.count) bytes
                    metadata.plist  8 bytes

                """)
    }

    @Test(arguments: [("beach.livp", "livp"), ("beach.zip", "zip"), ("beach.MOV", "zip")])
    func `an archive is a bundle, and says what is packed`(name: String, format: String) throws {
        var archive = Archive()
        archive.add("IMG_0001.HEIC", DevicePair.photo)
        archive.add("IMG_0001.MOV", DevicePair.movie, isCompressed: format == "zip")
        try write(archive.bytes(comment: archive.baiduComment), name)
        let packed = format == "zip" ? ", compressed" : ""
        #expect(
            try page(name) == """
                \(name)
                  bundle              \(format), 2 files
                  members
                    IMG_0001.HEIC  \(DevicePair.photo.count) bytes
                    IMG_0001.MOV   \(DevicePair.movie.count) bytes\(packed)

                """)
    }

    @Test(arguments: MotionPhotos.all) func `the movie in a motion photo is told`(sample: MotionPhotos.Sample) throws {
        try write(sample.bytes, "photo.jpg")
        let line = "  movie in it         \(sample.text)\n"
        #expect(try page("photo.jpg").contains(line))
    }

    @Test(arguments: [
        ("empty.mov", "empty.mov: is empty (0 bytes)", 65),
        ("text.mov", "text.mov: is not a photo (JPEG, HEIC, AVIF), movie (MOV, MP4) or bundle", 65),
        ("nothing.mov", "nothing.mov: no such file", 66),
        ("damaged.livp", "damaged.livp: is not a photo, movie or", 65),
    ])
    func `what cannot be inspected ends with a sentence`(name: String, sentence: String, status: Int32) throws {
        try write([], "empty.mov")
        try write(Array("text".utf8), "text.mov")
        try write(hex("'PK' 0304"), "damaged.livp")
        for flags in [[], ["--json"]] {
            let outcome = try Program.livephoto(["inspect", name] + flags, in: folder.url)
            #expect(outcome.status == status && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("error: \(sentence)"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func `what a file holds cannot steer the terminal`() throws {
        // ESC [ 2 J clears the screen; the line end would fake a line.
        let hostile = DevicePair.movie.replacing(bytes: hex("'Apple'"), with: hex("1b '[2J' 0a"))
        try write(hostile, "hostile.mov")
        let photo = DevicePair.photo.replacing(
            bytes: hex("'iPhone 15 Plus' 00"), with: hex("1b '[2J' 0a 9b '2J Plus' 0000"))
        try write(photo, "hostile.heic")
        for name in ["hostile.mov", "hostile.heic"] {
            for flags in [[], ["--json"], ["--boxes"]] {
                let outcome = try Program.livephoto(["inspect", name] + flags, in: folder.url)
                let controls = outcome.output.unicodeScalars.filter {
                    $0 != "\n" && $0.properties.generalCategory == .control
                }
                #expect(outcome.status == 0 && controls.isEmpty, "\(name) \(flags)")
            }
        }
        #expect(try page("hostile.mov").contains(" \\u{1B}[2J\\n\n"))
    }

    @Test func `times beyond reason are printed`() throws {
        // `mvhd` of version 1: the longest duration, in seconds.
        let longest = hex("01000000 0000000000000000 0000000000000000 00000001 fffffffffffffffe")
        let header =
            hex("00000078 'mvhd'") + longest
            + hex("00010000 0100 0000 00000000 00000000 00010000 00000000 00000000 00000000 00010000")
            + hex("00000000 00000000 00000000 40000000") + [UInt8](repeating: 0, count: 28)
        try write(hex("00000080 'moov'") + header, "long.mov")
        #expect(try page("long.mov").contains("128 bytes, 1.8446744073709552e+19 s\n"))
    }
}
