import Foundation
import LivePhotoBatch
import LivePhotoConversion
import SystemPackage
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

    private static let faults = [
        Fault(
            script: "echo one >&2; echo two >&2; kill -ABRT $$", error: "its process was ended by SIGABRT",
            signal: "SIGABRT", lastWords: ["one", "two"]),
        Fault(script: "kill -SEGV $$", error: "its process was ended by SIGSEGV", signal: "SIGSEGV"),
        // As the kernel does for want of memory.
        Fault(
            script: "kill -KILL $$", error: "its process was ended by SIGKILL", signal: "SIGKILL", isRetryable: true),
        Fault(script: "exit 0", error: "its process ended with status 0 before it was done", exitCode: 0),
        Fault(script: "exit 3", error: "its process ended with status 3 before it was done", exitCode: 3),
        Fault(
            script: "exit 75", error: "its process ended with status 75 before it was done", exitCode: 75,
            isRetryable: true),
        Fault(
            script: #"printf '\377\0{"record":\n[]\n{"frames":-1,"totalFrames":0}\n{"record":{"id":1}}'; exit 1"#,
            error: "its process ended with status 1 before it was done", exitCode: 1),
        // Of another job.
        Fault(
            script: #"echo '{"record":{"id":"good","status":"done"}}'; exit 0"#,
            error: "its process ended with status 0 before it was done", exitCode: 0),
        Fault(
            script: "exec tr '\\0' x </dev/zero", error: "its process was ended by SIGTERM", signal: "SIGTERM",
            isRetryable: true),
        Fault(
            script: "yes word | head -n 100000 >&2; exit 1",
            error: "its process ended with status 1 before it was done",
            exitCode: 1, lastWords: [String](repeating: "word", count: 12)),
    ]

    @Test func `a process that misbehaves costs its own job only, and the record says how`() async throws {
        let ids = Self.faults.indices.map { "bad-\($0)" }
        let bed = try BatchBed(clips: ids + ["good"])
        let cases = zip(ids, Self.faults).map { id, fault in "*'\"id\":\"\(id)\"'*) \(fault.script);;" }
        let program = try bed.double("case $order in \(cases.joined(separator: "\n")) esac")
        let result = try await bed.batch((ids + ["good"]).map { "input: \($0).mp4" }, program: program) {
            $0.retries = 0
        }.run()
        for (fault, bad) in zip(Self.faults, result.records) {
            #expect(bad.status == .failed)
            #expect(bad.error == fault.error)
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
        let result = try await bed.batch(["input: bad.mp4"], program: program) {
            $0.retries = 0
            $0.timeout = .milliseconds(300)
        }.run()
        let bad = try #require(result.records.first)
        #expect(bad.error == "took longer than 0.3 seconds and was ended")
        #expect(bad.retryable == true)
        #expect((bad.seconds ?? 100) < 10)
    }

    @Test func `a process that may take too little memory fails with a record`() async throws {
        let bed = try BatchBed(clips: ["good", "bad"])
        let program = try bed.double(
            """
            shopt -s extglob
            case $order in *'"id":"bad"'*) order=${order/'"memoryLimit":'+([0-9])/'"memoryLimit":8000000'};; esac
            """)
        let result = try await bed.batch(["input: bad.mp4", "input: good.mp4"], program: program).run()
        #expect(result.records.map(\.status) == [.failed, .done])
        let bad = try #require(result.records.first)
        #expect(bad.signal != nil || bad.exitCode == 75, "\(bad)")
        #expect(try bed.names == ["good.JPG", "good.MOV"])
    }

    @Test func `a passing failure is tried again, as often as asked`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let program = try bed.double(
            "[ -e \(bed.folder.file("tried")) ] || { touch \(bed.folder.file("tried")); exit 75; }")
        let result = try await bed.batch(["input: a.mp4"], program: program).run()
        #expect(result.records.map(\.status) == [.done])
        #expect(result.records.map(\.attempts) == [2])
        #expect(result.records.first?.error == nil)
    }

    @Test func `a program that cannot be started fails each job, with its reason`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let result = try await bed.batch(["input: a.mp4"], program: bed.folder.path.appending("none")) {
            $0.retries = 0
        }.run()
        let record = try #require(result.records.first)
        #expect(record.error?.hasPrefix("its process could not be started: ") == true)
        #expect((record.exitCode, record.retryable) == (75, true))
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
        #expect(result.records.first?.error?.hasPrefix(bed.folder.file("bad.mp4") + ": ") == true)
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
        let go = bed.folder.file("go")
        let program = try bed.double("touch \(go)-begun; until [ -e \(go) ]; do sleep 0.02; done")
        async let first = bed.batch(["input: a.mp4"], program: program).run()
        while !FileManager.default.fileExists(atPath: go + "-begun") { try await Task.sleep(for: .milliseconds(10)) }
        let error = await #expect(throws: LivePhotoError.self) { try await bed.batch(["input: a.mp4"]).run() }
        #expect(error?.code == .temporary)
        #expect(
            error?.description
                == "\(bed.output): another batch is at work there; wait for its end, or give this one another --output")
        try bed.folder.write("", to: "go")
        #expect(try await first.records.map(\.status) == [.done])
    }

    @Test(arguments: ["/proc/livephoto", "/dev/null/out"])
    func `a folder that cannot be made is refused before any work`(_ path: FilePath) async throws {
        let bed = try BatchBed(clips: [])
        let batch = try bed.batch(["input: a.mp4"])
        let elsewhere = Batch(
            batch.jobs, folder: path, options: batch.options, program: batch.program, version: batch.version)
        let error = await #expect(throws: LivePhotoError.self) { try await elsewhere.run() }
        #expect(error?.code == .cannotCreateOutput)
        #expect(error?.description.hasPrefix("\(path)/.livephoto-batch: cannot be made: ") == true)
    }
}
