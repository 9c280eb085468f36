import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Edits that replace both files of a pair, as those that are encoded do.
@Suite struct PairReplacementTests {
    private let temporary: TemporaryFolder
    private let original: [String: Data]
    private var root: FilePath { temporary.path }
    private var photo: FilePath { root.appending("1.heic") }
    private var renamed: FilePath { root.appending("1.jpg") }
    private var movie: FilePath { root.appending("1.mov") }
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    init() throws {
        temporary = try TemporaryFolder()
        for name in ["1.jpg", "1.mov"] { try SamplePair.write(name, identifier: 1, below: temporary.path) }
        try FileManager.default.moveItem(
            atPath: temporary.path.appending("1.jpg").string, toPath: temporary.path.appending("1.heic").string)
        for name in ["1.heic", "1.mov"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Self.date], ofItemAtPath: temporary.path.appending(name).string)
        }
        original = try temporary.files
    }

    private func bytes(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 3000 + Int(number)) }

    /// Files besides the hidden ones.
    private var visible: [String: Data] {
        get throws { try temporary.files.filter { !$0.key.hasPrefix(".") } }
    }

    private func staging() throws -> FilePath {
        let folder = root.appending(".staging-\(UUID().uuidString)")
        try makeDirectory(folder)
        return folder
    }

    private func replace(
        _ photo: FilePath, by newPhoto: [UInt8], named name: FilePath.Component, _ newMovie: [UInt8]
    ) throws {
        let (staging, journals) = (try staging(), EditJournals())
        defer { journals.close() }
        let change = try PairChange(
            replacing: photo, movie, with: newPhoto, named: name, newMovie, in: staging)
        guard case .file(let stagedPhoto, _) = change.newPhoto, case .file(let stagedMovie) = change.newMovie else {
            return #expect(Bool(false))
        }
        defer { try? FileManager.default.removeItem(atPath: staging.string) }
        try PairReplacement(photo: photo, movie: movie, newPhoto: name, journals)
            .replace(photo: stagedPhoto, name: name, movie: stagedMovie)
    }

    /// What may come after a process that was killed.
    enum Next: CaseIterable {
        case undo, undoBelow, publish
    }

    @Test(arguments: Next.allCases, ["1.heic", "1.jpg"] as [FilePath.Component])
    func `killed anywhere, the next run finds the old pair, and a finished edit is undone byte for byte`(
        next: Next, name: FilePath.Component
    ) async throws {
        for count in 0...4 {
            let staging = try staging()
            let change = try PairChange(
                replacing: photo, movie, with: bytes(1), named: name, bytes(2), in: staging)
            let steps = change.steps.prefix(count)
            let isComplete = count > change.steps.count
            do {
                let journal = try UndoJournal(createdIn: root)
                let transaction = try PairTransaction(change)
                let note = try journal.note(change, transaction.record, of: .edit)
                try transaction.perform(steps)
                if isComplete {
                    try journal.markDone(note)
                    try transaction.commit()
                }
            }
            try FileManager.default.removeItem(atPath: staging.string)
            switch next {
            case .publish:
                Publisher.removeLeftovers(in: root)
                let new = [name.string: Data(bytes(1)), "1.mov": Data(bytes(2))]
                #expect(try visible == (isComplete ? new : original), "\(count)")
                _ = try await InPlaceUndo(of: [.edit]).undo(pairOf: movie)
            case .undo: _ = try await InPlaceUndo(of: [.edit]).undo(pairOf: isComplete ? root.appending(name) : photo)
            case .undoBelow: _ = try await InPlaceUndo(of: [.edit]).undo(below: root)
            }
            #expect(try temporary.files == original, "\(count)")
            for path in [photo, movie] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
                #expect(attributes[.modificationDate] as? Date == Self.date, "\(path)")
                #expect(attributes[.referenceCount] as? Int == 1, "\(path)")
            }
        }
    }

    @Test(arguments: ["1.heic", "1.jpg", "1.mov"])
    func `several edits of both kinds go back to the first files, and an interrupted undo goes on`(
        undoneBy name: String
    ) async throws {
        let linked = try PairChange(linking: photo, movie, identifier: ContentIdentifier())
        try Self.perform(linked, in: root)
        try replace(photo, by: bytes(1), named: "1.heic", bytes(2))
        try replace(photo, by: bytes(3), named: "1.jpg", original["1.mov"].map(Array.init) ?? [])
        let again = try PairChange(linking: renamed, movie, keepingPhotoAnd: ContentIdentifier())
        try Self.perform(again, in: root)
        try replace(renamed, by: bytes(3), named: "1.jpg", bytes(4))
        #expect(try visible == ["1.jpg": Data(bytes(3)), "1.mov": Data(bytes(4))])
        // The last two changes keep the photo, so its bytes are not in the journal.
        let kept = try FileManager.default.contentsOfDirectory(atPath: root.appending(".livephoto-undo").string)
        #expect(
            kept.sorted() == [
                "1.photo", "2.movie", "2.photo", "3.movie", "3.photo", "5.movie", "journal.jsonl", "lock",
            ])
        let planned = try await InPlaceUndo(of: [.edit], isDryRun: true).undo(pairOf: root.appending(name))
        let journal = try SignedRecords.contents(of: root.appending(".livephoto-undo/journal.jsonl"))
        for _ in 0..<2 {
            let outcomes = try await InPlaceUndo(of: [.edit]).undo(pairOf: root.appending(name))
            #expect(outcomes.map(\.path) == [movie, photo], "\(outcomes)")
            #expect(try temporary.files == original)
            if outcomes.map(\.status) == [.restored, .restored] { #expect(outcomes == planned) }
            // An undo that is killed before it is noted leaves the journal, without what it has moved.
            try makeDirectory(root.appending(".livephoto-undo"), permissions: 0o700)
            try SignedRecords.write(journal, to: root.appending(".livephoto-undo/journal.jsonl"))
        }
    }

    private static func perform(_ change: PairChange, in root: FilePath) throws {
        let journal = try UndoJournal(createdIn: root)
        let transaction = try PairTransaction(change)
        let note = try journal.note(change, transaction.record, of: .edit)
        try transaction.perform(change.steps)
        try journal.markDone(note)
        try transaction.commit()
    }

    /// What else can come over a replaced pair.
    enum Mishap: CaseIterable {
        case photoEdited, photoGone, movieEdited, oldPhotoIsBack, originalEdited
    }

    @Test(arguments: Mishap.allCases)
    func `if one file was changed since, neither is restored`(mishap: Mishap) async throws {
        try replace(photo, by: bytes(1), named: "1.jpg", bytes(2))
        switch mishap {
        case .photoEdited: try write("edited", to: renamed)
        case .photoGone: try FileManager.default.removeItem(atPath: renamed.string)
        case .movieEdited: try write("edited", to: movie)
        case .oldPhotoIsBack: try write("another", to: photo)
        case .originalEdited: try write("edited", to: root.appending(".livephoto-undo/1.movie"))
        }
        var files: [String: Data] {
            get throws { try temporary.files.filter { !$0.key.hasSuffix("journal.jsonl") } }
        }
        let before = try files
        let outcomes = try await InPlaceUndo(of: [.edit]).undo(pairOf: movie)
        #expect(
            outcomes.count == 2
                && outcomes.allSatisfy { if case .refused = $0.status { true } else { false } }, "\(outcomes)")
        #expect(try files == before)
    }

    @Test func `a taken name, a hard link and a symbolic link are refused before any work`() throws {
        try write("mine", to: renamed)
        func expectError(_ text: String, newPhoto: FilePath.Component = "1.jpg") throws {
            let before = try temporary.files
            let error = #expect(throws: LivePhotoError.self) {
                try PairReplacement.check(photo: photo, movie: movie, newPhoto: newPhoto)
            }
            #expect(error?.reason.contains(text) == true, "\(error as Any)")
            #expect(try temporary.files == before)
        }
        try expectError("is another file with the name that the edited photo would get")
        try FileManager.default.linkItem(atPath: movie.string, toPath: root.appending("2.mov").string)
        try expectError("which would keep the old movie", newPhoto: "1.heic")
        try FileManager.default.removeItem(atPath: movie.string)
        try FileManager.default.createSymbolicLink(atPath: movie.string, withDestinationPath: "2.mov")
        try expectError("name that file, or edit a copy", newPhoto: "1.heic")
    }

    @Test func `a name that is taken while the pair is encoded leaves both files`() throws {
        let (staging, journals) = (try staging(), EditJournals())
        let replacement = try PairReplacement(photo: photo, movie: movie, newPhoto: "1.jpg", journals)
        let change = try PairChange(
            replacing: photo, movie, with: bytes(1), named: "1.jpg", bytes(2), in: staging)
        guard case .file(let stagedPhoto, _) = change.newPhoto, case .file(let stagedMovie) = change.newMovie else {
            return #expect(Bool(false))
        }
        try write("mine", to: renamed)
        #expect(throws: LivePhotoError.self) {
            try replacement.replace(photo: stagedPhoto, name: "1.jpg", movie: stagedMovie)
        }
        journals.close()
        try FileManager.default.removeItem(atPath: staging.string)
        #expect(try temporary.files == original.merging(["1.jpg": Data("mine".utf8)]) { $1 })
    }
}
