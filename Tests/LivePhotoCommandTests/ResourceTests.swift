import Foundation
import TestSupport
import Testing

/// Commands with closed output, few descriptors or threads, files of any time and size, and files that waste time.
struct ResourceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func bash(_ script: String, in other: TemporaryFolder? = nil) throws -> Outcome {
        try Program.system("bash", ["-c", script, Program.livephoto.path], in: (other ?? folder).url)
    }

    // MARK: Output

    @Test(arguments: [
        ("link beach.JPG beach.MOV -o out", ["out/beach.JPG", "out/beach.MOV"]),
        ("link beach.JPG beach.MOV --in-place --still 0.3", []),
        ("link --by-name . -o out", ["out/beach.JPG", "out/beach.MOV"]),
        ("edit beach.JPG --no-audio -o out --json", ["out/beach.JPG", "out/beach.MOV"]),
        ("pack beach.JPG beach.MOV --as livp -o out.livp", ["out.livp"]),
        ("extract PXL_1.MP.jpg -o out", ["out/PXL_1.JPG", "out/PXL_1.MOV"]),
        ("export beach.JPG beach.MOV --as jpeg -o out.jpg", ["out.jpg"]),
        ("preview beach.JPG -o out.html", ["out.html"]), ("frames beach.MOV -o out.jpg", ["out.jpg"]),
        ("convert beach.MOV -o out", ["out/beach.JPG", "out/beach.MOV"]),
    ])
    func `work is done though its result cannot be printed`(line: String, files: [String]) throws {
        for output in [">&-", ">/dev/full"] where output == ">&-" || FileManager.default.fileExists(atPath: "/dev/full")
        {
            let folder = try TemporaryFolder()
            try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
            let before = try folder.files
            let outcome = try bash("\"$0\" \(line) \(output)", in: folder)
            #expect(outcome.status == 74, "\(output): \(outcome)")
            #expect(outcome.errors.contains("cannot print the result: "), "\(output): \(outcome)")
            #expect(outcome.errors.contains("; the work is done\n"), "\(output): \(outcome)")
            #expect(try folder.files != before, "\(output)")
            #expect(Set(folder.contents).isSuperset(of: files), "\(output): \(folder.contents)")
        }
    }

    @Test func `a closed output is not taken for a file that is opened later`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let before = try folder.files
        let outcome = try bash(#""$0" inspect beach.JPG beach.MOV >&- 2>&- <&-"#)
        #expect(outcome.status == 74)
        #expect(try folder.files == before)
    }

    @Test func `a command that only prints ends quietly when nobody reads`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let outcome = try bash(#"{ sleep 0.1; "$0" verify --explain; echo $? >&3; } 3>status | true; cat status"#)
        #expect(outcome.output == "141\n" && outcome.errors.isEmpty, "\(outcome)")
    }

    // MARK: Descriptors

    @Test(arguments: [6, 12, 20, 28, 40, 60])
    func `with few descriptors, a command succeeds or names the reason`(limit: Int) throws {
        try SamplePair.copyConverted(to: folder.url)
        try folder.write(
            "version: 1\njobs:\n- {input: beach.MOV, name: a}\n- {input: beach.MOV, name: b}\n", to: "jobs.yaml")
        for line in [
            "batch jobs.yaml -o out --jobs 200", "verify beach.JPG beach.MOV", "link beach.JPG beach.MOV -o l",
        ] {
            let outcome = try bash("ulimit -n \(limit); exec \"$0\" \(line)")
            #expect([0, 1, 75].contains(outcome.status), "\(line): \(outcome)")
            let isNamed = outcome.errors.contains("ulimit -n")
            // The dynamic loader of programs that are not linked statically needs descriptors too.
            #expect(outcome.status == 0 || isNamed, "\(line): \(outcome)")
        }
    }

    // MARK: Memory

    /// Kilobytes.
    @Test(arguments: [300_000, 400_000, 524_288])
    func `with little address space, a command ends soon and names the reason`(limit: Int) throws {
        try SamplePair.copyConverted(to: folder.url)
        // Threads that happen to start at the same time used to take all of it.
        for attempt in 1...6 {
            for line in ["export beach.JPG beach.MOV --as gif -o \(attempt).gif", "convert beach.MOV -o \(attempt)"] {
                let outcome = try bash("ulimit -v \(limit); exec timeout --signal KILL 60 \"$0\" \(line)")
                #expect([0, 65, 69, 75].contains(outcome.status), "\(line): \(outcome)")
                #expect(outcome.status == 0 || outcome.errors.hasPrefix("error: "), "\(line): \(outcome)")
            }
        }
    }

    // MARK: Threads

    /// As another user, because root has no such limit. That user must be able to start the program where it is.
    private static let asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    private static let nobodyCanStart =
        geteuid() != 0 || (try? Program.run(asNobody + [Program.livephoto.path, "--version"])) != nil

    /// Without threads, libdispatch waits for them forever, whatever signal comes.
    @Test(.enabled(if: nobodyCanStart), arguments: [1, 8, 9, 12, 14, 16, 20, 24])
    func `with few threads, a command succeeds or names the reason`(limit: Int) throws {
        try SamplePair.copyConverted(to: folder.url)
        try Program.run(["chmod", "-R", "a+rwX", folder.url.path])
        let start =
            ["timeout", "-s", "KILL", "30"] + (geteuid() == 0 ? Self.asNobody : []) + ["prlimit", "--nproc=\(limit)"]
        for line in ["convert beach.MOV -o out", "verify beach.JPG beach.MOV", "link beach.JPG beach.MOV -o linked"] {
            let outcome = try bash("TMPDIR=. exec \(start.joined(separator: " ")) \"$0\" \(line)")
            #expect([0, 75].contains(outcome.status), "\(line): \(outcome)")
            #expect(outcome.status == 0 || outcome.errors.contains("ulimit -u"), "\(line): \(outcome)")
        }
    }

    // MARK: Times and sizes

    @Test(arguments: ["2300-01-01", "1900-06-01", "1969-12-31 23:59:59.5 UTC", "2445-12-31"])
    func `a clip of any time can be converted, also by a batch that runs twice`(date: String) throws {
        try SamplePair.copyConverted(to: folder.url)
        try folder.write("version: 1\njobs:\n- {input: beach.MOV, name: a}\n", to: "jobs.yaml")
        try Program.run(["touch", "-d", date, "beach.MOV", "beach.JPG"], in: folder.url)
        for line in [
            "batch jobs.yaml -o out", "batch jobs.yaml -o out", "report out", "link beach.JPG beach.MOV -o linked",
            "edit beach.JPG --no-audio --in-place", "undo beach.JPG",
            "pack beach.JPG beach.MOV --as livp -o a.livp",
            "pack beach.JPG beach.MOV --as dcim -o card", "extract a.livp -o extracted",
            "link beach.JPG beach.MOV --date file -o dated", "verify .",
        ] {
            let outcome = try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
            #expect([0, 1, 64].contains(outcome.status), "\(line): \(outcome)")
            #expect(!line.hasPrefix("batch") || outcome.status == 0, "\(line): \(outcome)")
        }
    }

    @Test(
        arguments: [
            ("link a.JPG huge.MOV -o out", [74]), ("pack a.JPG huge.MOV --as livp -o a.livp", [65]),
            ("pack a.JPG huge.MOV --as pvt -o a.pvt", [74]), ("inspect huge.MOV", [0]),
            ("verify a.JPG huge.MOV", [0, 1]),
        ] as [(String, [Int32])])
    func `a movie larger than the disk is an error at once, and nothing is left of its copy`(
        line: String, statuses: [Int32]
    ) throws {
        try SamplePair.copyConverted(to: folder.url)
        try FileManager.default.moveItem(atPath: folder.path("beach.JPG"), toPath: folder.path("a.JPG"))
        let size: UInt64 = 15 << 40
        var movie = try Data(contentsOf: folder.url.appendingPathComponent("beach.MOV"))
        let rest = size - UInt64(movie.count)
        movie += Data([0, 0, 0, 1]) + Data("mdat".utf8) + withUnsafeBytes(of: rest.bigEndian) { Data($0) }
        try movie.write(to: folder.url.appendingPathComponent("huge.MOV"))
        try FileHandle(forWritingTo: folder.url.appendingPathComponent("huge.MOV")).truncate(atOffset: size)
        let before = folder.contents
        try expect(within: .seconds(3)) {
            try ContinuousClock().measure {
                let outcome = try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
                #expect(statuses.contains(outcome.status), "\(outcome)")
                #expect(folder.contents == before)
            }
        }
    }

    // MARK: Files that waste time

    private func makeHugeClip() throws {
        _ = FileManager.default.createFile(atPath: folder.path("huge.mov"), contents: nil)
        try FileHandle(forWritingTo: folder.url.appendingPathComponent("huge.mov")).truncate(atOffset: 2 << 40)
        try folder.write("version: 1\njobs:\n- {input: huge.mov, name: a}\n", to: "jobs.yaml")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal ends the reading of a file that takes hours to read`(signal: Int32, status: Int32) throws {
        try makeHugeClip()
        let program = try Program.start(["batch", "jobs.yaml", "-o", "out"], in: folder.url)
        usleep(700_000)
        #expect(program.isRunning)
        program.send(signal)
        let outcome = try program.wait()
        // It has ended by itself, not after two and a half seconds.
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains("stopped; ") && !outcome.errors.contains("the next run"), "\(outcome)")
    }

    @Test func `the time limit of a clip includes reading it`() throws {
        try makeHugeClip()
        try expect(within: .seconds(8)) {
            try ContinuousClock().measure {
                let outcome = try Program.livephoto(
                    "batch", "jobs.yaml", "-o", "out", "--timeout", "2", "--retry", "0", in: folder.url)
                #expect(outcome.status == 1 && outcome.errors.contains("took longer than"), "\(outcome)")
            }
        }
    }

    @Test(arguments: ["extract", "inspect", "verify"])
    func `a photo of 2 TB is searched for a movie only in its beginning`(command: String) throws {
        try SamplePair.copyConverted(to: folder.url)
        let photo = folder.url.appendingPathComponent("a.jpg")
        try Data(contentsOf: folder.url.appendingPathComponent("beach.JPG")).dropLast(2).write(to: photo)
        try FileHandle(forWritingTo: photo).truncate(atOffset: 2 << 40)
        let outcome = try RunningProgram(Program.livephoto, [command, "a.jpg"], in: folder.url, limit: .seconds(20))
            .wait()
        #expect(outcome.signal == nil)
    }
}
