import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Undoing and resuming imports, and files that may be damaged.
extension LibraryImportTests {
    @Test func `undoing an import leaves what was there before, and what was changed since`() async throws {
        try write(Array("mine".utf8), to: library.pushing("2025/09/mine.txt"))
        try makeDirectory(library.appending("empty"))
        let before = try temporary.files
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try add(photo: "2.jpg", day: 2)
        try add(photo: "album/3.jpg", day: nil)
        try await run()
        #expect(FileManager.default.fileExists(atPath: library.string + "/undated"))
        try write(Array("changed".utf8), to: library.pushing("2025/09/2.jpg"))
        #expect(
            try await undo() == [
                "out/2025/09/1.JPG: removed", "out/2025/09/1.MOV: removed", "out/2025/09/2.jpg: left",
                "out/undated/3.jpg: removed",
            ])
        #expect(!FileManager.default.fileExists(atPath: library.string + "/undated"))
        #expect(try made.keys.sorted() == ["out/2025/09/2.jpg", "out/2025/09/mine.txt"])
        try FileManager.default.removeItem(atPath: library.string + "/2025/09/2.jpg")
        #expect(try await undo() == ["out/2025/09/2.jpg: gone"])
        #expect(try temporary.files.filter { $0.key.hasPrefix("out") } == before)
        #expect(FileManager.default.fileExists(atPath: library.string + "/empty"))
        await #expect(throws: LivePhotoError.self) { _ = try await self.undo() }
    }

    @Test func `undoing an import leaves a Live Photo whole if one of its files was changed`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run()
        let photo = library.pushing("2025/09/1.JPG")
        let original = try InputFile(photo).contents(limit: 1 << 20)
        try write(Array("changed".utf8), to: photo)
        #expect(try await undo() == ["out/2025/09/1.JPG: left", "out/2025/09/1.MOV: left"])
        try write(original, to: photo)
        #expect(try await undo() == ["out/2025/09/1.JPG: removed", "out/2025/09/1.MOV: removed"])
    }

    @Test(arguments: ["", "2025", "2025/09"])
    func `what a killed import has left goes with the next one, also where nothing is added`(place: String) async throws
    {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run()
        let before = try made
        let left = library.pushing(FilePath(place)).appending(".livephoto-0123456789abcdef")
        try FileManager.default.createDirectory(
            atPath: left.appending("new").string, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: left.string)
        try await run()
        #expect(!FileManager.default.fileExists(atPath: left.string))
        #expect(try made == before)
    }

    @Test func `a photo that was cut off is copied and listed with what to do`() async throws {
        try add(photo: "1.jpg", day: 1)
        let path = root.appending("1.jpg")
        let whole = try InputFile(path).contents(limit: 1 << 20)
        try write(Array(whole.prefix(whole.count - 2)), to: path)
        var doubts: [Doubt] = []
        try await options().run([root], to: library) { doubts += $0.doubts }
        #expect(
            doubts.count == 1 && doubts.first?.reason.contains("ends before its picture does") == true, "\(doubts)")
        #expect(doubts.first?.advice?.contains("another copy") == true)
        #expect(try InputFile(library.pushing("2025/09/1.jpg")).contents(limit: 1 << 20).count == whole.count - 2)
    }

    @Test func `a photo that was damaged in the export does not replace the good one in the library`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run()
        let before = try made
        let path = root.appending("1.JPG")
        let whole = try InputFile(path).contents(limit: 1 << 20)
        try write(Array(whole.dropLast(2)), to: path)
        for _ in 0..<2 { try await run() }
        let both = try made
        #expect(both.filter { before.keys.contains($0.key) } == before && both.count == 4, "\(both.keys)")
        try write(whole, to: path)
        try await run()
        let after = try made
        #expect(
            after == both, "\(after.keys.sorted()), changed: \(after.filter { both[$0.key] != $0.value }.keys.sorted())"
        )
    }

    @Test func `an import that was stopped does not compare the same pictures again`() async throws {
        for number in 1...3 { try add(photo: "\(number).JPG", movie: "\(number).MP4", day: nil) }
        let compared = Mutex<[String]>([])
        func importAll(stoppingAtFirst: Bool) async throws {
            let library = LibraryImport(folders: try #require(DateFolders("%Y/%m"))) {
                photo, _, _ throws(LivePhotoError) in
                compared.withLock { $0.append(photo.lastComponent?.string ?? "") }
                let time = MediaTime(value: SamplePair.stillTime, timescale: 600)
                return StillMoment(time: time, source: .photo(similarity: 0.9))
            }
            try await library.run([root], to: self.library) { outcome in
                if stoppingAtFirst, case .made = outcome.status { throw CancellationError() }
            }
        }
        await #expect(throws: (any Error).self) { try await importAll(stoppingAtFirst: true) }
        #expect(compared.withLock { $0.sorted() } == ["1.JPG", "2.JPG", "3.JPG"])
        compared.withLock { $0 = [] }
        try write(InputFile(root.appending("2.MP4")).contents(limit: 1 << 24), to: root.appending("2.MP4"))
        try await importAll(stoppingAtFirst: false)
        // One was changed, or at least written again, since.
        #expect(compared.withLock { $0 } == ["2.JPG"])
        // All have the same content.
        #expect(try made.keys.count { $0.hasSuffix(".MOV") } == 1)
    }
}
