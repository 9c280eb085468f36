import Foundation
import TestSupport
import Testing

/// What a first user does wrong is one sentence that says what to do.
@Suite struct MistakeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
        try FileManager.default.copyItem(atPath: SampleClips.beach(), toPath: folder.path("clip.mp4"))
    }

    /// Adds what the table needs: files that are no clips, a clip and a photo without a partner, and job files.
    private func addOtherFiles() throws {
        func copy(_ source: String, _ name: String) throws {
            try FileManager.default.copyItem(atPath: source, toPath: folder.path(name))
        }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
        }
        for name in ["folder", "alone"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        try copy(SampleClips.beach(), "alone/clip.mp4")
        try copy(SampleClips.make("tone.mp3", "-f lavfi -i sine=440 -t 1"), "sound.mp3")
        try copy(SampleClips.make("frame.jpg", "-i \(try SampleClips.beach()) -frames:v 1"), "photo.jpg")
        let clip = try Data(contentsOf: folder.url.appendingPathComponent("clip.mp4"))
        try clip.prefix(20_000).write(to: folder.url.appendingPathComponent("cut.mp4"))
        for (name, text) in [
            ("empty.mp4", ""), ("notes.txt", "hello\n"), ("alone/takeout.zip", ""), ("mine.yaml", "x\n"),
            ("keep.csv", "1,2\n"), ("keep.html", "<!DOCTYPE html>\n"),
            ("good.yaml", "version: 1\njobs:\n- input: clip.mp4\n"),
            ("jobs.yaml", "version: 1\njobs:\n- input: clip.mp4\n- inptu: clip.mp4\n"),
        ] {
            try write(text, name)
        }
    }

    @Test(arguments: Self.table)
    func `each of a hundred mistakes of a first user is one sentence that says what to do`(
        line: String, status: Int32, sentence: String
    ) throws {
        try addOtherFiles()
        try expectFailure(line.split(separator: " ").map(String.init), in: folder, status, sentence)
    }

    @Test func `a photo and a movie of one name that are not linked are not shared`() throws {
        try addOtherFiles()
        for (name, copy) in [("photo.jpg", "folder/twin.jpg"), ("clip.mp4", "folder/twin.mp4")] {
            try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path(copy))
        }
        let sentence = "folder/twin.jpg: is not a Live Photo with folder/twin.mp4: "
        try expectFailure(["share", "folder/twin.jpg"], in: folder, 65, sentence)
        let outcome = try Program.livephoto(["share", "folder"], in: folder.url)
        #expect(outcome.status == 66 && outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("convert https://example.org/a.mp4", 66, "it is an address: download the file first"),
        ("convert *.mkv", 66, "*.mkv: no such file; without quotation marks, the shell replaces a pattern"),
        ("convert Clip.MP4", 66, "Clip.MP4: no such file; did you mean 'clip.mp4'?"),
        ("inspect BEACH.jpg", 66, "did you mean 'beach.JPG'?"),
        (
            "convert clip.mp4 --photo clip.mp4", 65, "clip.mp4: is a movie; --still takes the photo from the clip"
        ),
        ("convert clip.mp4 --no-audio --volume 2", 64, "--no-audio and --volume exclude each other"),
        ("edit beach.JPG --no-audio --volume 2 -o x", 64, "--no-audio and --volume exclude each other"),
        ("convert clip.mp4 --still 1 --still 2", 64, "--still is given twice; leave one out"),
        ("convert clip.mp4 -o a --output=b", 64, "--output is given twice; leave one out"),
        ("convert clip.mp4 -oa -fo b", 64, "--output is given twice; leave one out"),
        ("link .", 64, "'.' is a folder; --by-name . links all pairs in it"),
        ("batch clip.mp4", 64, "'clip.mp4' is a clip, not a job file; to convert it: livephoto convert clip.mp4"),
        ("batch", 64, "name the job file: livephoto batch JOBFILE"),
        ("convert clip.mp4 --trim 1", 64, "unknown option '--trim'; use --start and --end for the part to keep"),
        ("convert clip.mp4 --date yesterday", 64, "--date: 'yesterday' is not a date"),
        ("convert clip.mp4 --date 2025-02-30", 64, "--date: '2025-02-30' is not a date"),
        ("convert clip.mp4 --max-size 1080i", 64, "--max-size: '1080i' is not a size"),
        ("export beach.JPG -o beach.mov", 64, "give --output the extension of a format, such as beach.gif"),
        ("export beach.JPG", 64, "give --output the extension of a format, such as beach.gif"),
    ])
    func `a mistake is one sentence that says what to do`(line: String, status: Int32, sentence: String) throws {
        try expectFailure(line.split(separator: " ").map(String.init), in: folder, status, sentence)
    }

    @Test(arguments: [
        ("2025-07-12", "2025-07-12T12:00:00"), ("2025-07-12 18:30", "2025-07-12T18:30:00"),
        ("2025:07:12 18:30:05", "2025-07-12T18:30:05"), ("2025-07-12T18:30:05+02:00", "2025-07-12T18:30:05+0200"),
        ("2025-07-12T18:30Z", "2025-07-12T18:30:00+0000"),
    ])
    func `a date can be written as people and cameras do`(text: String, written: String) throws {
        let outcome = try Program.livephoto("convert", "clip.mp4", "-n", "--json", "--date", text, in: folder.url)
        #expect(outcome.output.contains("\"captureDate\":\"\(written)\""), "\(outcome)")
    }

    @Test(arguments: [("720p", "320x180"), ("90p", "160x90"), ("4k", "320x180")])
    func `a size can be written as its lines`(text: String, size: String) throws {
        let outcome = try Program.livephoto("convert", "clip.mp4", "-n", "--max-size", text, in: folder.url)
        #expect(outcome.status == 0 && outcome.output.contains("\nmovie: \(size),"), "\(outcome)")
    }

    @Test func `a name with the extension of a photo or movie is the name without it`() throws {
        let outcome = try Program.livephoto("convert", "clip.mp4", "--name", "sea.JPG", in: folder.url)
        #expect(outcome.output == "sea.JPG\nsea.MOV\n")
    }

    @Test func `an export needs no format if the name of its file has one`() throws {
        let outcome = try Program.livephoto(
            "export", "beach.JPG", "-o", "beach.gif", "--max-size", "64", in: folder.url)
        #expect(outcome.status == 0 && outcome.output == "beach.gif\n", "\(outcome.errors)")
    }

    @Test func `unlink prints what it wrote, and undo brings the pair back whatever changed it`() throws {
        let before = try folder.files
        func run(_ line: String) throws -> Outcome {
            try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
        }
        #expect(try run("edit beach.JPG --no-audio --in-place").status == 0)
        #expect(try run("unlink beach.JPG --in-place").output == "beach.JPG\nbeach.MOV\n")
        let json = try run("unlink beach.JPG beach.MOV --force -o plain --json").output
        #expect(json == #"{"dryRun":false,"movie":"plain/beach.MOV","photo":"plain/beach.JPG","schema":1}"# + "\n")
        let planned = try run("undo . --dry-run")
        #expect(planned.status == 0 && planned.output.contains("beach.MOV: would be restored\n"), "\(planned)")
        #expect(try run("undo beach.MOV").status == 0)
        #expect(try folder.files.filter { !$0.key.hasPrefix("plain/") } == before)
        #expect(try run("undo .").status == 66)
    }
}
