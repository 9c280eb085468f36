import Foundation
import TestSupport
import Testing

/// `convert -` reads a clip from standard input.
@Suite struct StandardInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let clip = try SampleClips.moving("short.mp4", size: "64x64", rate: "12", seconds: 0.5, sound: nil)
        try FileManager.default.copyItem(atPath: clip, toPath: folder.path("a.mp4"))
    }

    /// - Parameter script: for bash, with `livephoto` as `"$0"`.
    private func bash(_ script: String) throws -> Outcome {
        try Program.system("bash", ["-c", script, Program.livephoto.path], in: folder.url)
    }

    @Test(arguments: [
        (#"cat a.mp4 | "$0" convert - -o Live"#, ["Live/clip.JPG", "Live/clip.MOV"]),
        (#""$0" convert - <a.mp4 --name tape"#, ["tape.JPG", "tape.MOV"]),
        (
            #"cat a.mp4 | "$0" convert a.mp4 - -o Live"#,
            ["Live/a.JPG", "Live/a.MOV", "Live/clip.JPG", "Live/clip.MOV"]
        ),
    ])
    func `a clip from a pipe becomes a pair, and nothing else is left`(script: String, files: [String]) throws {
        let outcome = try bash(script)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == files.map { "\($0)\n" }.joined())
        #expect(folder.contents.filter { $0 != "a.mp4" && $0 != "Live" } == files)
    }

    @Test(arguments: ["- IMG_20250912_103000.mp4", "IMG_20250912_103000.mp4 -", "a.mp4 - IMG_20250912_103000.mp4"])
    func `a clip from a pipe has no date for its name, and the others get theirs`(clips: String) throws {
        let script =
            #"cp a.mp4 IMG_20250912_103000.mp4; cat a.mp4 | "$0" convert \#(clips) --name '{date}-{stem}' -o Live"#
        let outcome = try bash(script)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("error: standard input: has no date for {date}"), "\(outcome.errors)")
        let made = folder.contents.filter { $0.hasPrefix("Live/") }
        #expect(made.count == 2 && made.allSatisfy { $0.hasPrefix("Live/2025-09-12") }, "\(made)")
    }

    @Test func `a file of the pipe's name does not keep several Live Photos from being made, which have numbers`()
        throws
    {
        let outcome = try bash(#"cp a.mp4 clip.JPG; cat a.mp4 | "$0" convert - --still 0.1,0.3"#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "clip-1.JPG\nclip-1.MOV\nclip-2.JPG\nclip-2.MOV\n")
    }

    @Test func `a dry run reads the pipe and leaves nothing`() throws {
        let outcome = try bash(#"cat a.mp4 | "$0" convert - -o Live --dry-run"#)
        #expect(outcome.status == 0 && outcome.output.contains("\nclip: standard input, 0.5 s\n"))
        #expect(folder.contents == ["a.mp4"])
    }

    @Test(
        arguments: [
            (#""$0" convert - </dev/null"#, 65, "error: standard input: is empty (0 bytes)\n"),
            (#""$0" convert - <."#, 65, "error: standard input: is a folder, not a file\n"),
            (#""$0" convert - <&-"#, 74, "error: standard input: is closed; pipe a clip into it\n"),
            (
                #"echo no clip | "$0" convert -"#, 65,
                "error: standard input: is not a video that FFmpeg can read, or it is damaged or incomplete"
            ),
            (
                #""$0" convert - -o a.mp4/Live <a.mp4"#, 73,
                "error: a.mp4/Live/clip.JPG: cannot be created, because a part of its path is a file, not a folder\n"
            ),
            (
                #"script -qec "'$0' convert -" /dev/null </dev/null >said; s=$?; sed 's/\r$//;s/\x1b\[[0-9;]*m//g' said >&2; rm said; exit $s"#,
                64,
                "error: '-' is standard input, which is a terminal; pipe a clip into it, or redirect a file\n"
            ),
        ] as [(String, Int32, String)])
    func `a clip that cannot be read from a pipe is an error that says why`(
        script: String, status: Int32, sentence: String
    ) throws {
        let outcome = try bash(script)
        #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome)")
        #expect(folder.contents == ["a.mp4"])
    }

    @Test(arguments: [
        (#": | "$0" convert - a.mp4 -o Live"#, "is empty (0 bytes)"),
        (#""$0" convert a.mp4 - -o Live <&-"#, "is closed; pipe a clip into it"),
    ])
    func `a clip that cannot be read from a pipe does not stop the others`(script: String, reason: String) throws {
        let outcome = try bash(script)
        #expect(outcome.status == 1 && outcome.output == "Live/a.JPG\nLive/a.MOV\n")
        #expect(outcome.errors == "error: standard input: \(reason)\n1 of 2 clips failed\n")
        let json = try bash(": | \"$0\" convert - a.mp4 -o Live -n --json | head -n 1")
        #expect(json.output.contains(#""clip":"-""#) && json.output.contains(#""file":"standard input""#))
    }

    @Test(
        arguments: [
            ("", 73, "clip.JPG: already exists"), ("--name a/b", 64, "'a/b' cannot be the name of both files"),
            ("--photo gone.jpg", 66, "gone.jpg: no such file"),
            ("-o a.mp4/Live", 73, "a.mp4/Live/clip.JPG: cannot be created"),
            ("clip.mp4", 64, "clip.mp4: would go to clip, where the pair of standard input goes"),
        ] as [(String, Int32, String)])
    func `a pipe is not read before everything else is checked`(
        options: String, status: Int32, sentence: String
    ) throws {
        try folder.write("", to: "clip.JPG")
        let outcome = try bash(#"{ "$0" convert - \#(options); s=$?; wc -c; exit $s; } <a.mp4"#)
        #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome)")
        let size = try Data(contentsOf: folder.url.appendingPathComponent("a.mp4")).count
        #expect(outcome.output == "\(size)\n")
    }

    @Test func `a closed output is an error after the work`() throws {
        let outcome = try bash(#""$0" convert a.mp4 -o Live >&-"#)
        #expect(outcome.status == 74 && outcome.errors.hasPrefix("error: cannot print the result: "), "\(outcome)")
        #expect(folder.contents == ["Live", "Live/a.JPG", "Live/a.MOV", "a.mp4"])
    }

    @Test func `a kill while the pipe is read leaves nothing`() throws {
        let outcome = try bash(
            #"""
            "$0" convert - -o Live < <(cat a.mp4; sleep 1.5) & pid=$!
            for i in {1..100}; do ls -l /proc/$pid/fd 2>/dev/null | grep -q deleted && break; sleep 0.05; done
            kill -KILL $pid; wait $pid; ls -A
            """#)
        #expect(outcome.output == "a.mp4\n", "\(outcome.errors)")
    }

    @Test func `a signal stops also a run that waits for its pipe`() throws {
        let outcome = try bash(
            #"""
            "$0" convert - -o Live < <(sleep 1.5) & pid=$!
            for i in {1..100}; do ls -l /proc/$pid/fd 2>/dev/null | grep -q deleted && break; sleep 0.05; done
            kill -TERM $pid; wait $pid; echo $?; ls -A
            """#)
        #expect(
            outcome.output == "143\na.mp4\n" && outcome.errors.contains("stopped; nothing was written"), "\(outcome)")
    }
}
