import LivePhotoKit
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// The search for clips in folders.
@Suite struct FolderClipsTests {
    private let folder: TemporaryFolder

    init() throws {
        let names = (1...20).flatMap { ["Clips/\($0)/\($0).mp4", "Clips/\($0)/\($0).jpg"] }
        folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
    }

    private func search(_ progress: @escaping @Sendable (FolderClips.Progress) -> Void) async throws -> FolderClips {
        let path = folder.path
        return try await Task {
            try await FolderClips(
                below: [path.appending("Clips")], to: path.appending("Live"), width: 2, progress: progress)
        }.value
    }

    @Test func `the progress goes through all folders and files`() async throws {
        let last = Latest()
        let found = try await search { last.store($0) }
        #expect(found.clips(below: folder.path.appending("Clips")).count == 20)
        // Photos are read twice: they may belong to a movie, and have one in them.
        #expect(last.folders == 21 && last.files == 60 && last.total == 60)
    }

    @Test func `TypeScript is not taken for a transport stream`() async throws {
        /// Packets of a transport stream, each a sync byte and padding.
        func packets(_ length: Int) -> String {
            String(repeating: "G" + String(repeating: "\0", count: length - 1), count: 5)
        }
        let clips = [
            ("page.ts", "import React"), ("long.ts", String(repeating: "Global G.\n", count: 500)), ("empty.ts", ""),
            ("stream.ts", packets(188)), ("disc.ts", "\0\0\0\0" + packets(192)), ("cut.ts", "cut" + packets(204)),
            ("old.m2ts", "text"),
        ]
        let mixed = try TemporaryFolder(Dictionary(uniqueKeysWithValues: clips))
        let found = try await FolderClips(below: [mixed.path], to: mixed.path.appending("Live"), width: 1)
        #expect(
            found.clips(below: mixed.path).map { $0.path.lastComponent?.string } == [
                "cut.ts", "disc.ts", "old.m2ts", "stream.ts",
            ])
    }

    @Test func `a search that is cancelled ends soon`() async throws {
        let last = Latest()
        await #expect(throws: CancellationError.self) {
            try await search {
                last.store($0)
                if last.folders == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        #expect(last.folders == 3 && last.files == 0)
        await #expect(throws: CancellationError.self) {
            try await search {
                last.store($0)
                if last.files == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        // Results are reported in order, so those of all photos may come at once; the movies are not read.
        #expect(last.folders == 21 && last.files <= 20)
    }
}

/// The progress that was reported last.
private final class Latest: Sendable {
    private let values = Mutex((folders: 0, files: 0, total: 0))

    var folders: Int { values.withLock { $0.folders } }
    var files: Int { values.withLock { $0.files } }
    var total: Int { values.withLock { $0.total } }

    func store(_ progress: FolderClips.Progress) {
        values.withLock {
            switch progress {
            case .listing(let folders): $0.folders = folders
            case .reading(let done, let total): ($0.files, $0.total) = (done, total)
            }
        }
    }
}
