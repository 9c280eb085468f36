import Foundation
import TestSupport
import Testing

/// `convert` with several clips and folders.
@Suite struct ManyClipsTests {
    private let folder: TemporaryFolder

    /// - Note: `Clips` has two clips in two folders, a file that is no clip, and a pair of a camera.
    init() throws {
        folder = try TemporaryFolder(["Clips/notes.txt": "no clip", "Clips/.hidden/c.mp4": "never read"])
        try add("a.mp4", "Clips/b.MKV", "Clips/deep/a.mp4")
        try Data(DevicePair.photo).write(to: folder.url.appendingPathComponent("Clips/IMG_0001.HEIC"))
        try Data(DevicePair.movie).write(to: folder.url.appendingPathComponent("Clips/IMG_0001.MOV"))
    }

    /// Copies a short clip to these names.
    private func add(_ names: String...) throws {
        let clip = try SampleClips.moving("short.mp4", size: "64x64", rate: "12", seconds: 0.5, sound: nil)
        for name in names {
            let path = folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: clip, toPath: path.path)
        }
    }

    private func made(below name: String) -> [String] {
        folder.contents.filter { $0.hasPrefix("\(name)/") && $0.wholeMatch(of: /.*\.(JPG|MOV)/) != nil }
    }

    @Test func `clips and folders become pairs in the same folder structure, printed in their order`() throws {
        let outcome = try Program.livephoto("convert", "Clips", "a.mp4", "-o", "Live", in: folder.url)
        #expect(outcome.status == 0)
        let names = ["Live/b", "Live/deep/a", "Live/a"]
        #expect(outcome.output == names.map { "\($0).JPG\n\($0).MOV\n" }.joined())
        #expect(outcome.errors == "skipped 1 movie of Live Photos\n")
        #expect(
            made(below: "Live")
                == ["a.JPG", "a.MOV", "b.JPG", "b.MOV", "deep/a.JPG", "deep/a.MOV"].map { "Live/\($0)" })
        // What was made in a folder is not converted again.
        try FileManager.default.removeItem(atPath: folder.path("Clips"))
        let again = try Program.livephoto("convert", "Live", "-o", "Other", in: folder.url)
        #expect(again.status == 65 && again.output.isEmpty)
        #expect(again.errors == "error: Live: contains no video files besides 3 movies of Live Photos\n")
    }

    @Test func `the same command again makes only what is missing, and --force makes all`() throws {
        func convert(_ options: String...) throws -> Outcome {
            try Program.livephoto(["convert", "Clips", "a.mp4", "-o", "Live"] + options, in: folder.url)
        }
        #expect(try convert().status == 0)
        let first = try folder.files
        for name in ["Live/deep/a.JPG", "Live/deep/a.MOV"] {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        let planned = try convert("--dry-run", "--json")
        #expect(planned.output.components(separatedBy: #""status":"existing""#).count == 3, "\(planned)")
        let second = try convert()
        #expect(second.status == 0 && second.output == "Live/deep/a.JPG\nLive/deep/a.MOV\n")
        #expect(second.errors.contains("2 pairs existed already"), "\(second.errors)")
        #expect(try folder.files == first)
        let left = folder.path("Live/deep/.livephoto-0123456789abcdef")
        try FileManager.default.createDirectory(
            atPath: left, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let third = try convert("--json")
        #expect(!FileManager.default.fileExists(atPath: left), "what a killed run left")
        #expect(third.output.components(separatedBy: #""status":"existing""#).count == 4, "\(third)")
        #expect(try convert("--force").output.split(separator: "\n").count == 6)
        // Of other settings, the pairs there are not those that were asked for.
        let others = try convert("--no-metadata")
        #expect(others.status == 1 && others.errors.contains("Live/b.JPG: already exists, and was not made of this"))
        #expect(try folder.files == first)
    }

    @Test func `several moments of a clip are several Live Photos, each with its own still`() throws {
        let clip = try SampleClips.beach()
        func stills(_ options: String...) throws -> [Double] {
            let outcome = try Program.livephoto(["convert", clip, "-o", "Live", "--json"] + options, in: folder.url)
            return try outcome.output.split(separator: "\n").map {
                let document = try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
                return try #require(document["stillTimeInClip"] as? Double, "\(outcome.errors)")
            }
        }
        let named = try stills("--still", "1,0:03,50%", "--name", "sea")
        #expect(zip(named, [1, 3, 2]).allSatisfy { abs($0 - $1) < 0.04 } && named.count == 3, "\(named)")
        #expect(made(below: "Live") == (1...3).flatMap { ["Live/sea-\($0).JPG", "Live/sea-\($0).MOV"] })
        let best = try stills("--count", "2")
        #expect(best.count == 2 && best[0] < best[1] && made(below: "Live").contains("Live/beach-2.MOV"), "\(best)")
    }

    @Test(arguments: [
        ("--still 1,auto", "--still: several moments need times"), ("--count 2 --still 1", "exclude each other"),
        ("--count 0", "--count: write a number from 1 to 100"), ("--still 1,,2", "--still: '' is not a time"),
        ("--still 1,2 --id CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", "apply only to a single Live Photo"),
    ])
    func `moments that contradict each other are an error`(options: String, sentence: String) throws {
        try expectFailure(
            ["convert", "a.mp4"] + options.split(separator: " ").map(String.init), in: folder, 64, sentence)
    }

    @Test func `a clip that fails does not stop the others`() throws {
        try folder.write("no clip", to: "bad.mp4")
        let clips = ["gone.mp4", "a.mp4", "bad.mp4"]
        let outcome = try Program.livephoto(["convert"] + clips + ["-o", "Live"], in: folder.url)
        #expect(outcome.status == 1 && outcome.output == "Live/a.JPG\nLive/a.MOV\n")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3 && lines[0] == "error: gone.mp4: no such file" && lines[2] == "2 of 3 clips failed")
        #expect(lines[1].hasPrefix("error: bad.mp4: is not a video"))
        let quiet = try Program.livephoto(["convert", "--quiet"] + clips + ["-o", "Live", "-f"], in: folder.url)
        #expect(quiet.status == 1 && quiet.output == outcome.output)
        #expect(quiet.errors == lines[...1].joined(separator: "\n") + "\n")
        // --name, which a single clip can have, is no help here.
        let remedy =
            "error: Live/a.JPG: already exists, and was not made of this clip with these settings; use --force to replace it, "
            + "or another folder with --output\n"
        let again = try Program.livephoto("convert", "", "a.mp4", "-o", "Live", "--no-metadata", in: folder.url)
        #expect(again.status == 1 && again.errors == "error: no clip is named\n\(remedy)2 of 2 clips failed\n")
    }

    @Test func `each clip has a line of JSON, in the order of the arguments`() throws {
        for flags in [["--dry-run"], []] {
            let outcome = try Program.livephoto(
                ["convert", "--json", "--jobs", "3", "gone.mp4", "Clips", "a.mp4", "-o", "Live"] + flags, in: folder.url
            )
            #expect(outcome.status == 1)
            let lines = try outcome.output.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(lines.map { $0["clip"] as? String } == ["gone.mp4", "Clips/b.MKV", "Clips/deep/a.mp4", "a.mp4"])
            let status = flags.isEmpty ? "made" : "planned"
            #expect(lines.map { $0["status"] as? String } == ["failed", status, status, status])
            #expect(lines[0]["code"] as? String == "noInput" && lines[0]["exitCode"] as? Int == 66)
            #expect(lines[0]["file"] as? String == "gone.mp4")
            #expect(lines[0]["error"] as? String == "gone.mp4: no such file")
            #expect(lines.compactMap { $0["movie"] as? String } == ["Live/b.MOV", "Live/deep/a.MOV", "Live/a.MOV"])
            #expect(made(below: "Live").isEmpty == !flags.isEmpty)
        }
    }

    @Test func `a dry run prints the plan of each clip`() throws {
        let outcome = try Program.livephoto("convert", "a.mp4", "Clips/b.MKV", "--dry-run", in: folder.url)
        #expect(outcome.status == 0)
        let plans = outcome.output.components(separatedBy: "\n\n")
        #expect(plans.count == 2, "\(outcome.output)")
        #expect(plans.first?.hasPrefix("files: a.JPG, a.MOV\nclip: a.mp4, ") == true)
        #expect(plans.last?.hasPrefix("files: b.JPG, b.MOV\nclip: Clips/b.MKV, ") == true)
        #expect(!folder.contents.contains { $0.hasSuffix(".JPG") })
    }

    @Test func `many clips are named by a template`() throws {
        let outcome = try Program.livephoto(
            "convert", "a.mp4", "Clips/b.MKV", "-o", "Live", "--name", "{extension}-{stem}-{index}", "--dry-run",
            in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for name in ["Live/mp4-a-1.JPG", "Live/MKV-b-2.JPG"] {
            #expect(outcome.output.contains(name), "\(outcome.output)")
        }
    }

    @Test func `clips that cannot be converted together are an error before anything is made`() throws {
        try add("a.MOV", "Clips/A.mkv")
        for (arguments, sentence) in [
            (
                ["a.mp4", "Clips/deep/a.mp4", "-o", "Live"],
                "Clips/deep/a.mp4: would go to Live/a, where the pair of a.mp4 goes; use separate calls with"
            ),
            (
                ["a.mp4", "Clips/A.mkv", "-o", "Live"],
                "Clips/A.mkv: would go to Live/A, which differs only in case from Live/a, where the pair of a.mp4 goes"
            ),
            (["a.mp4", "Clips/b.MKV", "a.mp4", "-o", "Live"], "a.mp4: is given twice"),
            (
                ["a.mp4", "./Clips/../a.mp4", "-o", "Live"],
                "./Clips/../a.mp4: is given twice, the first time as a.mp4"
            ),
            (
                ["a.mp4", "Clips/A.avi", "-o", "Live"],
                "Clips/A.avi: would go to Live/A, which differs only in case from Live/a, where the pair of a.mp4 goes"
            ),
            (["a.mp4", "-o", ""], "--output: write a folder; '.' is the current one"),
            (
                ["Clips/deep/a.mp4", "a.MOV", "-f"],
                "Clips/deep/a.mp4: its pair would replace a.MOV, which is to be converted too"
            ),
            (["Clips", "--name", "b"], "--name, --id and --photo apply only to a single clip"),
            (["-", "a.mp4", "-"], "'-' is standard input, which can be read only once"),
        ] {
            try expectFailure(["convert"] + arguments, in: folder, 64, sentence)
        }
        try add("Live/x/A.mov")
        try expectFailure(
            ["convert", "a.mp4", "Live/x/A.mov", "-o", "Live/x", "--force"], in: folder, 64,
            "a.mp4: its pair would replace Live/x/A.mov, which is to be converted too")
    }

    @Test func `folders are searched for clips, and what else is there is named`() throws {
        let movie = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try SampleClips.beach())))
        try Data(MotionPhotos.samsung(movie)).write(to: folder.url.appendingPathComponent("Clips/My photo.jpg"))
        let samsung = "error: Clips/My photo.jpg: is a Samsung motion photo, not a clip; livephoto extract"
        try expectFailure(
            ["convert", "Clips/My photo.jpg"], in: folder, 65,
            "\(samsung) 'Clips/My photo.jpg' makes a Live Photo of it".replacing("error: ", with: ""))
        try add("Clips/Live/c.mp4")
        let outcome = try Program.livephoto("convert", "Clips", "-o", "Clips/Live", "-n", "--json", in: folder.url)
        let container = "1 container of a photo and its movie (Clips/My photo.jpg)"
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 2)
        #expect(
            outcome.errors == """
                skipped 1 movie of Live Photos
                skipped \(container); livephoto extract makes Live Photos of it
                skipped the output folder Clips/Live

                """)
        for name in ["b.MKV", "deep/a.mp4", "Live/c.mp4"] {
            try FileManager.default.removeItem(atPath: folder.path("Clips/\(name)"))
        }
        try expectFailure(
            ["convert", "Clips", "-o", "Clips/Live"], in: folder, 65,
            "Clips: contains no video files outside of the output folder Clips/Live besides 1 movie of Live Photos and "
                + "\(container); livephoto extract Clips makes Live Photos of it")
        // The movie of a Live Photo is known by a photo in any of the folders.
        for name in ["photos/IMG_0001.HEIC", "movies/IMG_0001.MOV"] {
            let target = folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                at: folder.url.appendingPathComponent("Clips/\(target.lastPathComponent)"), to: target)
        }
        try expectFailure(
            ["convert", "movies", "photos", "-o", "Live"], in: folder, 65,
            "the folders contain no video files besides 1 movie of Live Photos")
    }

    @Test func `progress is also given as JSON lines, the last of which counts all clips`() throws {
        let outcome = try Program.livephoto(
            "convert", "a.mp4", "gone.mp4", "Clips/b.MKV", "-o", "Live", "--progress", "json", in: folder.url)
        let lines = try outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.last?["clipsDone"] as? Int == 3)
        #expect(lines.contains { $0["clip"] as? String == "gone.mp4" && $0["fraction"] as? Int == 1 })
        for clip in ["a.mp4", "Clips/b.MKV"] {
            let ofClip = lines.filter { $0["clip"] as? String == clip }
            let frames = ofClip.compactMap { $0["frames"] as? Int }
            #expect(frames == frames.sorted() && frames.last == ofClip.last?["totalFrames"] as? Int && !frames.isEmpty)
            #expect(ofClip.last?["fraction"] as? Double == 1)
        }
        #expect(lines.allSatisfy { $0["clips"] as? Int == 3 })
        for (clip, status) in [("a.mp4", 0), ("gone.mp4", 66)] as [(String, Int32)] {
            let single = try Program.livephoto(
                "convert", clip, "-o", "Single", "--progress", "json", in: folder.url)
            #expect(single.status == status && single.errors.contains(#""clips":1,"clipsDone":1"#), "\(single.errors)")
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal keeps finished pairs and says how many`(signal: Int32, status: Int32) throws {
        let long = try SampleClips.long()
        // Unlike options, the times of a preset may be longer than a clip.
        try folder.write(
            "name: long\ndescription: long\nextends: classic\nwindow: {before: 15, after: 15}\n", to: "long.yaml")
        let program = try Program.start(
            ["convert", "a.mp4", long, "--jobs", "1", "-o", "Live", "--preset", "long.yaml"], in: folder.url)
        while program.isRunning, !folder.contents.contains("Live/a.MOV") || program.sizesOfUnnamedFiles.isEmpty {
            usleep(5_000)
        }
        try #require(program.isRunning, "the conversion is too fast to be stopped on its way")
        program.send(signal)
        let outcome = try program.wait()
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("stopped; 1 pair was written; the same command continues\n"))
        #expect(outcome.output == "Live/a.JPG\nLive/a.MOV\n")
        #expect(folder.contents.filter { $0.hasPrefix("Live/") } == ["Live/a.JPG", "Live/a.MOV"])
    }
}
