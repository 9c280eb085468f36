import Foundation
import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// A batch that is run again.
@Suite struct BatchResumeTests {
    /// Runs jobs to the end, all of which have to succeed.
    ///
    /// - Returns: how many stood there before.
    @discardableResult
    private func finish(
        _ bed: BatchBed, _ lines: [String], program: FilePath = BatchBed.worker,
        _ change: (inout BatchOptions) -> Void = { _ in }
    ) async throws -> Int {
        let result = try await bed.batch(lines, program: program, change).run()
        #expect(result.records.map(\.error) == lines.map { _ in nil })
        #expect(result.records.allSatisfy { $0.status == .done })
        return result.progress.doneEarlier
    }

    /// The inodes of the files that exist: a file that was made again has another.
    private func inodes(_ bed: BatchBed) throws -> [String: UInt64] {
        try bed.names.reduce(into: [:]) { inodes, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: bed.output.appending(name).string)
            inodes[name] = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        }
    }

    @Test func `existing pairs are not made again, with any number of jobs at a time`() async throws {
        let bed = try BatchBed(clips: ["a", "b"])
        let lines = ["input: a.mp4", "input: b.mp4, output: sub"]
        #expect(try await finish(bed, lines) == 0)
        let before = try inodes(bed)
        #expect(try await finish(bed, lines.reversed()) { $0.slots = 1 } == 2)
        #expect(try inodes(bed) == before)
        // Nor without the journal: the pairs themselves tell.
        try FileManager.default.removeItem(atPath: bed.journal.string)
        try await finish(bed, lines)
        #expect(try inodes(bed) == before)
    }

    @Test(arguments: [false, true]) func `a pattern does not take what the batch has made`(isKilled: Bool) async throws
    {
        let bed = try BatchBed(clips: ["clip"])
        try FileManager.default.moveItem(atPath: bed.folder.path("clip.mp4"), toPath: bed.folder.path("clip.MOV"))
        try bed.folder.write("version: 1\njobs: [{input: '**/*.MOV'}]\n", to: "jobs.yaml", permissions: 0o644)
        func run() async throws -> [JobRecord] {
            let jobs = try JobFile(bed.folder.path.appending("jobs.yaml"), output: bed.output).jobs
            return Array(
                try await Batch(
                    jobs, folder: bed.output, options: BatchOptions(), worker: MediaWorker(program: BatchBed.worker)
                ).run().records)
        }
        let first = try await run()
        #expect(first.map(\.status) == [.done])
        let before = try inodes(bed)
        #expect(before.count == 2)
        if isKilled {
            // The pair was published, which the journal does not say.
            let lines = try String(contentsOfFile: bed.journal.string, encoding: .utf8).split(separator: "\n")
            try Data("\(lines[0])\n".utf8).write(to: URL(fileURLWithPath: bed.journal.string))
        }
        let again = try await run()
        #expect(again.map(\.status) == [.done] && again.map(\.id) == first.map(\.id))
        #expect(try inodes(bed) == before)
        try FileManager.default.removeItem(atPath: bed.folder.path("clip.MOV"))
        let error = await #expect(throws: LivePhotoError.self) { try await run() }
        #expect(error?.reason.contains("only files that this batch has made match") == true)
    }

    @Test func `a pattern takes what another batch has made in the same folder`() async throws {
        let bed = try BatchBed(clips: ["clip"])
        try bed.folder.write("version: 1\njobs: [{input: '*.mp4'}]\n", to: "clips.yaml", permissions: 0o644)
        try bed.folder.write(
            "version: 1\njobs: [{input: 'out/*.JPG', name: '{stem}-warm', edit: {exposure: 0.3}}]\n", to: "edits.yaml",
            permissions: 0o644)
        for _ in 0..<2 {
            for name in ["clips.yaml", "edits.yaml"] {
                let jobs = try JobFile(bed.folder.path.appending(name), output: bed.output).jobs
                let records = try await Batch(
                    jobs, folder: bed.output, options: BatchOptions(), worker: MediaWorker(program: BatchBed.worker)
                ).run().records
                #expect(records.map(\.error) == [nil] && records.map(\.status) == [.done])
            }
        }
        #expect(try bed.names.filter { $0.hasSuffix(".JPG") } == ["clip-warm.JPG", "clip.JPG"])
    }

    @Test func `what is known of a pair is kept where it is found again`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let first = try #require(try await bed.batch(["input: a.mp4"]).run().records.first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: bed.folder.path("a.mp4"))
        let again = try #require(try await bed.batch(["input: a.mp4"]).run().records.first)
        #expect(again.inputs != first.inputs && first.duration != nil && first.frames != nil)
        #expect(again.duration == first.duration && again.frames == first.frames)
        #expect(again.stillTime == first.stillTime && again.stillTimeInClip == first.stillTimeInClip)
    }

    @Test func `each attempt of a job has all of its time`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let slow = try bed.double("sleep 60")
        let result = try await ItemTime.limited(to: TimeLimit(.seconds(1))) {
            try await bed.batch(["input: a.mp4"], program: slow) { $0.retries = 1 }.run()
        }
        let record = try #require(result.records.first)
        #expect(record.attempts == 2 && record.retryable == true && record.seconds.map { $0 > 0.9 } == true)
    }

    @Test func `the pairs' bytes do not depend on how many are made at a time`() async throws {
        let bed = try BatchBed(clips: ["a", "b", "c"])
        let lines = ["input: a.mp4", "input: b.mp4", "input: c.mp4"]
        try await finish(bed, lines) { $0.slots = 2 }
        let first = try bed.files
        for slots in [1, 3] {
            try await finish(bed, lines) {
                $0.slots = slots
                $0.restarts = true
            }
            #expect(try bed.files == first, "\(slots) at a time")
        }
    }

    @Test func `a job that is stopped has not failed`() async throws {
        let bed = try BatchBed(clips: ["a"])
        try SamplePair().write(below: bed.folder.path)
        let lines = ["photo: IMG_1.JPG, movie: IMG_1.MOV, still: 0", "input: a.mp4"]
        let task = Task {
            try await bed.batch(lines).run { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        let result = try await task.value
        #expect(result.records.map(\.error) == [nil, nil])
        #expect(!result.records.contains { $0.status == .failed })
        #expect(try !String(contentsOfFile: bed.journal.string, encoding: .utf8).contains("\"failed\""))
        #expect(try await finish(bed, lines) == 0)
    }

    /// Something that happened to a job between two runs.
    private struct Change: Sendable {
        let what: String
        /// What the job says then, beyond its input.
        var options = ""
        var isMadeAgain = true
        /// - Parameter name: of the job's files.
        var change: @Sendable (_ bed: BatchBed, _ name: String) throws -> Void = { _, _ in }
    }

    /// Moves a file of a pair away. A removed file's inode could become the new file's.
    private static func take(_ file: String, from bed: BatchBed) throws {
        try FileManager.default.moveItem(
            atPath: bed.output.appending(file).string, toPath: bed.folder.path("gone \(file)"))
    }

    private static let sidecar = #"{"photoTakenTime": {"timestamp": "1757684710"}}"#

    private static let changes = [
        Change(what: "nothing", isMadeAgain: false),
        Change(what: "options", options: ", fps: 5"),
        Change(what: "a preset", options: ", preset: smooth"),
        Change(what: "a preset's name", options: ", preset: {name: x}", isMadeAgain: false),
        Change(what: "the clip") { bed, name in
            let clip = URL(fileURLWithPath: bed.folder.path("\(name).mp4"))
            try (try Data(contentsOf: clip) + Data([0, 0, 0, 8] + Array("free".utf8))).write(to: clip)
        },
        Change(what: "the clip's time", isMadeAgain: false) { bed, name in
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: bed.folder.path("\(name).mp4"))
        },
        Change(what: "a date", options: ", date: '2025-10-12T23:36:14+13:00'"),
        Change(what: "a sidecar") { bed, name in
            try bed.folder.write(sidecar, to: "\(name).mp4.json")
        },
        Change(what: "the movie is gone") { bed, name in
            try take("\(name).MOV", from: bed)
        },
        Change(what: "the pair is gone") { bed, name in
            for file in ["\(name).JPG", "\(name).MOV"] { try take(file, from: bed) }
        },
    ]

    @Test func `what has changed is made again, and nothing else`() async throws {
        let names = Self.changes.indices.map { "\($0)" }
        let bed = try BatchBed(clips: names)
        try await finish(bed, names.map { "input: \($0).mp4" })
        let before = try inodes(bed)
        for (name, change) in zip(names, Self.changes) { try change.change(bed, name) }
        try await finish(bed, zip(names, Self.changes).map { "input: \($0).mp4\($1.options)" })
        let after = try inodes(bed)
        #expect(Set(after.keys) == Set(before.keys))
        for (name, change) in zip(names, Self.changes) {
            for file in ["\(name).JPG", "\(name).MOV"] {
                #expect((before[file] != after[file]) == change.isMadeAgain, "\(change.what): \(file)")
            }
        }
    }

    @Test func `a photo and a movie are linked again when a sidecar with their date appears`() async throws {
        let bed = try BatchBed(clips: ["a"])
        let photo = try SampleClips.make("photo.jpg", "-f lavfi -i testsrc2=size=64x64 -frames:v 1")
        try FileManager.default.copyItem(atPath: photo, toPath: bed.folder.path("a.jpg"))
        let lines = ["photo: a.jpg, movie: a.mp4, still: 0"]
        try await finish(bed, lines)
        let before = try bed.files
        #expect(try await finish(bed, lines) == 1)
        try bed.folder.write(Self.sidecar, to: "a.jpg.json")
        #expect(try await finish(bed, lines) == 0)
        let after = try bed.files
        for file in ["out/a.JPG", "out/a.MOV"] { #expect(before[file] != after[file]) }
    }

    @Test func `a pair that was spoilt is made again where that is allowed, and all are at a restart`() async throws {
        let bed = try BatchBed(clips: ["a", "b"])
        let lines = ["input: a.mp4", "input: b.mp4"]
        try await finish(bed, lines)
        let first = try inodes(bed)
        try Data("spoilt".utf8).write(to: URL(fileURLWithPath: bed.output.appending("a.JPG").string))
        let refused = try await bed.batch(lines).run()
        #expect(refused.records.map(\.exitCode) == [73, 0])
        try await finish(bed, lines) { $0.replacesExisting = true }
        let second = try inodes(bed)
        #expect(first.filter { second[$0.key] != $0.value }.keys.sorted() == ["a.JPG", "a.MOV"])
        try await finish(bed, lines) { $0.restarts = true }
        #expect(try inodes(bed).allSatisfy { second[$0.key] != $0.value })
    }

    @Test func `a file of another's is refused and kept, at every run, also under an identifier that is asked for`()
        async throws
    {
        let bed = try BatchBed(clips: ["a"])
        let identifier = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
        let lines = ["input: a.mp4, contentIdentifier: \(identifier)"]
        try await finish(bed, lines)
        // As if another program had made it.
        try FileManager.default.removeItem(atPath: bed.journal.string)
        let before = try inodes(bed)
        for _ in 1...2 {
            let result = try await bed.batch(lines).run()
            let record = try #require(result.records.first)
            #expect((record.status, record.exitCode, record.attempts) == (.failed, 73, 1))
            #expect(record.error?.contains("a.MOV") == true || record.error?.contains("a.JPG") == true)
            #expect(try inodes(bed) == before)
        }
        try await finish(bed, lines) { $0.replacesExisting = true }
        #expect(try inodes(bed) != before)
    }

    @Test(arguments: [nil, 1, 3])
    func `another number of parts finds the pairs of the earlier ones, also under identifiers that are asked for`(
        count: Int?
    ) async throws {
        let bed = try BatchBed(clips: ["a", "b", "c"])
        let identifiers = ["CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", "1FFD87C5-4F5C-4D5A-B2B5-7F2F7C6D2C3B"]
        let lines = [
            "input: a.mp4, contentIdentifier: \(identifiers[0])", "input: b.mp4, contentIdentifier: \(identifiers[1])",
            "input: c.mp4",
        ]
        for number in 1...2 {
            let result = try await bed.batch(lines, shard: Shard(number, of: 2)).run()
            #expect(result.records.allSatisfy { $0.status == .done }, "\(result.records.map(\.error))")
        }
        let before = try inodes(bed)
        #expect(before.count == 6)
        let shards = count.map { count in (1...count).map { Shard($0, of: count) } } ?? [nil]
        for shard in shards {
            let result = try await bed.batch(lines, shard: shard).run()
            #expect(result.records.allSatisfy { $0.status == .done }, "\(result.records.map(\.error))")
        }
        #expect(try inodes(bed) == before)
    }

    @Test func `a pair stays the batch's own when making it again was broken off with another number of parts`()
        async throws
    {
        let bed = try BatchBed(clips: ["a"])
        for number in 1...2 { _ = try await bed.batch(["input: a.mp4"], shard: Shard(number, of: 2)).run() }
        #expect(try bed.names == ["a.JPG", "a.MOV"])
        let program = try bed.double("kill -KILL $$")
        let broken = try await bed.batch(["input: a.mp4, fps: 5"], program: program) { $0.retries = 0 }.run()
        #expect(broken.records.map(\.signal) == ["SIGKILL"])
        try await finish(bed, ["input: a.mp4, fps: 5"])
        #expect(try bed.names == ["a.JPG", "a.MOV"])
        // All are made again, whatever parts they were in.
        let again = try await bed.batch(["input: a.mp4, fps: 5"], shard: Shard(1, of: 1)) { $0.restarts = true }.run()
        #expect(again.records.map(\.status) == [.done])
    }

    @Test func `a pair stays the batch's own when making it again was broken off`() async throws {
        let bed = try BatchBed(clips: ["a"])
        try await finish(bed, ["input: a.mp4"])
        // With other options it is begun, but never ended.
        let program = try bed.double(
            "kill -KILL $$"
        )
        let broken = try await bed.batch(["input: a.mp4, fps: 5"], program: program) { $0.retries = 0 }.run()
        #expect(broken.records.map(\.signal) == ["SIGKILL"])
        try await finish(bed, ["input: a.mp4, fps: 3"])
        #expect(try bed.names == ["a.JPG", "a.MOV"])
    }

    @Test func `the batch's former photo of another format goes away, and nobody else's does`() async throws {
        let bed = try BatchBed(clips: ["a", "b"])
        let (png, photo) = (bed.folder.path("p.png"), bed.folder.path("p.heic"))
        try Program.ffmpeg("-f lavfi -i color=red:size=64x64 -frames:v 1", to: png)
        try Program.run(["heif-enc", "-o", photo, png])
        try await finish(bed, ["input: a.mp4, photo: p.heic", "input: b.mp4, photo: p.heic"])
        #expect(try bed.names == ["a.HEIC", "a.MOV", "b.HEIC", "b.MOV"])
        try FileManager.default.removeItem(atPath: bed.output.appending("b.HEIC").string)
        try FileManager.default.copyItem(atPath: photo, toPath: bed.output.appending("b.HEIC").string)
        try await finish(bed, ["input: a.mp4", "input: b.mp4"])
        #expect(try bed.names == ["a.JPG", "a.MOV", "b.HEIC", "b.JPG", "b.MOV"])
    }

    @Test func `a job that this run did not begin is pending, whatever an earlier run made of it`() async throws {
        let bed = try BatchBed(clips: ["a"])
        try await finish(bed, ["input: a.mp4"])
        let result = try await bed.batch(["input: gone.mp4", "input: a.mp4"]) {
            $0.slots = 1
            $0.maxFailures = 1
        }.run()
        #expect(result.records.map(\.status) == [.failed, .pending])
        #expect(result.records.last?.photo == nil)
    }

    @Test func `the journal may be cut anywhere in its last lines`() async throws {
        let bed = try BatchBed(clips: ["a"])
        try await finish(bed, ["input: a.mp4"])
        let (before, journal) = (try inodes(bed), URL(fileURLWithPath: bed.journal.string))
        let whole = try Data(contentsOf: journal)
        #expect(whole.split(separator: UInt8(ascii: "\n")).count == 2)
        // Bytes here and there, and the ends of both lines.
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }.flatMap { [$0, $0 + 1] }
        for length in Set(stride(from: 0, to: whole.count, by: 391)).union(ends).sorted() {
            try whole.prefix(length).write(to: journal)
            try await finish(bed, ["input: a.mp4"])
            #expect(try inodes(bed) == before, "cut to \(length)")
        }
    }
}
