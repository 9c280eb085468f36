import Foundation
import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

/// Clips that are read from a pipe.
@Suite struct SpooledClipTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["clip": String(repeating: "0123456789", count: 300_000)])
    }

    private func spool(_ command: String, limit: Int = SpooledClip.sizeLimit) throws -> SpooledClip {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder.url
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
        let input = FileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor)
        return try SpooledClip(input, for: folder.path.appending("out/new"), limit: limit, CancellationFlag())
    }

    @Test func `all bytes can be read again, and no file is seen`() throws {
        let clip = try spool("head -c 1000000 clip; sleep 0.3; tail -c 2000000 clip")
        #expect(try Data(contentsOf: URL(fileURLWithPath: clip.path.string)) == Data(folder.text("clip").utf8))
        #expect(folder.contents == ["clip"])
    }

    @Test func `as many bytes as allowed are taken, and one more is an error`() throws {
        _ = try spool("cat clip", limit: 3_000_000)
        let error = #expect(throws: LivePhotoError.self) { try spool("cat clip", limit: 2_999_999) }
        #expect(
            error.map { "\($0)" }
                == "standard input: has more than 2 MB, the limit for a pipe; save the clip to a file first")
        #expect(folder.contents == ["clip"])
        #expect(SpooledClip.tooLarge(limit: SpooledClip.sizeLimit).reason.hasPrefix("has more than 64 GB, "))
    }

    @Test func `waiting for a pipe can be stopped`() async throws {
        let pipe = Pipe()
        let flag = CancellationFlag()
        let input = FileDescriptor(rawValue: pipe.fileHandleForReading.fileDescriptor)
        let path = folder.path
        let task = Task.detached { try SpooledClip(input, for: path, flag) }
        flag.set()
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(folder.contents == ["clip"])
    }
}
