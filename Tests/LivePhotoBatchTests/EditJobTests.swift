import Foundation
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// Jobs that edit Live Photos.
@Suite struct EditJobTests {
    private let bed: BatchBed

    init() throws {
        bed = try BatchBed(clips: ["clip"])
        try SamplePair.copyConverted(to: bed.folder.url)
    }

    private func run(_ lines: [String]) async throws -> BatchResult { try await bed.batch(lines).run() }

    private func verify(_ name: String) throws -> VerificationReport {
        try LivePhotoVerifier().verify(
            photo: bed.output.appending("\(name).JPG"), movie: bed.output.appending("\(name).MOV"))
    }

    @Test func `a recipe in the job or in a file edits the pair, encoded or not, and its settings are beside it`()
        async throws
    {
        try bed.folder.write("exposure: 0.5\nfill: 1:1\n", to: "look.yaml")
        let result = try await run([
            "input: beach.JPG, edit: look.yaml, name: look",
            "input: beach.MOV, edit: {still: 0.4, no-audio: true, end: 2.5}, output: cut",
        ])
        #expect(result.records.map(\.error) == [nil, nil])
        #expect(
            try bed.names == [
                "cut", "cut/beach.JPG", "cut/beach.MOV", "cut/beach.edit.yaml", "look.JPG", "look.MOV",
                "look.edit.yaml",
            ])
        #expect(try verify("look").findings.isEmpty && verify("cut/beach").findings.isEmpty)
        #expect(try read("cut/beach.edit.yaml").hasSuffix("still: 0.4\nend: 2.5\nno-audio: true\n"))
        let source = try LivePhotoVerifier().verify(
            photo: bed.folder.path.appending("beach.JPG"), movie: bed.folder.path.appending("beach.MOV"))
        // Each result is a Live Photo of its own.
        let identifiers = try [source, verify("look"), verify("cut/beach")].map(\.contentIdentifier)
        #expect(Set(identifiers).count == 3)
        #expect(result.records[1].stillTime == result.records[1].stillTimeInClip)
        #expect(result.records[1].inputs.map { FilePath($0.path).lastComponent?.string } == ["beach.JPG", "beach.MOV"])
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: bed.output.appending(name).string, encoding: .utf8)
    }

    @Test func `an edit is made again only if its recipe or its pair has changed`() async throws {
        try bed.folder.write("volume: 0.5\n", to: "look.yaml")
        let lines = ["input: beach.JPG, edit: look.yaml, name: a", "input: beach.JPG, edit: {no-audio: true}, name: b"]
        #expect(try await run(lines).progress.doneEarlier == 0)
        let first = try bed.files
        // As if the run had been killed before it stored the recipe.
        try FileManager.default.removeItem(atPath: bed.output.appending("a.edit.yaml").string)
        try FileManager.default.removeItem(atPath: bed.journal.string)
        #expect(try await run(lines).records.allSatisfy { $0.status == .done })
        #expect(try bed.files == first)
        #expect(try await run(lines).progress.doneEarlier == 2)
        try bed.folder.write("# the same\nvolume: 0.5\n", to: "look.yaml")
        #expect(try await run(lines).progress.doneEarlier == 2)
        try bed.folder.write("volume: 0.25\n", to: "look.yaml")
        #expect(try await run(lines).progress.doneEarlier == 1)
        #expect(try read("a.edit.yaml").hasSuffix("volume: 0.25\n"))
        #expect(try bed.files["out/b.MOV"] == first["out/b.MOV"])
    }

    @Test func `files that are no Live Photo fail with the reason`() async throws {
        try FileManager.default.copyItem(atPath: bed.folder.path("beach.JPG"), toPath: bed.folder.path("clip.JPG"))
        try FileManager.default.copyItem(atPath: bed.folder.path("beach.JPG"), toPath: bed.folder.path("alone.JPG"))
        let result = try await run([
            "input: clip.mp4, edit: {volume: 2}", "input: alone.JPG, edit: {no-audio: true}",
            "input: gone.JPG, edit: {no-audio: true}",
            "input: beach.JPG, photo: alone.JPG, edit: {no-audio: true}, name: c",
            "input: beach.JPG, edit: {still: 9}, name: d",
            "input: beach.MOV, photo: beach.JPG, edit: {no-audio: true}, name: e",
        ])
        let errors = result.records.map { $0.error ?? "" }
        let reasons = [
            "is not a Live Photo with", "there is no movie of the same name beside it", "no such file",
            "is a photo like the first", "there is nothing at 9 s",
        ]
        for (error, reason) in zip(errors, reasons) { #expect(error.contains(reason), "\(error)") }
        #expect(errors.last == "")
        #expect(try bed.names == ["e.JPG", "e.MOV", "e.edit.yaml"])
    }
}
