import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Logs in hidden folders of their own.
@Suite struct SignedLogTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    #if os(Linux)
        @Test func `a log that is removed has no open file, which would keep its folder on NFS and FUSE`() throws {
            let kind = SignedLog.Kind(
                .journal, folder: ".livephoto-test", file: "log.jsonl",
                RecordSeal.Limits(line: 1 << 10, file: 1 << 10, lines: 1))
            let log = try SignedLog(kind, createdIn: temporary.path) { _ in }
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
