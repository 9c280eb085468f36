import Foundation
import TestSupport
import Testing

/// Several Live Photos of one clip whose movies overlap: they are made together.
@Suite struct NearMomentsTests {
    struct Clip: Sendable, CustomTestStringConvertible {
        let name: String
        let options: String
        /// What is left of the file.
        var part = 1.0
        var testDescription: String { "\(name) \(options)" }
    }

    private static let clips = [
        Clip(name: "b.mp4", options: "-c:v libx264 -bf 3 -g 40 -c:a aac"),
        Clip(name: "open.mkv", options: "-c:v libx264 -x264-params open-gop=1:keyint=15 -c:a libvorbis"),
        Clip(name: "silent.mp4", options: "-c:v libx264 -an"),
        Clip(name: "interlaced.ts", options: "-c:v mpeg2video -flags +ilme+ildct -top 1 -c:a mp2"),
        Clip(name: "times.avi", options: "-c:v mpeg4 -bf 2 -c:a pcm_s16le"),
        Clip(name: "cut.ts", options: "-c:v mpeg2video -c:a mp2", part: 0.6),
        Clip(name: "cut.mkv", options: "-c:v libx264 -c:a aac", part: 0.7),
    ]

    @Test(arguments: clips)
    func `Live Photos made together have the bytes that each has if it is made alone`(clip: Clip) throws {
        let source = try SampleClips.make(
            "near-" + clip.name,
            "-f lavfi -i testsrc2=s=320x180:r=25:d=4 -f lavfi -i sine=d=4 -shortest \(clip.options)")
        let folder = try TemporaryFolder()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
        try bytes.prefix(Int(Double(bytes.count) * clip.part)).write(
            to: folder.url.appendingPathComponent(clip.name))
        func convert(_ place: String, _ options: String...) throws -> (files: [String: Data], errors: String) {
            let options = ["--still", "0.9,1.4,2", "--name", "x", "-o", "\(place)/out"] + options
            let outcome = try Program.livephoto(["convert", clip.name] + options, in: folder.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let files = try folder.files.filter { $0.key.hasPrefix("\(place)/") }
            return (
                Dictionary(uniqueKeysWithValues: files.map { (String($0.key.dropFirst(place.count)), Data($0.value)) }),
                outcome.errors
            )
        }
        let together = try convert("together")
        // A limit of time is that of each Live Photo.
        let alone = try convert("alone", "--timeout", "600")
        #expect(together.files.count == 6 && together.files == alone.files)
        #expect(together.errors == alone.errors)
    }

    @Test func `one of several that exists is kept, and the others are made`() throws {
        let folder = try TemporaryFolder()
        func convert() throws -> Outcome {
            try Program.livephoto("convert", SampleClips.beach(), "--still", "1,1.5,2", "-o", "out", in: folder.url)
        }
        #expect(try convert().status == 0)
        let first = try folder.files
        try FileManager.default.removeItem(atPath: folder.path("out/beach-1.JPG"))
        try FileManager.default.removeItem(atPath: folder.path("out/beach-1.MOV"))
        #expect(try convert().output == "out/beach-1.JPG\nout/beach-1.MOV\n")
        #expect(try folder.files == first)
        // A file of another origin fails alone.
        try folder.write("mine", to: "out/beach-2.JPG")
        try FileManager.default.removeItem(atPath: folder.path("out/beach-3.MOV"))
        try FileManager.default.removeItem(atPath: folder.path("out/beach-3.JPG"))
        let third = try convert()
        #expect(third.status == 1 && third.output == "out/beach-3.JPG\nout/beach-3.MOV\n")
        #expect(third.errors.contains("beach-2.JPG: already exists"), "\(third.errors)")
    }
}
