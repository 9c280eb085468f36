import Foundation
import TestSupport
import Testing

/// Edits that make a new key photo and keep the movie.
@Suite struct KeyPhotoEditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func run(_ arguments: [String]) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    /// The digest of each stream's packets, as ffmpeg reads them.
    private func digests(_ movie: String, _ stream: String) throws -> String {
        try Program.run(
            ["ffmpeg", "-v", "error", "-i", folder.path(movie), "-map", "0:\(stream)", "-c", "copy", "-f", "hash", "-"])
    }

    private func similarity(_ photo: String, _ movie: String, at time: Double) throws -> Double {
        try Reader.similarity((folder.path(photo), nil), (folder.path(movie), time))
    }

    @Test(arguments: [
        ("--still 0.4 --new-key-photo", 0.4), ("--effect long-exposure --still 1", 1),
        ("--new-key-photo --effect long-exposure", nil), ("--new-key-photo", nil),
    ])
    func `a new key photo leaves the movie bit for bit`(_ options: String, _ still: Double?) throws {
        let report = try Report(
            try run(["edit", "beach.JPG", "-o", "out", "--json"] + options.split(separator: " ").map(String.init)))
        #expect(report.way == "photo")
        if let still { #expect(abs(report.stillTime - still) < 0.001) }
        for stream in ["v", "a"] {
            #expect(try digests("out/beach.MOV", stream) == digests("beach.MOV", stream))
        }
        let verified = try run(["verify", "out/beach.JPG", "--json"])
        #expect(verified.status == 0 && verified.output.contains("\"findings\":[]"), "\(verified.output)")
    }

    @Test(arguments: [
        ("--new-key-photo --duration 2", 2.0), ("--effect long-exposure --still 0.4 --start 0 --duration 1.5", 1.5),
        ("--still auto --new-key-photo --start 0 --duration 2", 2),
    ])
    func `a new key photo of a part that is cut out by its duration`(_ options: String, _ duration: Double) throws {
        let outcome = try run(
            ["edit", "beach.JPG", "-o", "out", "--json"] + options.split(separator: " ").map(String.init))
        let report = try Report(outcome)
        #expect(report.way == "photo" && abs(report.duration - duration) < 0.9, "\(report.duration)")
        let length = try Program.run([
            "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
            folder.path("out/beach.MOV"),
        ])
        let seconds = try #require(Double(length.split(separator: "\n").first ?? ""))
        #expect(abs(seconds - report.duration) < 0.05, "\(seconds)")
        #expect(try run(["verify", "out/beach.JPG"]).status == 0)
    }

    @Test func `the new key photo shows the frame at the still time, and keeps the metadata of the old one`() throws {
        try Program.run([
            "exiftool", "-q", "-overwrite_original", "-Artist=Ada", "-XMP-dc:Title=Old", folder.path("beach.JPG"),
        ])
        #expect(try run(["edit", "beach.JPG", "-o", "out", "--still", "0.4", "--new-key-photo"]).status == 0)
        #expect(try similarity("out/beach.JPG", "beach.MOV", at: 0.4) > 0.98)
        #expect(try similarity("beach.JPG", "beach.MOV", at: 0.4) < 0.95)
        let tags = try Program.run(["exiftool", "-s3", "-Artist", "-Title", folder.path("out/beach.JPG")])
        #expect(tags.contains("Ada") && tags.contains("Old"))
    }

    @Test func `a new key photo is adjusted like the movie`() throws {
        let outcome = try run(["edit", "beach.JPG", "-o", "out", "--new-key-photo", "--exposure", "1", "--json"])
        let report = try Report(outcome)
        #expect(report.way == "encoded")
        #expect(try similarity("out/beach.JPG", "out/beach.MOV", at: report.stillTime) > 0.97)
    }

    @Test func `a part begins with a key frame, as a warning says, and the photo is its frame`() throws {
        let report = try Report(
            try run([
                "edit", "beach.JPG", "-o", "out", "--new-key-photo", "--start", "1.4", "--still", "1.8", "--no-audio",
                "--json",
            ]))
        #expect(report.warnings.contains { $0.contains("begins at 0.8 s instead of 1.4 s") }, "\(report.warnings)")
        // The key frame before 1.4 s is at 0.8 s.
        #expect(abs(report.stillTime - 1) < 0.001)
        #expect(try similarity("out/beach.JPG", "out/beach.MOV", at: 1) > 0.98)
        #expect(try run(["verify", "out/beach.JPG"]).status == 0)
    }

    @Test(arguments: [
        // The key frames are at 0, 0.8 and 1.6 s: only a start between them has to be encoded.
        ("--start 1.4", "encoded", 1.4), ("--end 2.8 --duration 1.4", "encoded", 1.4), ("--start 0.8", "photo", 0.8),
        ("--start 1.4 --new-key-photo", "encoded", 1.4),
    ])
    func `an exact start is that of the frame, and only what has to be encoded is`(
        _ options: String, _ way: String, _ start: Double
    ) throws {
        let arguments = options.split(separator: " ").map(String.init) + ["--still", "1.8", "--exact"]
        let report = try Report(try run(["edit", "beach.JPG", "-o", "out", "--json"] + arguments))
        #expect(report.way == way)
        #expect(abs(report.stillTime - (1.8 - start)) < 0.001)
        #expect(!report.warnings.contains { $0.contains("key frame") }, "\(report.warnings)")
        #expect(
            try Reader.similarity((folder.path("beach.JPG"), nil), (folder.path("out/beach.JPG"), nil)) > 0.999
                || options.contains("new-key-photo"))
        let first = try Reader.similarity((folder.path("out/beach.MOV"), 0), (folder.path("beach.MOV"), start))
        #expect(first > 0.97)
        #expect(try run(["verify", "out/beach.JPG"]).status == 0)
        if way == "photo" { return }
        let recipe = try String(contentsOfFile: folder.path("out/beach.edit.yaml"), encoding: .utf8)
        #expect(recipe.contains("\nexact: true\n"))
    }

    @Test func `without --exact, a note says that it exists`() throws {
        let noted = try run(["edit", "beach.JPG", "-o", "out", "--start", "1.4", "--still", "1.8"])
        #expect(noted.status == 0 && noted.errors.contains("--exact begins at the time itself"), "\(noted.errors)")
    }

    @Test func `it is undone in place, byte for byte`() throws {
        let original = try folder.files
        for options in [["--new-key-photo", "--still", "0.4"], ["--effect", "long-exposure", "--no-audio"]] {
            let outcome = try run(["edit", "beach.JPG", "--in-place"] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try run(["verify", "beach.JPG"]).status == 0)
        }
        #expect(try run(["undo", "beach.JPG"]).status == 0)
        #expect(try folder.files == original)
    }

    @Test func `a recipe and a job have it as a key`() throws {
        #expect(try run(["edit", "beach.JPG", "-o", "out", "--new-key-photo", "--still", "0.4"]).status == 0)
        let recipe = try String(contentsOfFile: folder.path("out/beach.edit.yaml"), encoding: .utf8)
        #expect(recipe.contains("\nnew-key-photo: true\n"))
        #expect(try run(["edit", "beach.JPG", "-o", "again", "--recipe", "out/beach.edit.yaml"]).status == 0)
        let job = "version: 1\njobs:\n  - input: beach.JPG\n    edit: {new-key-photo: true, still: 0.4}\n"
        try job.write(toFile: folder.path("jobs.yaml"), atomically: true, encoding: .utf8)
        let batch = try run(["batch", "jobs.yaml", "-o", "batch"])
        #expect(batch.status == 0, "\(batch.errors)")
        for copy in ["again", "batch"] {
            #expect(try similarity("\(copy)/beach.JPG", "beach.MOV", at: 0.4) > 0.98)
            #expect(try digests("\(copy)/beach.MOV", "v") == digests("beach.MOV", "v"))
        }
    }
}
