import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Journals and records that this user's program did not write where they are.
@Suite struct ForeignJournalTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path.appending("root") }
    private var other: FilePath { temporary.path.appending("other") }
    private var journal: FilePath { root.appending(".livephoto-undo/journal.jsonl") }

    init() throws {
        temporary = try TemporaryFolder()
        for folder in ["root", "other"] {
            let path = temporary.path.appending(folder)
            try makeDirectory(path)
            for name in ["1.jpg", "1.mov"] { try SamplePair.write(name, identifier: 1, below: path) }
            for _ in 0..<2 { try edit(path) }
        }
    }

    private func edit(_ folder: FilePath) throws {
        var edits = LivePhotoEdits()
        edits.identity = .set(ContentIdentifier())
        _ = try LivePhotoEditor().edit(
            edits, photo: folder.appending("1.jpg"), movie: folder.appending("1.mov"), to: .inPlace)
    }

    /// What was done with a journal of four lines.
    enum Origin: CaseIterable {
        case otherFolder, copiedTree, byteChanged, codeChanged, firstLineMissing, lineMissing, reordered, repeated
        case oldVersion, emptyLine, otherPurpose
    }

    private func forge(_ origin: Origin) throws {
        var lines = try read(journal).split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        switch origin {
        case .otherFolder: lines = [try read(other.appending(".livephoto-undo/journal.jsonl"))]
        case .copiedTree:
            try FileManager.default.removeItem(atPath: other.string)
            try Program.run(["cp", "-a", root.string, other.string])
            try FileManager.default.removeItem(atPath: root.string)
            return try FileManager.default.moveItem(atPath: other.string, toPath: root.string)
        case .byteChanged: lines[2] = lines[2].replacing("\"1.mov\"", with: "\"2.mov\"")
        case .codeChanged: lines[0] = "[\"" + String(repeating: "0", count: 64) + lines[0].dropFirst(66)
        case .firstLineMissing: lines.removeFirst()
        case .lineMissing: lines.remove(at: 1)
        case .reordered: lines.swapAt(0, 2)
        case .repeated: lines.append(lines[3])
        case .oldVersion: lines = try SignedRecords.contents(of: journal)
        case .emptyLine: lines.append("")
        case .otherPurpose: return try SignedRecords.write(SignedRecords.contents(of: journal), to: journal, .change)
        }
        try write(lines.joined(separator: "\n") + "\n", to: journal)
    }

    @Test(arguments: Origin.allCases)
    func `a journal that was not written there is named, not followed and not changed`(origin: Origin) async throws {
        try forge(origin)
        let before = try temporary.files
        let pair = (root.appending("1.jpg"), root.appending("1.mov"))
        for body: @Sendable () async throws -> Void in [
            { _ = try await InPlaceUndo(of: [.edit]).undo(below: root) },
            { _ = try await InPlaceUndo(of: [.edit]).undo(pairOf: pair.0) },
            { _ = try await InPlaceUndo(of: [.edit], isDryRun: true).undo(below: root) },
            { _ = try await InPlaceUndo().undo(below: root) },
            { try edit(root) },
        ] {
            let error = await #expect(throws: LivePhotoError.self) { try await body() }
            #expect(error?.reason.contains("was not written there by you on this machine") == true, "\(error as Any)")
            #expect(error?.file == root.appending(".livephoto-undo"))
            #expect(try temporary.files == before)
        }
    }

    @Test func `a journal without a lock is not given one before it is known to be this user's`() async throws {
        try FileManager.default.removeItem(atPath: root.appending(".livephoto-undo/lock").string)
        try forge(.oldVersion)
        let before = try temporary.files
        await #expect(throws: LivePhotoError.self) { try await InPlaceUndo(of: [.edit]).undo(below: root) }
        #expect(try temporary.files == before)
    }

    @Test func `a journal whose last lines are missing is followed as far as it goes`() async throws {
        let lines = try read(journal).split(separator: "\n")
        // The second change is not known to be complete, then not known at all.
        for count in [3, 2] {
            try write(lines.prefix(count).joined(separator: "\n") + "\n" + lines[count].prefix(100), to: journal)
            let outcomes = try await InPlaceUndo(of: [.edit], isDryRun: true).undo(below: root)
            #expect(outcomes.count == 2, "\(outcomes)")
        }
    }

    /// Files of a size that costs little in an archive.
    enum Huge: CaseIterable {
        case lineEnds, sparse, oneLine, longTail, recordLineEnds, recordSparse, recordOneLine
    }

    @Test(arguments: Huge.allCases)
    func `a huge journal or record is not read`(kind: Huge) async throws {
        var file = journal
        if [.recordLineEnds, .recordSparse, .recordOneLine].contains(kind) {
            let hidden = root.appending(".livephoto-0123456789abcdef")
            try makeDirectory(hidden, permissions: 0o700)
            file = hidden.appending("change.json")
        }
        let first = try read(journal).split(separator: "\n").first.map(String.init) ?? ""
        switch kind {
        case .lineEnds, .recordLineEnds: try write(String(repeating: "\n", count: 50 << 20), to: file)
        case .sparse, .recordSparse: try write("", to: file)
        case .oneLine, .recordOneLine: try write("[\"", to: file)
        case .longTail: try write(first + "\n", to: file)
        }
        if ![.lineEnds, .recordLineEnds].contains(kind) {
            try FileChange.apply([.truncate(to: (1 << 30) + 1)], to: file)
        }
        let time = await ContinuousClock().measure {
            Publisher.removeLeftovers(in: root)
            _ = try? await InPlaceUndo(of: [.edit]).undo(below: root)
        }
        #expect(time < .seconds(2), "\(time)")
    }

    @Test(arguments: [Int.max, Int.min, -1, (1 << 48) + 1])
    func `a signed journal with a number that no file has is an error`(number: Int) async throws {
        try SignedRecords.edit(journal) { $0.replacing(/"number":1,/, with: "\"number\":\(number),") }
        let before = try temporary.files
        #expect(throws: LivePhotoError.self) { try edit(root) }
        await #expect(throws: LivePhotoError.self) { try await InPlaceUndo(of: [.edit]).undo(below: root) }
        #expect(try temporary.files == before)
    }

    @Test func `at the largest number, another edit is an error, and undoing works`() async throws {
        try SignedRecords.edit(journal) {
            $0.replacing("\"number\":2,", with: "\"number\":\(1 << 48),").replacing(
                "\"done\":2", with: "\"done\":\(1 << 48)")
        }
        let folder = root.appending(".livephoto-undo")
        try FileManager.default.moveItem(
            atPath: folder.appending("2.photo").string, toPath: folder.appending("\(1 << 48).photo").string)
        let before = try temporary.files
        let error = #expect(throws: LivePhotoError.self) { try edit(root) }
        #expect(error?.reason.contains("has no numbers left") == true, "\(error as Any)")
        #expect(try temporary.files == before)
        #expect(try await InPlaceUndo(of: [.edit]).undo(below: root).map(\.status) == [.restored, .restored])
    }

    @Test func `an undo names a record of a change that this user's program did not write there`() async throws {
        let hidden = root.appending(".livephoto-0123456789abcdef")
        try makeDirectory(hidden, permissions: 0o700)
        try write("{}\n", to: hidden.appending("change.json"))
        let outcomes = try await InPlaceUndo(of: [.edit]).undo(below: root)
        let refused = outcomes.filter { if case .refused = $0.status { true } else { false } }
        #expect(refused.map(\.path) == [hidden] && outcomes.count == 3, "\(outcomes)")
        #expect(try read(hidden.appending("change.json")) == "{}\n")
    }
}
