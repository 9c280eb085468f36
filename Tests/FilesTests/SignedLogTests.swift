import Files
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Logs in hidden folders of their own.
@Suite struct SignedLogTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    @Test func `lines are read again at their places, unless they have changed`() throws {
        let kind = SignedLog.Kind(
            .library, folder: ".livephoto-test", file: "log.jsonl",
            RecordSeal.Limits(line: 1 << 10, file: 1 << 12, lines: 10))
        let values = ["first", "é\n", ""]
        var log: SignedLog? = try SignedLog(kind, createdIn: temporary.path) { _, _ in }
        let written = try values.compactMap { try log?.append($0) }
        log?.unlock()
        log = nil
        var (read, texts) = ([SignedLog.Place](), [String]())
        let file = try #require(
            try SignedLog.read(kind, in: OpenFolder(named: temporary.path)) { content, place in
                read.append(place)
                texts.append(try JSON.decode(String.self, from: content))
            })
        #expect(read == written && texts == values)
        for (place, value) in zip(written, values) {
            #expect(try JSON.decode(String.self, from: place.content(in: file)) == value)
        }
        let path = temporary.path.appending(".livephoto-test").appending("log.jsonl")
        let text = try String(contentsOfFile: path.string, encoding: .utf8)
        try text.replacing("first", with: "other").write(toFile: path.string, atomically: false, encoding: .utf8)
        let error = #expect(throws: LivePhotoError.self) { try written[0].content(in: file) }
        #expect(error?.code == .temporary)
        #expect(try JSON.decode(String.self, from: written[1].content(in: file)) == values[1])
    }

    @Test func `a line is not lost if another run is removing the log`() throws {
        let kind = SignedLog.Kind(
            .journal, folder: ".livephoto-test", file: "log.jsonl",
            RecordSeal.Limits(line: 1 << 10, file: 1 << 12, lines: 10))
        let root = try OpenFolder(named: temporary.path)
        let (runs, rounds) = (4, 20)
        let kept = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: runs) { run in
            for round in 0..<rounds {
                let log: SignedLog
                do throws(LivePhotoError) {
                    log = try SignedLog(kind, createdIn: temporary.path) { _, _ in }
                } catch {
                    // Another one has it longer than a run waits.
                    #expect(error.code == .temporary)
                    continue
                }
                defer { log.remove() }
                let value = run * rounds + round
                var lines: [Int] = []
                #expect(throws: Never.self) {
                    try log.append(value)
                    try SignedLog.read(kind, in: root) { line, _ in lines.append(try JSON.decode(Int.self, from: line))
                    }
                }
                #expect(lines == [value])
                kept.withLock { $0 += 1 }
            }
        }
        #expect(kept.withLock { $0 } > rounds)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path.string).isEmpty)
    }

    #if os(Linux)
        @Test func `a log that is removed has no open file, which would keep its folder on NFS and FUSE`() throws {
            let kind = SignedLog.Kind(
                .journal, folder: ".livephoto-test", file: "log.jsonl",
                RecordSeal.Limits(line: 1 << 10, file: 1 << 10, lines: 1))
            let log = try SignedLog(kind, createdIn: temporary.path) { _, _ in }
            try log.append(1)
            #expect(try !openFiles().isEmpty)
            log.remove()
            #expect(try openFiles().isEmpty)
            // It is harmless to end the lock then.
            log.unlock()
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path.string).isEmpty)
        }

        /// The files of the temporary folder that this process has open, not its folders.
        private func openFiles() throws -> [String] {
            let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return numbers.compactMap { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target.flatMap { $0.hasPrefix(temporary.path.string) && $0.contains("/lock") ? $0 : nil }
            }
        }
    #endif
}
