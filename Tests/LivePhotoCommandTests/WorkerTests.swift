import Foundation
import TestSupport
import Testing

/// The program that decodes: what it is linked with and locked in by, and what becomes of a call where it fails.
@Suite struct WorkerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let worker = Program.built("livephoto-media")
    private static let probe = Program.built("sandbox-probe")

    /// A copy of the front, with what stands beside it in the worker's place.
    private func front(beside worker: String?, readsOrder: Bool = true) throws -> URL {
        let home = folder.url.appendingPathComponent("program")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let front = home.appendingPathComponent("livephoto")
        try FileManager.default.copyItem(at: Program.livephoto, to: front)
        if let worker {
            let path = home.appendingPathComponent("livephoto-media").path
            let start = "#!/bin/bash\nulimit -c 0\n" + (readsOrder ? "IFS= read -r order\n" : "")
            try Data("\(start)\(worker)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        return front
    }

    #if os(Linux)
        @Test func `the front is linked with nothing that decodes, and the worker is`() throws {
            let front = try Program.system("ldd", [Program.livephoto.path]).output
            let worker = try Program.system("ldd", [Self.worker.path]).output
            for library in ["libavformat", "libavcodec", "libavfilter", "libavutil", "libheif"] {
                #expect(!front.contains(library) && worker.contains(library))
            }
            #expect(!front.contains("libx264"))
        }

        @Test(arguments: [("auto", "2", "1"), ("require", "2", "1"), ("off", "0", "0")])
        func `a worker at work is locked in, unless it is not to be`(
            mode: String, seccomp: String, privileges: String
        ) throws {
            let clip = try SampleClips.make("bare.h264", "-i \(try SampleClips.long()) -c copy")
            let program = try Program.start(["convert", clip, "-o", "out", "--sandbox", mode], in: folder.url)
            defer { program.send(SIGKILL) }
            var status: [String: String] = [:]
            // From its first thread on it works.
            while program.isRunning, status["Threads"].map({ $0 == "1" }) != false {
                let text = program.children.first.flatMap {
                    try? String(contentsOfFile: "/proc/\($0)/status", encoding: .utf8)
                }
                let pairs = (text ?? "").split(separator: "\n").compactMap { line -> (String, String)? in
                    let parts = line.components(separatedBy: ":\t")
                    return parts.count == 2 ? (parts[0], parts[1]) : nil
                }
                status = Dictionary(pairs) { first, _ in first }
            }
            #expect(status["Name"] == "livephoto-media" && status["Seccomp"] == seccomp)
            #expect(status["NoNewPrivs"] == privileges)
            if mode != "off" {
                #expect(["CapInh", "CapPrm", "CapEff", "CapAmb"].allSatisfy { status[$0] == "0000000000000000" })
                #expect(getuid() != 0 || status["Uid"]?.hasPrefix("0") == false)
            }
            program.send(SIGTERM)
            #expect(try program.wait().status == 143)
            #expect(folder.contents.isEmpty)
        }

        @Test(arguments: [("landlock", "no Landlock, seccomp"), ("seccomp", ", no seccomp")])
        func `where the kernel lacks a part, doctor says so, and the rest serves unless all is required`(
            part: String, words: String
        ) throws {
            func run(_ arguments: String...) throws -> Outcome {
                try Program.system(
                    Self.probe.path, ["without", part, Program.livephoto.path] + arguments, in: folder.url)
            }
            let doctor = try run("doctor")
            #expect(doctor.status == 0 && doctor.output.contains("\(words): incomplete, because"))
            let clip = try SampleClips.beach()
            let refused = try run("convert", clip, "-o", "out", "--sandbox", "require")
            #expect(refused.status == 69 && refused.errors.contains("cannot sandbox the decoders"))
            #expect(folder.contents.isEmpty)
            #expect(try run("convert", clip, "-o", "out").status == 0)
            #expect(folder.contents == ["out", "out/beach.JPG", "out/beach.MOV"])
        }
    #endif

    @Test func `a worker that is not there, or of another version, is a sentence and status 69`() throws {
        let clip = try SampleClips.beach()
        func convert(_ front: URL) throws -> Outcome {
            try RunningProgram(front, ["convert", clip, "-o", "out"], in: folder.url).wait()
        }
        let alone = try convert(try front(beside: nil))
        #expect(alone.status == 69 && alone.errors.contains("libexec/livephoto/livephoto-media: does not exist"))
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("program"))
        let other = try convert(try front(beside: #"echo '{"otherVersion":{"_0":"9.9"}}'; exit 69"#))
        #expect(other.status == 69 && other.errors.contains("livephoto-media: is of version 9.9, and this program of "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `a photo that is removed once it was read does not matter`() throws {
        let photo = folder.path("mine.jpg")
        let options = [
            "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=size=320x180", "-frames:v", "1", photo,
        ]
        #expect(try Program.system("ffmpeg", options).status == 0)
        let order = #"<(printf '%s\n' "$order"; exec cat 2>/dev/null)"#
        let front = try front(beside: "'\(Self.worker.path)' < \(order) && rm '\(photo)'")
        let outcome = try RunningProgram(
            front, ["convert", try SampleClips.beach(), "--photo", "mine.jpg", "-o", "out"], in: folder.url
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "out/beach.JPG\nout/beach.MOV\n")
        #expect(!FileManager.default.fileExists(atPath: photo))
        #expect(["JPG", "MOV"].allSatisfy { FileManager.default.fileExists(atPath: folder.path("out/beach.\($0)")) })
    }

    @Test func `an order of another version is not done`() throws {
        let outcome = try Program.system(
            "bash", ["-c", #"echo '{"version":"9.9","task":{"shred":{}}}' | "$0""#, Self.worker.path])
        #expect(outcome.status == 69)
        #expect(outcome.output.hasPrefix(#"{"otherVersion":{"_0":""#))
    }

    @Test(arguments: [
        ("kill -SEGV $$", 65, "made its decoder crash (SIGSEGV); it is damaged or malicious"),
        ("kill -KILL $$", 75, "the system killed the decoder (SIGKILL), perhaps because memory ran out; try again"),
        ("exit 3", 70, "ended with status 3, without a result"),
        ("exit 127", 70, "ended with status 127, without a result"),
        (
            #"echo '{"progress":{"_0":{"frames":-1,"totalFrames":1}}}'; sleep 60"#, 70,
            "gave an answer with impossible values, "
                + "which a damaged or malicious file may cause"
        ),
        (
            #"echo '{"plan":{}}'"#, 70,
            "gave an answer with impossible values, which a damaged or malicious file may cause"
        ),
        ("head -c 100000 /dev/zero", 70, "ended with status 0, without a result"),
        ("exec yes", 70, "wrote more output than allowed and was stopped"),
        ("sleep 60", 65, "took longer than 0.3 seconds and was stopped"),
    ])
    func `a worker that fails is one sentence, and nothing is left behind`(
        script: String, status: Int32, sentence: String
    ) throws {
        let front = try front(beside: script)
        let outcome = try RunningProgram(
            front,
            ["convert", try SampleClips.beach(), "-o", "out"]
                + (script.hasPrefix("sleep") ? ["--timeout", "0.3"] : []), in: folder.url
        ).wait()
        #expect(outcome.status == status && outcome.output.isEmpty)
        #expect(
            outcome.errors.hasSuffix("\(sentence)\n") && outcome.errors.split(separator: "\n").count == 1,
            "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `a worker that is killed before it has read its order was killed, and did not write too much`() throws {
        // More than a pipe holds, so that the front is still writing.
        let preset = "name: long\ndescription: \(String(repeating: "long ", count: 40_000))\nextends: classic\n"
        try Data(preset.utf8).write(to: folder.url.appendingPathComponent("long.yaml"))
        let front = try front(beside: "kill -TERM $$", readsOrder: false)
        let outcome = try RunningProgram(
            front, ["convert", try SampleClips.beach(), "-o", "out", "--preset", "long.yaml"], in: folder.url
        ).wait()
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("the system killed the decoder (SIGTERM)"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("limits: {timeout: 0.3}", "took longer than 0.3 seconds and was stopped"),
        ("limits: {memory: 256}", "needs more memory than the limit of 256 MB"),
    ])
    func `a preset limits what a conversion may cost, and an option comes before it`(
        limits: String, sentence: String
    ) throws {
        let preset = "name: mine\ndescription: mine\nextends: classic\n\(limits)\n"
        try Data(preset.utf8).write(to: folder.url.appendingPathComponent("mine.yaml"))
        let front = try front(
            beside: """
                sleep 0.5
                exec '\(Self.worker.path)' < <(printf '%s\\n' "$order"; exec cat 2>/dev/null)
                """)
        let clip = try SampleClips.make(
            "4k.mp4",
            "-f lavfi -i color=gray:size=3840x2160:rate=15:duration=0.2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p"
        )
        let convert = ["convert", clip, "-o", "out", "--preset", "mine.yaml"]
        let refused = try RunningProgram(front, convert, in: folder.url).wait()
        #expect(refused.status == 65 && refused.errors.hasSuffix("\(sentence)\n"), "\(refused.errors)")
        let made = try RunningProgram(
            front, convert + ["--timeout", "0", "--memory-limit", "4096"], in: folder.url
        ).wait()
        #expect(made.status == 0, "\(made.errors)")
    }

    @Test func `a signal ends a worker that does not listen`() throws {
        let front = try front(
            beside: "trap '' TERM INT HUP; echo $$ >'\(folder.path("number"))'; while :; do sleep 1; done")
        try expect(within: .seconds(3)) {
            let program = try RunningProgram(front, ["convert", try SampleClips.beach(), "-o", "out"], in: folder.url)
            var number: Int32?
            while number == nil, program.isRunning {
                let text = try? String(contentsOfFile: folder.path("number"), encoding: .utf8)
                number = text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            }
            let time = try ContinuousClock().measure {
                program.send(SIGTERM)
                let status = try program.wait().status
                #expect(status == 143)
            }
            let worker = try #require(number)
            #expect(kill(worker, 0) == -1)
            #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
            try FileManager.default.removeItem(atPath: folder.path("number"))
            return time
        }
    }
}
