import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Journals that this program wrote, among files that were rearranged since.
@Suite struct RearrangedJournalTests {
    private let temporary: TemporaryFolder
    private var named: FilePath { temporary.path.appending("named") }
    private var outside: FilePath { temporary.path.appending("outside") }
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    init() throws {
        temporary = try TemporaryFolder()
        for name in ["named", "named/sub", "outside"] { try makeDirectory(temporary.path.appending(name)) }
        try write("mine", to: outside.appending("notes.txt"))
        for name in ["1.jpg", "1.mov"] {
            let path = named.appending("sub").appending(name)
            try SamplePair.write(name, identifier: 1, below: named.appending("sub"))
            try FileManager.default.setAttributes([.modificationDate: Self.date], ofItemAtPath: path.string)
        }
    }

    /// What replaced a file of the folder, or was done with it.
    enum Arrangement: CaseIterable {
        /// It was moved outside, and a link leads to it.
        case link
        /// It got a second name outside.
        case secondName
        /// A link leads to a file that this program never wrote.
        case linkToNotes
    }

    private func rearrange(_ path: FilePath, _ arrangement: Arrangement) throws {
        let target = outside.appending("moved")
        let files = FileManager.default
        switch arrangement {
        case .link:
            try files.moveItem(atPath: path.string, toPath: target.string)
            try files.createSymbolicLink(atPath: path.string, withDestinationPath: target.string)
        case .secondName: try files.linkItem(atPath: path.string, toPath: target.string)
        case .linkToNotes:
            try files.removeItem(atPath: path.string)
            try files.createSymbolicLink(
                atPath: path.string, withDestinationPath: outside.appending("notes.txt").string)
        }
    }

    /// The files outside with their times.
    private func state() throws -> [String: String] {
        try FileManager.default.subpathsOfDirectory(atPath: outside.string).reduce(into: [:]) { state, name in
            let path = outside.appending(name)
            let status = try Stat(path, followTargetSymlink: false)
            let isFile = status.type == .regular
            let bytes = isFile ? try Data(contentsOf: URL(fileURLWithPath: path.string)).base64EncodedString() : ""
            state[name] = "\(status.inode) \(try FileTimes(of: path).modification) \(status.permissions) \(bytes)"
        }
    }

    private static let editedPaths = [
        "1.jpg", "1.mov", ".livephoto-undo", ".livephoto-undo/journal.jsonl", ".livephoto-undo/lock",
        ".livephoto-undo/1.photo", ".livephoto-undo/2.movie", ".livephoto-undo/2.photo",
    ]

    /// An edit that changes the movie in place, and one that replaces both files.
    private func edit() throws {
        let folder = named.appending("sub")
        var edits = LivePhotoEdits()
        edits.identity = .set(ContentIdentifier())
        edits.removesSound = true
        let (photo, movie) = (folder.appending("1.jpg"), folder.appending("1.mov"))
        _ = try LivePhotoEditor().edit(edits, photo: photo, movie: movie, to: .inPlace)
        let change = try PairChange(
            replacing: photo, movie, with: Array("photo".utf8), named: "1.jpg", Array("movie".utf8), in: temporary.path)
        try change.perform(noting: UndoJournal(createdIn: folder), of: .edit)
    }

    @Test(arguments: sampled(combined(editedPaths, Arrangement.allCases), every: 4))
    func `undoing edits changes nothing outside of the named folder`(path: String, arrangement: Arrangement)
        async throws
    {
        try edit()
        let isFolder = path == ".livephoto-undo"
        guard !isFolder || arrangement == .link else { return }
        try rearrange(named.appending("sub").appending(path), arrangement)
        let before = try state()
        for folder in [named, named.appending("sub")] {
            _ = try? await InPlaceUndo(of: [.edit]).undo(below: folder)
            _ = try? await InPlaceUndo(of: [.edit]).undo(pairOf: named.appending("sub/1.jpg"))
            #expect(try state() == before, "\(folder)")
        }
        _ = try? UndoJournal(createdIn: named.appending("sub"))
        #expect(try state() == before)
    }

    @Test(
        arguments: sampled(
            combined(
                [
                    "sub", "sub/1.jpg", "sub/1.mov", ".livephoto-undo", ".livephoto-undo/journal.jsonl",
                    ".livephoto-undo/lock",
                    ".livephoto-undo/1.photo",
                ], Arrangement.allCases), every: 4))
    func `undoing links changes nothing outside of the named folder`(
        path: String, arrangement: Arrangement
    ) async throws {
        for name in ["1.jpg", "1.mov"] {
            try FileManager.default.removeItem(atPath: named.appending("sub").appending(name).string)
            try SamplePair.write(name, identifier: nil, below: named.appending("sub"))
        }
        let linker = FolderLinker { _, _, _ throws(LivePhotoError) in StillMoment(time: .zero, source: .request) }
        try await linker.link(below: named, to: .inPlace) { outcome in
            guard case .linked = outcome.status else { return #expect(Bool(false), "\(outcome)") }
        }
        let isFolder = path == ".livephoto-undo" || path == "sub"
        guard !isFolder || arrangement == .link else { return }
        try rearrange(named.appending(path), arrangement)
        let before = try state()
        _ = try? await InPlaceUndo().undo(below: named)
        #expect(try state() == before)
        _ = try? UndoJournal(createdIn: named)
        #expect(try state() == before)
    }

    @Test(
        arguments: sampled(combined(["old", "new", "change.json", "old/0", "old/1"], Arrangement.allCases), every: 4))
    func `what a killed run left changes nothing outside of its folder`(name: String, arrangement: Arrangement)
        async throws
    {
        let folder = named.appending("sub")
        do {
            let change = try PairChange(
                replacing: folder.appending("1.jpg"), folder.appending("1.mov"), with: Array("photo".utf8),
                named: "1.jpg", Array("movie".utf8), in: temporary.path)
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        let hidden = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.string).first { $0.hasPrefix(".livephoto-") })
        let path = folder.appending(hidden).appending(name)
        guard arrangement != .secondName || !["old", "new"].contains(name) else { return }
        try rearrange(path, arrangement)
        let before = try state()
        Publisher.removeLeftovers(in: folder)
        _ = try? await InPlaceUndo(of: [.edit]).undo(below: named)
        #expect(try state() == before)
    }

    @Test func `a pair whose movie had a second name before is undone under both`() async throws {
        let movie = named.appending("sub/1.mov")
        let original = try InputFile(movie).contents(limit: 1 << 20)
        let other = outside.appending("1.mov")
        try FileManager.default.linkItem(atPath: movie.string, toPath: other.string)
        var edits = LivePhotoEdits()
        edits.removesSound = true
        _ = try LivePhotoEditor().edit(edits, photo: named.appending("sub/1.jpg"), movie: movie, to: .inPlace)
        #expect(try InputFile(other).contents(limit: 1 << 20) != original)
        let outcomes = try await InPlaceUndo(of: [.edit]).undo(below: named)
        #expect(outcomes.allSatisfy { $0.status == .restored || $0.status == .unchanged }, "\(outcomes)")
        for path in [movie, other] { #expect(try InputFile(path).contents(limit: 1 << 20) == original) }
    }

    @Test func `a hidden folder that others may change, or of another user, is left alone`() async throws {
        try edit()
        let (folder, hidden) = (named.appending("sub"), named.appending("sub/.livephoto-undo"))
        func expectRefusal() async throws {
            let before = try temporary.files
            for body: @Sendable () async throws -> Void in [
                { _ = try await InPlaceUndo(of: [.edit]).undo(below: folder) },
                { _ = try UndoJournal(createdIn: folder) },
            ] {
                let error = await #expect(throws: LivePhotoError.self) { try await body() }
                #expect(error?.reason.contains("move it away") == true, "\(error as Any)")
            }
            #expect(try temporary.files == before)
        }
        for permissions in [0o770, 0o702] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: hidden.string)
            try await expectRefusal()
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hidden.string)
        guard geteuid() == 0 else { return }
        for path in [hidden, hidden.appending("journal.jsonl"), hidden.appending("lock")] {
            try #require(chown(path.string, 12, 34) == 0)
            try await expectRefusal()
            try #require(chown(path.string, 0, 0) == 0)
        }
        #expect(try await InPlaceUndo(of: [.edit]).undo(below: folder).allSatisfy { $0.status == .restored })
    }

    @Test func `nothing is left of a journal in which a killed run had recorded nothing yet`() async throws {
        let folder = named.appending("sub")
        let original = try temporary.files
        let change = try PairChange(
            linking: folder.appending("1.jpg"), folder.appending("1.mov"), identifier: ContentIdentifier())
        for undo: @Sendable () async throws -> [InPlaceUndo.Outcome] in [
            { try await InPlaceUndo(of: [.edit]).undo(below: folder) },
            { try await InPlaceUndo(of: [.edit]).undo(pairOf: folder.appending("1.jpg")) },
        ] {
            do {
                _ = try UndoJournal(createdIn: folder)
                let transaction = try PairTransaction(change)
                try transaction.perform(change.steps.prefix(2))
            }
            _ = try await undo()
            #expect(try temporary.files == original)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(".livephoto-undo").string))
        }
    }
}
