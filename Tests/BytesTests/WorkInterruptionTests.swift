import Bytes
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Everything that reads or copies a file ends when its task is cancelled.
struct WorkInterruptionTests {
    typealias Read = @Sendable (InputFile) throws -> Void

    static let reads: [(name: String, read: Read)] = [
        ("bytes", { _ = try $0.bytes(at: 1, count: 2) }),
        ("contents", { _ = try $0.contents(limit: 1 << 20) }),
        ("a part", { _ = try InputFile(1..<3, of: $0).bytes(at: 0, count: 1) }),
        ("comparison", { _ = try $0.hasSameBytes(at: 0..<3, as: $0, at: 0) }),
        ("pieces", { try FilePieces($0).forEach { _ in } }),
        ("equal pieces", { _ = try FilePieces($0).areContent(of: $0) }),
        ("inflating", { try Inflater().unpack(0..<$0.size, of: $0, limit: 1 << 20) { _ in } }),
        (
            "copy",
            { file in
                let folder = try TemporaryFolder()
                try OutputFile.write(folder.unusedPath) { try $0.write(0..<file.size, of: file) }
            }
        ),
    ]

    @Test(arguments: reads.map(\.name))
    func `reading and copying end when the task is cancelled`(name: String) async throws {
        let read = try #require(Self.reads.first { $0.name == name }).read
        let file = try inputFile(Array(repeating: 7, count: 100))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            #expect(throws: CancellationError.self) { try read(file) }
            // Undoing a change reads files too.
            _ = try WorkInterruption.ignored { try file.bytes(at: 0, count: 100) }
        }
        task.cancel()
        try await task.value
    }

    @Test(arguments: reads.map(\.name))
    func `reading and copying end after the time of the item`(name: String) async throws {
        let read = try #require(Self.reads.first { $0.name == name }).read
        let file = try inputFile(Array(repeating: 7, count: 100))
        try await WorkInterruption.limitingItems(to: .milliseconds(1)) {
            // No item has begun.
            _ = try file.bytes(at: 0, count: 100)
            WorkInterruption.item { () -> Void in
                usleep(2_000)
                #expect(WorkInterruption.remainingTime == .zero)
                #expect(throws: TimeLimitExceeded.self) { try read(file) }
                // An item within another one has no time of its own.
                WorkInterruption.item { () -> Void in
                    #expect(throws: TimeLimitExceeded.self) { try read(file) }
                }
            }
            await WorkInterruption.item {
                usleep(2_000)
                // Another attempt has.
                await WorkInterruption.attempt {
                    #expect(WorkInterruption.remainingTime.map { $0 > .zero } == true)
                }
            }
        }
    }

    @Test func `a file that becomes shorter while it is read is one that another program changes`() throws {
        let folder = try TemporaryFolder(["movie": "0123456789"])
        let path = folder.path.appending("movie")
        let file = try InputFile(path)
        try FileHandle(forWritingTo: URL(fileURLWithPath: path.string)).truncate(atOffset: 4)
        #expect(try file.bytes(at: 0, count: 4) == Array("0123".utf8))
        #expect(throws: FileChanged.self) { try file.bytes(at: 0, count: 10) }
        #expect(throws: FileChanged.self) { try FilePieces(file).forEach { _ in } }
    }

    @Test func `a copy of a file that another program changes meanwhile is an error`() throws {
        let folder = try TemporaryFolder(["movie": "0123456789"])
        let path = folder.path.appending("movie")
        let file = try InputFile(path)
        try OutputFile.write(folder.unusedPath) { try FilePieces(file).write(to: $0) }
        usleep(20_000)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
        try handle.write(contentsOf: Data("abc".utf8))
        try handle.close()
        #expect(throws: FileChanged.self) {
            try OutputFile.write(folder.unusedPath) { try FilePieces(file).write(to: $0) }
        }
    }

    @Test func `a copy that does not fit on the disk is not begun`() throws {
        let folder = try TemporaryFolder(["movie": ""])
        let path = folder.path.appending("movie")
        // Holes: larger than disks are, and smaller than the largest file of ext4.
        try FileHandle(forWritingTo: URL(fileURLWithPath: path.string)).truncate(atOffset: 15 << 40)
        let (file, copy) = (try InputFile(path), folder.unusedPath)
        #expect(throws: Errno.noSpace) { try OutputFile.write(copy) { try FilePieces(file).write(to: $0) } }
        #expect(try copy.stat().size == 0)
    }
}
