import Foundation
import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// What jobs' processes may do wrong: the rest of the batch is done, and the record says what it was.
@Suite struct BatchFaultTests {
    /// A process that misbehaves.
    struct Fault: Sendable, CustomTestStringConvertible {
        /// What it does, in bash.
        let script: String
        let error: String
        var exitCode: Int?
        var signal: String?
        var isRetryable = false
        var lastWords: [String] = []

        var testDescription: String { script }
    }

    private static func crash(_ signal: String) -> String {
        "CLIP: made its decoder crash (\(signal)); it is damaged or malicious"
    }

    private static func ended(_ status: Int) -> String { "CLIP: WORKER ended with status \(status), without a result" }

    private static let faults = [
        Fault(
            script: "echo one >&2; echo two >&2; kill -ABRT $$", error: crash("SIGABRT"), exitCode: 65,
            signal: "SIGABRT", lastWords: ["one", "two"]),
        Fault(script: "kill -SEGV $$", error: crash("SIGSEGV"), exitCode: 65, signal: "SIGSEGV"),
        // As the kernel does for want of memory.
        Fault(
            script: "kill -KILL $$",
            error: "CLIP: the system killed the decoder (SIGKILL), perhaps because memory ran out; try again",
            exitCode: 75, signal: "SIGKILL", isRetryable: true),
        Fault(script: "exit 0", error: ended(0), exitCode: 70),
        Fault(script: "exit 3", error: ended(3), exitCode: 70),
        Fault(script: "exit 75", error: ended(75), exitCode: 70),
        Fault(
            script:
                #"printf '\377\0{"record":\n[]\nprogress\n'; exit 1"#,
            error: ended(1), exitCode: 70),
        Fault(
            script: #"echo '{"progress":{"_0":{"frames":-1,"totalFrames":0}}}'; exit 1"#,
            error: "CLIP: WORKER gave an answer with impossible values", exitCode: 70),
        Fault(
            script: #"echo '{"result":{"_0":{"similarity":{"_0":1}}}}'; exit 0"#,
            error: "CLIP: livephoto-media answered with an unexpected result", exitCode: 70),
        // Nobody has asked it to stop.
        Fault(
            script: #"echo '{"failure":{"_0":{"code":"cancelled","reason":"stopped"}}}'; exit 0"#, error: "stopped",
            exitCode: 70
        ),
        // A pair that is none.
        Fault(
            script: #"said=$(answer); : >"$movie"; printf '%s\n' "$said"; exit 0"#,
            error: "CLIP: the result did not pass its check: ", exitCode: 70),
        Fault(
            script: #"said=$(answer); cp "$movie" "$photo"; printf '%s\n' "$said"; exit 0"#,
            error: "CLIP: the result did not pass its check: ", exitCode: 70),
        Fault(
            script: "exec tr '\\0' x </dev/zero", error: "CLIP: WORKER wrote more output than allowed and was stopped",
            exitCode: 70),
        Fault(
            script: #"exec yes "$(printf '{"progress":{"_0":{"frames":1,"totalFrames":2}}}%9000s')""#,
            error: "CLIP: WORKER wrote more output than allowed and was stopped", exitCode: 70),
        Fault(
            script: "yes word | head -n 100000 >&2; exit 1", error: ended(1), exitCode: 70,
            lastWords: [String](repeating: "word", count: 12)),
    ]

    @Test func `a process that misbehaves costs its own job only, and the record says how`() async throws {
        let ids = Self.faults.indices.map { "bad-\($0)" }
        let bed = try BatchBed(clips: ids + ["good"])
        let cases = zip(ids, Self.faults).map { id, fault in "*/\(id).mp4*) \(fault.script);;" }
        let program = try bed.double("case $order in \(cases.joined(separator: "\n")) esac")
        let result = try await bed.batch((ids + ["good"]).map { "input: \($0).mp4" }, program: program) {
            $0.retries = 0
        }.run()
        for (id, (fault, bad)) in zip(ids, zip(Self.faults, result.records)) {
            #expect(bad.status == .failed)
            let error = fault.error.replacing("CLIP", with: bed.folder.path("\(id).mp4")).replacing(
                "WORKER", with: program.string)
            #expect(bad.error?.hasPrefix(error) == true, "\(bad.error ?? "")")
            #expect(bad.exitCode == fault.exitCode, "\(fault)")
            #expect(bad.signal == fault.signal, "\(fault)")
            #expect((bad.retryable ?? false) == fault.isRetryable, "\(fault)")
            #expect(bad.lastWords == fault.lastWords, "\(fault)")
            #expect(bad.attempts == 1)
        }
        #expect(result.records.last?.status == .done)
        #expect(result.stop == nil)
        #expect(try bed.names == ["good.JPG", "good.MOV"])
    }

    @Test func `a process that takes too long is ended, with what it has started`() async throws {
        let bed = try BatchBed(clips: ["bad"])
        let program = try bed.double("trap '' TERM; sleep 100; sleep 100")
        let result = try await bed.batch(["input: bad.mp4"], program: program, timeout: .seconds(6.5)) {
            $0.retries = 0
        }.run()
        let bad = try #require(result.records.first)
        #expect(bad.error == "\(bed.folder.path("bad.mp4")): took longer than 6.5 seconds and was stopped")
        #expect(bad.exitCode == 65)
        #expect(bad.retryable == true)
        #expect((bad.seconds ?? 100) < 20)
    }

    @Test func `a process that may take too little memory fails with a record`() async throws {
        let bed = try BatchBed(clips: ["good", "bad"])
        let program = try bed.double(
            """
            shopt -s extglob
            case $order in */bad.mp4*) order=${order/'"memory":'+([0-9])/'"memory":8000000'};; esac
            """)
        let result = try await bed.batch(["input: bad.mp4", "input: good.mp4"], program: program).run()
        #expect(result.records.map(\.status) == [.failed, .done])
        let bad = try #require(result.records.first)
        #expect(bad.exitCode == 65, "\(bad)")
        #expect(try bed.names == ["good.JPG", "good.MOV"])
    }

    @Test func `a passing failure is tried again, as often as asked`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let program = try bed.double(
            "[ -e \(bed.folder.path("tried")) ] || { touch \(bed.folder.path("tried")); kill -KILL $$; }")
        let result = try await bed.batch(["input: a.mp4"], program: program).run()
        #expect(result.records.map(\.status) == [.done])
        #expect(result.records.map(\.attempts) == [2])
        #expect(result.records.first?.error == nil)
    }

    @Test func `a worker that cannot be started stops the batch before any work`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let none = bed.folder.path.appending("none")
        let error = await #expect(throws: LivePhotoError.self) {
            try await bed.batch(["input: a.mp4"], program: none).run()
        }
        #expect(error?.code.general == .missingLibrary)
        #expect(error?.reason.hasPrefix("\(none) does not exist or cannot be executed") == true)
    }

    @Test func `after so many failures no other job is begun`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let result = try await bed.batch((1...5).map { "input: \($0).mp4" }) {
            $0.slots = 1
            $0.maxFailures = 2
        }.run()
        #expect(result.records.map(\.status) == [.failed, .failed, .pending, .pending, .pending])
        #expect(result.records.map(\.exitCode) == [66, 66, nil, nil, nil])
        #expect(result.reachedFailureLimit && result.stop == nil)
        let whole = try await bed.batch((1...2).map { "input: \($0).mp4" }) { $0.maxFailures = 2 }.run()
        #expect(!whole.reachedFailureLimit && whole.stop == nil)
    }

    @Test func `a clip that is none fails as convert would, with the file and what to do`() async throws {
        let bed = try BatchBed(clips: ["good"])
        try bed.folder.write("no clip", to: "bad.mp4")
        let result = try await bed.batch(["input: bad.mp4", "input: good.mp4"]).run()
        #expect(result.records.map(\.exitCode) == [65, 0])
        #expect(result.records.map(\.attempts) == [1, 1])
        #expect(result.records.first?.error?.hasPrefix(bed.folder.path("bad.mp4") + ": ") == true)
    }

    @Test func `ids and names come through as they are written`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let result = try await bed.batch([#"input: a.mp4, id: "x\"🎉", name: "p'{\\q é""#]).run()
        #expect(result.records.map(\.error) == [nil])
        #expect(result.records.map(\.id) == ["x\"🎉"])
        #expect(try bed.names == ["p'{\\q é.JPG", "p'{\\q é.MOV"])
    }

    @Test func `a folder has one batch at a time`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let go = bed.folder.path("go")
        let program = try bed.double("touch \(go)-begun; until [ -e \(go) ]; do sleep 0.02; done")
        async let first = bed.batch(["input: a.mp4"], program: program).run()
        while !FileManager.default.fileExists(atPath: go + "-begun") { try await Task.sleep(for: .milliseconds(10)) }
        let error = await #expect(throws: LivePhotoError.self) { try await bed.batch(["input: a.mp4"]).run() }
        #expect(error?.code == .temporary)
        #expect(
            error?.description
                == "\(bed.output): another batch is running there; wait for it to end, or use another --output")
        try bed.folder.write("", to: "go")
        #expect(try await first.records.map(\.status) == [.done])
    }

    @Test(arguments: ["/proc/livephoto", "/dev/null/out"])
    func `a folder that cannot be made is refused before any work`(_ path: FilePath) async throws {
        let bed = try BatchBed(clips: [])
        let batch = try bed.batch(["input: a.mp4"])
        let elsewhere = Batch(
            batch.jobs, folder: path, options: batch.options, worker: batch.worker)
        let error = await #expect(throws: LivePhotoError.self) { try await elsewhere.run() }
        #expect(error?.code == .cannotCreateOutput)
        #expect(error?.description.hasPrefix("\(path)/.livephoto-batch: cannot be created: ") == true)
    }
}
