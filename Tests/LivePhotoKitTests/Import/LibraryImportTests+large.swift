import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

/// What holds for imports that take long.
extension LibraryImportTests {
    @Test func `what is no photo and what cannot be read is told before any photo is read`() async throws {
        try add(photo: "a/1.JPG", movie: "a/1.MP4", day: 1)
        try write(Array("text".utf8), to: root.pushing("b/notes.txt"))
        try FileManager.default.createSymbolicLink(
            atPath: root.pushing("b/2.jpg").string, withDestinationPath: "nowhere")
        var events: [String] = []
        try await options().run(
            [root], to: library, progress: { events.append($0.stage.rawValue) },
            onOutcome: { events.append("\(names($0.sources)): \(word($0.status))") })
        // Each of the three folders is progress, too.
        #expect(
            events.prefix(5) == ["reading", "reading", "in/b/2.jpg: noInput", "in/b/notes.txt: left out", "reading"])
        #expect(events.last == "copying" && events.contains("in/a/1.JPG in/a/1.MP4: made"))
    }

    @Test(arguments: [
        LibraryImport.Stage.reading, .pairing, .comparing, .dating, .copying,
    ])
    func `an import that is stopped makes nothing more, and the next one completes it`(
        stage: LibraryImport.Stage
    ) async throws {
        // More than are started while the first one is made.
        let count = 24
        for number in 1...count { try add(photo: "\(number).JPG", movie: "\(number).MP4", day: number) }
        let (options, sources, library) = (try options { $0.width = 4 }, [root], library)
        let stopped = Task {
            try await options.run(sources, to: library) { progress in
                if progress.stage == stage { withUnsafeCurrentTask { $0?.cancel() } }
            } onOutcome: { outcome in
                if case .failed = outcome.status { Issue.record("\(outcome)") }
            }
        }
        let error = await #expect(throws: LivePhotoError.self) { try await stopped.value }
        #expect(error?.code == .cancelled)
        let made = try made.count
        #expect(stage == .copying ? (2..<2 * count).contains(made) : made == 0)
        // Later, the log knows what was decided.
        #expect(stage != .reading || !FileManager.default.fileExists(atPath: library.string))
        let lines = try await run()
        #expect(lines.count == count && lines.count(where: { $0.contains(": present") }) == made / 2)
    }

    @Test func `a photo of the name of a motion photo gets a number, so that no program takes it for a part of that`()
        async throws
    {
        try add(photo: "a/1.JPG", movie: "a/1.MP4", day: 1)
        try add(photo: "b/1.JPG", day: 2)
        try add(photo: "c/1.JPG", day: 3)
        try await run { $0.form = .android }
        #expect(try made.keys.sorted() == ["out/2025/09/1-2.JPG", "out/2025/09/1-3.JPG", "out/2025/09/1.MP.jpg"])
    }
}
