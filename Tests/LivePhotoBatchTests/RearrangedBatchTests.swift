import Foundation
import LivePhotoBatch
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

/// Batches in output folders whose state was rearranged, as in an archive.
@Suite struct RearrangedBatchTests {
    /// What is in place of the state.
    enum Arrangement: CaseIterable {
        case stateIsLink, journalIsLink, journalHasSecondName, journalIsFolder, journalIsPipe
    }

    @Test(arguments: Arrangement.allCases)
    func `a batch writes nothing outside of its output folder`(arrangement: Arrangement) async throws {
        let bed = try BatchBed(clips: ["a"])
        let folder = bed.folder
        let (state, journal) = ("out/.livephoto-batch", "out/.livephoto-batch/journal.jsonl")
        try folder.write("line\nnot terminated", to: "outside/notes")
        let notes = folder.path("outside/notes")
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder.path(arrangement == .stateIsLink ? "out" : state), withIntermediateDirectories: true)
        switch arrangement {
        case .stateIsLink:
            try files.createSymbolicLink(atPath: folder.path(state), withDestinationPath: folder.path("outside"))
        case .journalIsLink:
            try files.createSymbolicLink(atPath: folder.path(journal), withDestinationPath: notes)
        case .journalHasSecondName: try files.linkItem(atPath: notes, toPath: folder.path(journal))
        case .journalIsFolder:
            try files.createDirectory(atPath: folder.path(journal), withIntermediateDirectories: true)
        case .journalIsPipe: try #require(mkfifo(folder.path(journal), 0o600) == 0)
        }
        let error = await #expect(throws: LivePhotoError.self) { try await bed.batch(["input: a.mp4"]).run() }
        #expect(error?.code == .cannotCreateOutput, "\(error as Any)")
        #expect(try folder.text("outside/notes") == "line\nnot terminated")
        #expect(try files.contentsOfDirectory(atPath: folder.path("outside")) == ["notes"])
    }

    @Test func `a report follows no link to a journal`() throws {
        let folder = try TemporaryFolder(["outside/journal.jsonl": "{\"id\":\"a\",\"status\":\"done\"}\n"])
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("one/.livephoto-batch"), withIntermediateDirectories: true)
        try files.createDirectory(atPath: folder.path("two"), withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: folder.path("one/.livephoto-batch/journal.jsonl"),
            withDestinationPath: folder.path("outside/journal.jsonl"))
        try files.createSymbolicLink(
            atPath: folder.path("two/.livephoto-batch"), withDestinationPath: folder.path("outside"))
        for name in ["one", "two"] {
            #expect(throws: LivePhotoError.self) { try MergedReport([folder.path.appending(name)]) }
        }
        #expect(try MergedReport([folder.path.appending("outside/journal.jsonl")]).entries.count == 1)
    }

    @Test func `line ends in a journal are not read as records`() throws {
        let folder = try TemporaryFolder([
            ".livephoto-batch/journal.jsonl": String(repeating: "\n", count: 1 << 20)
                + "{\"id\":\"a\",\"status\":\"done\"}\n"
        ])
        let report = try MergedReport([folder.path])
        #expect(report.entries.count == 1 && report.unreadable.isEmpty)
    }
}
