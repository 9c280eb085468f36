import Foundation
import TestSupport
import Testing

/// `edit` without re-encoding, held to its promise by programs that are not ours.
@Suite struct EditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    /// The times and digests of the packets of a stream, as ffmpeg reads them.
    private func packets(_ movie: String, _ stream: String) throws -> [(time: Double, digest: String)] {
        let text = try Program.run(
            ["ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time,data_hash"]
                + ["-show_data_hash", "md5", "-of", "json", folder.path(movie)])
        let packets = try document(text)["packets"] as? [[String: Any]] ?? []
        return packets.compactMap { packet in
            guard let time = (packet["pts_time"] as? String).flatMap({ Double($0) }),
                let digest = packet["data_hash"] as? String
            else { return nil }
            return (time, digest)
        }
    }

    private func expectGood(_ photo: String) throws {
        let report = try run("verify", photo, "--json")
        #expect(report.status == 0 && report.output.contains("\"findings\":[]"), "\(report.output)\(report.errors)")
    }

    @Test func `the still time moves and the sound goes, and the frames stay bit for bit`() throws {
        let video = try packets("beach.MOV", "v")
        let outcome = try run("edit", "beach.JPG", "--still", "0.4", "--no-audio", "--output", "out")
        #expect(outcome.status == 0 && outcome.output == "out/beach.JPG\nout/beach.MOV\n", "\(outcome.errors)")
        #expect(outcome.errors.contains("note: the key photo keeps its picture"))
        try expectGood("out/beach.JPG")
        #expect(try packets("out/beach.MOV", "v").map(\.digest) == video.map(\.digest))
        #expect(try packets("out/beach.MOV", "a").isEmpty)
        // Nothing of the sound is in the copy.
        let sizes = try ["beach.MOV", "out/beach.MOV"].map {
            try Data(contentsOf: folder.url.appendingPathComponent($0)).count
        }
        #expect(sizes[1] < sizes[0] - 10_000, "\(sizes)")
    }

    @Test(arguments: ["--no-audio", "--exposure 0.5", "--start 1 --still 2"])
    func `the same edit makes the same files, and any other one has another identifier`(_ options: String) throws {
        func identifier(_ more: String...) throws -> String {
            let words = ["edit", "beach.JPG", "--json"] + options.split(separator: " ").map(String.init)
            let outcome = try Program.livephoto(words + more, in: folder.url)
            return try #require(try document(outcome.output)["contentIdentifier"] as? String, "\(outcome.errors)")
        }
        let identifiers = try [
            identifier("-o", "one"), identifier("-o", "one", "--date", "2024-05-06", "--force"),
            identifier("-o", "one", "--name", "other"), identifier("-o", "one", "--keep-id", "--name", "kept"),
        ]
        #expect(Set(identifiers).count == 4)
        #expect(try identifier("-o", "two") == identifiers[0])
        #expect(try identifier("-o", "three") == identifiers[0])
        let files = try folder.files
        for name in ["beach.JPG", "beach.MOV"] { #expect(files["two/\(name)"] == files["three/\(name)"]) }
    }

    @Test(arguments: [("--start 1 --end 2.5 --still 1.5", 0.8), ("--start 1.37 --still 2", 0.8), ("--end 2", 0)])
    func `a part has the same frames, and the sound stays in sync`(_ options: String, _ start: Double) throws {
        let outcome = try Program.livephoto(
            ["edit", "beach.JPG", "--output", "out", "--json"] + options.split(separator: " ").map(String.init),
            in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try document(outcome.output)
        let kept = try #require(document["keptStart"] as? Double)
        #expect(abs(kept - start) < 0.001 && document["way"] as? String == "lossless")
        try expectGood("out/beach.JPG")
        for (stream, minimum) in [("v", 10), ("a", 40)] {
            // Silence has equal packets.
            let old = Dictionary(grouping: try packets("beach.MOV", stream), by: \.digest)
            let new = try packets("out/beach.MOV", stream)
            #expect(new.count >= minimum, "\(stream): \(new.count)")
            for packet in new {
                let errors = try #require(old[packet.digest]).map { abs(packet.time + kept - $0.time) }
                #expect(errors.min() ?? 1 < 0.002, "\(stream) at \(packet.time)")
            }
        }
        let errors = try Program.system(
            "ffmpeg", ["-v", "error", "-xerror", "-i", folder.path("out/beach.MOV"), "-f", "null", "-"])
        #expect(errors.status == 0 && errors.errors.isEmpty, "\(errors.errors)")
    }

    @Test(.seeded) func `changes in place are undone, and a kill leaves the old pair or the new one`() throws {
        let original = try folder.files
        let options = ["edit", "beach.MOV", "--no-audio", "--end", "2", "--still", "0.5", "--in-place"]
        #expect(try Program.livephoto(options, in: folder.url).status == 0)
        try expectGood("beach.JPG")
        let edited = try folder.files.filter { $0.key.hasPrefix("beach") }
        let undone = try run("undo", "beach.JPG")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try folder.files == original)
        var generator = SeededGenerator()
        for _ in 0..<12 {
            let process = try Program.start(options, in: folder.url)
            usleep(UInt32.random(in: 0..<60_000, using: &generator))
            process.send(SIGKILL)
            _ = try process.wait()
            _ = try run("undo", ".")
            let files = try folder.files.filter { $0.key.hasPrefix("beach") }
            #expect(files == original || files == edited)
            #expect(files == original, "after the undo")
        }
    }

    @Test func `several pairs are edited in one call, and an error in one does not stop the others`() throws {
        for name in ["a", "b"] {
            for ending in ["JPG", "MOV"] {
                try FileManager.default.copyItem(
                    atPath: folder.path("beach.\(ending)"), toPath: folder.path("\(name).\(ending)"))
            }
        }
        try Data("no movie".utf8).write(to: folder.url.appendingPathComponent("b.MOV"))
        let outcome = try run("edit", "a.JPG", "b.JPG", "beach.JPG", "beach.MOV", "--no-audio", "--output", "out")
        #expect(outcome.status == 1 && outcome.output.split(separator: "\n").count == 4, "\(outcome.output)")
        #expect(outcome.errors.contains("error: b.MOV") && outcome.errors.contains("2 pairs edited, 1 failed"))
        #expect(try run("edit", "a.JPG", "beach.JPG", "--no-audio", "--in-place").status == 0)
        let undo = try run("undo", "a.JPG", "b.JPG", "beach.MOV", "--json")
        #expect(undo.status == 1 && undo.output.split(separator: "\n").count == 4, "\(undo.output)\(undo.errors)")
    }

    @Test(arguments: [
        ("--no-audio", "give --output DIR"), ("--in-place", "nothing to change"),
        ("--no-audio --in-place --keep-id", "--keep-id applies only to copies"),
        ("--start 1 --end 2 --duration 1 --in-place", "at most two of the three"),
        ("--still 9 --in-place", "there is nothing at 9"), ("--still x --in-place", "--still: 'x' is not a time"),
        ("--end 1 --in-place", "; --still TIME sets another one"),
        ("--end 0.2 --duration 1 --in-place", "before 0.2 s"),
    ])
    func `a wrong request is an error in one sentence`(_ options: String, _ message: String) throws {
        let original = try folder.files
        let outcome = try Program.livephoto(
            ["edit", "beach.JPG"] + options.split(separator: " ").map(String.init), in: folder.url)
        #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try folder.files == original)
    }

    @Test func `a dry run says what would be done and how, and writes nothing`() throws {
        let original = try folder.files
        let outcome = try run("edit", "beach.JPG", "--start", "1.2", "--output", "out", "--dry-run")
        #expect(outcome.status == 0 && outcome.output == "out/beach.JPG\nout/beach.MOV\n")
        let note = "the movie begins at 0.8 s instead of 1.2 s"
        #expect(outcome.errors.contains(note), "\(outcome.errors)")
        #expect(outcome.errors.contains("without re-encoding, as no change needs new pixels"))
        #expect(try folder.files == original)
    }
}
