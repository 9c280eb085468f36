import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// Changes in place that are taken back, also where they were broken off.
@Suite struct InPlaceUndoTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }
    private var photo: FilePath { root.appending("1.jpg") }
    private var movie: FilePath { root.appending("1.mov") }
    private static let identifier = ContentIdentifier()
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func addPair(_ name: String = "1") throws {
        for ending in ["jpg", "mov"] {
            try SamplePair.write("\(name).\(ending)", identifier: nil, below: root)
            try setDate(root.appending("\(name).\(ending)"))
        }
    }

    private func setDate(_ path: FilePath, _ date: Date = date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path.string)
    }

    private func date(_ path: FilePath) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.modificationDate] as? Date
    }

    private func linkAll() async throws {
        let linker = FolderLinker { _, _, _ throws(LivePhotoError) in
            StillMoment(time: MediaTime(value: SamplePair.stillTime, timescale: 600), source: .request)
        }
        try await linker.link(below: root, to: .inPlace) { outcome in
            if case .failed(let error) = outcome.status { throw error }
        }
    }

    private func change() throws -> PairChange {
        try PairChange(linking: photo, movie, identifier: Self.identifier)
    }

    private var visibleFiles: [String: Data] {
        get throws { try temporary.files.filter { !$0.key.hasPrefix(".") } }
    }

    private func media() throws -> [[UInt8]] {
        let reader = try MovieReader(InputFile(movie))
        return try reader.tracks.filter { $0.kind == .video }.flatMap { track in
            try track.samples().map { try reader.bytes(of: $0) }
        }
    }

    /// An ISO file gets another `ftyp`.
    @Test(arguments: [(false, false), (true, true)])
    func `broken off anywhere, both files are whole, and undoing brings the old bytes back, also after another run`(
        isISO: Bool, runsAgain: Bool
    ) async throws {
        try addPair()
        if isISO { try FileChange.apply([.write(Array("mp42".utf8), at: 8)], to: movie) }
        try setDate(movie)
        let original = try temporary.files
        let oldMedia = try media()
        let change = try change()
        for (number, steps) in change.brokenOff.enumerated() {
            do {
                let journal = try UndoJournal(createdIn: root)
                // As if the process were killed then.
                let transaction = try PairTransaction(change)
                let note = try journal.note(change)
                try transaction.perform(steps)
                if steps == change.steps {
                    try journal.markDone(note)
                    try transaction.commit()
                }
            }
            #expect(try media() == oldMedia, "\(number)")
            if runsAgain {
                try await linkAll()
                #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood)
                #expect(try media() == oldMedia)
            }
            // An undoing that is broken off before it is noted leaves the journal, though no photo's original in it.
            let journal = try SignedRecords.contents(of: root.appending(".livephoto-undo/journal.jsonl"))
            for _ in 0..<2 {
                let outcomes = try await InPlaceUndo().undo(below: root)
                #expect(
                    outcomes.count == 2 && outcomes.allSatisfy { $0.status == .restored || $0.status == .unchanged },
                    "\(number)")
                #expect(try temporary.files == original, "\(number) \(steps.count)")
                #expect(try date(photo) == Self.date && date(movie) == Self.date)
                try makeDirectory(root.appending(".livephoto-undo"), permissions: 0o700)
                try SignedRecords.write(journal, to: root.appending(".livephoto-undo/journal.jsonl"))
            }
            try FileManager.default.removeItem(atPath: root.appending(".livephoto-undo").string)
        }
    }

    @Test func `undoing that is broken off can be done again`() async throws {
        try addPair()
        let original = try temporary.files
        let oldMedia = try media()
        let change = try change()
        let inverse = try ChangeInverse(of: change.movieChanges, in: InputFile(movie))
        #expect(try inverse.state(of: InputFile(movie)) == .old)
        for count in 0...inverse.changes.count {
            do {
                let journal = try UndoJournal(createdIn: root)
                let transaction = try PairTransaction(change)
                let note = try journal.note(change)
                try transaction.perform(change.steps)
                try journal.markDone(note)
                try transaction.commit()
            }
            #expect(try inverse.state(of: InputFile(movie)) == .new)
            try FileChange.apply(inverse.changes.prefix(count), to: movie)
            #expect(try inverse.state(of: InputFile(movie)) != .changed && media() == oldMedia)
            // Nothing of it is taken for another's change.
            if count == 0 { try setDate(movie) }
            #expect(
                try await InPlaceUndo().undo(below: root).map(\.status).allSatisfy { $0 != .unchanged || count > 0 })
            #expect(try temporary.files == original, "\(count)")
            #expect(try date(movie) == Self.date)
        }
    }

    /// What else can come over a linked file.
    enum Mishap: CaseIterable {
        case photoEdited, photoGone, movieLonger, movieShorter, movieTouched, originalEdited
    }

    @Test(arguments: Mishap.allCases)
    func `a file that was changed since is left as it is, and the others go back`(mishap: Mishap) async throws {
        for name in ["1", "2"] { try addPair(name) }
        let original = try temporary.files
        try await linkAll()
        let size = try InputFile(movie).size
        switch mishap {
        case .photoEdited: try write("edited", to: photo)
        case .photoGone: try FileManager.default.removeItem(atPath: photo.string)
        case .movieLonger: try FileChange.apply([.write([0, 0, 0, 8], at: size)], to: movie)
        case .movieShorter: try FileChange.apply([.truncate(to: size - 1)], to: movie)
        case .movieTouched: try setDate(movie, Self.date + 1)
        case .originalEdited: try write("edited", to: root.appending(".livephoto-undo/1.photo"))
        }
        let left = try temporary.files
        let isOfPhoto = [.photoEdited, .photoGone, .originalEdited].contains(mishap)
        for isDryRun in [true, false] {
            let outcomes = try await InPlaceUndo(isDryRun: isDryRun).undo(below: root)
            let refused = outcomes.filter { if case .refused = $0.status { true } else { false } }
            #expect(refused.map(\.path) == [isOfPhoto ? photo : movie] && outcomes.count == 4)
            if isDryRun { #expect(try temporary.files == left) }
        }
        let after = try temporary.files
        for name in ["1.jpg", "1.mov", "2.jpg", "2.mov"] {
            let isLeft = name == (isOfPhoto ? "1.jpg" : "1.mov")
            #expect(after[name] == (isLeft ? left : original)[name], "\(name)")
        }
        // Put right, it goes back as well, and the journal away.
        guard mishap == .movieLonger else { return }
        try FileChange.apply([.truncate(to: size)], to: movie)
        try setDate(movie)
        #expect(try await InPlaceUndo().undo(below: root).map(\.status) == [.restored, .unchanged])
        #expect(try temporary.files == original)
    }

    @Test func `a note that was cut off is of files that were not touched`() async throws {
        try addPair()
        let original = try temporary.files
        _ = try UndoJournal(createdIn: root).note(change())
        let file = root.appending(".livephoto-undo/journal.jsonl")
        let size = try InputFile(file).size
        for cut in [size - 1, size / 2, 1, 0] {
            try FileChange.apply([.truncate(to: cut)], to: file)
            // Another run writes over what is left of it.
            _ = try UndoJournal(createdIn: root).note(change())
            #expect(try await InPlaceUndo(isDryRun: true).undo(below: root).map(\.status) == [.unchanged, .unchanged])
        }
        try FileChange.apply([.truncate(to: 10)], to: file)
        #expect(try await InPlaceUndo().undo(below: root).isEmpty)
        #expect(try temporary.files == original)
    }

    @Test(arguments: ["../1.mov", "/1.mov", "a/../../1.mov", ""])
    func `a journal that names a file elsewhere has no power over it`(path: String) async throws {
        let outside = root.appending("1.mov")
        try makeDirectory(root.appending("a"))
        for name in ["a/1", "1"] { try addPair(name) }
        let before = try InputFile(outside).contents(limit: 1 << 20)
        let tree = root.appending("a")
        let linker = FolderLinker { _, _, _ throws(LivePhotoError) in StillMoment(time: .zero, source: .request) }
        try await linker.link(below: tree, to: .inPlace) { _ in }
        let journal = tree.appending(".livephoto-undo/journal.jsonl")
        try SignedRecords.edit(journal) { $0.replacing("\"1.mov\"", with: "\"\(path)\"") }
        let outcomes = try await InPlaceUndo().undo(below: tree)
        #expect(outcomes.count == 2 && outcomes[1].status == .restored)
        guard case .refused = outcomes[0].status else { return #expect(Bool(false), "\(outcomes)") }
        #expect(try InputFile(outside).contents(limit: 1 << 20) == before)
    }

    /// A change in place.
    enum Change {
        case link, linkTree, unlink, edit
        /// Leaves the photo as it is.
        case editMovie
    }

    /// All orders of up to three changes, and some longer ones.
    private static let orders: [[Change]] = (1...3).reduce(
        into: [
            [.unlink], [.link, .edit, .unlink, .link, .edit], [.link, .unlink, .linkTree, .edit, .unlink],
            [.linkTree, .editMovie, .unlink, .link, .edit], [.link, .editMovie, .edit, .unlink, .linkTree],
        ]
    ) { orders, length in
        var ends: [[Change]] = [[]]
        for _ in 0..<length {
            ends = ends.flatMap { changes -> [[Change]] in
                let isLinked = !changes.isEmpty && changes.last != .unlink
                let next: [Change] = isLinked ? [.edit, .editMovie, .unlink] : [.link, .linkTree]
                return next.map { changes + [$0] }
            }
        }
        orders += ends
    }

    @Test(arguments: sampled(combined(orders, [true, false]), every: 3))
    func `all changes of a pair are undone, by its file and with its tree`(changes: [Change], byFile: Bool) async throws
    {
        try makeDirectory(root.appending("sub"))
        try addPair("sub/1")
        let (photo, movie) = (root.appending("sub/1.jpg"), root.appending("sub/1.mov"))
        let original = try temporary.files
        for change in changes { try await self.change(photo, movie, change) }
        let changed = try temporary.files
        #expect(changed != original)
        func undo(isDryRun: Bool = false) async throws -> [InPlaceUndo.Outcome] {
            let undoing = InPlaceUndo(isDryRun: isDryRun)
            return byFile ? try await undoing.undo(pairOf: movie) : try await undoing.undo(below: root, width: 2)
        }
        let planned = try await undo(isDryRun: true)
        #expect(try temporary.files == changed)
        let outcomes = try await undo()
        #expect(Set(outcomes.map(\.path)) == [photo, movie] && outcomes.count == 2)
        #expect(outcomes.allSatisfy { $0.status == .restored || $0.status == .unchanged }, "\(outcomes)")
        // A change that the tree's journal records between two of the pair's own, of which the last left the photo as it is, is
        // only found when that one is undone.
        if !(changes.dropFirst().contains(.linkTree) && changes.last == .editMovie) {
            #expect(Set(planned) == Set(outcomes))
        }
        #expect(try temporary.files == original)
        #expect(try date(photo) == Self.date && date(movie) == Self.date)
        let error = await #expect(throws: LivePhotoError.self) { try await undo() }
        #expect(error?.code.general == .noInput)
    }

    @Test func `a pair that is named by a relative path has one outcome for each file`() async throws {
        try makeDirectory(root.appending("sub"))
        try addPair("sub/1")
        let (photo, movie) = (root.appending("sub/1.jpg"), root.appending("sub/1.mov"))
        let original = try temporary.files
        for change: Change in [.link, .unlink, .linkTree, .edit] { try await self.change(photo, movie, change) }
        let up = CurrentProcess.folder.components.map { _ in FilePath.Component("..") }.compactMap(\.self)
        let relative = FilePath(root: nil, up + movie.components)
        #expect(try await InPlaceUndo(isDryRun: true).undo(pairOf: relative).count == 2)
        let outcomes = try await InPlaceUndo().undo(pairOf: relative)
        #expect(outcomes.count == 2 && outcomes.contains { $0.path == relative }, "\(outcomes)")
        #expect(try temporary.files == original)
    }

    @Test func `a change that a tree's journal has to undo first names the tree`() async throws {
        try makeDirectory(root.appending("sub"))
        try addPair("sub/1")
        let (photo, movie) = (root.appending("sub/1.jpg"), root.appending("sub/1.mov"))
        let original = try temporary.files
        for change: Change in [.link, .unlink, .linkTree] { try await self.change(photo, movie, change) }
        let outcomes = try await InPlaceUndo().undo(below: root.appending("sub"), width: 1)
        #expect(outcomes.count == 2)
        for outcome in outcomes {
            guard case .refused(let error) = outcome.status else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(error.reason.hasSuffix("undo that first: livephoto undo \(root)"), "\(error)")
        }
        _ = try await InPlaceUndo().undo(below: root, width: 1)
        #expect(try temporary.files == original)
    }

    private func change(_ photo: FilePath, _ movie: FilePath, _ change: Change) async throws {
        var edits = LivePhotoEdits()
        switch change {
        case .link: _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
        case .linkTree: try await linkAll()
        case .unlink: try LivePhotoLinker().unlink(photo: photo, movie: movie, to: .inPlace)
        case .edit:
            edits.identity = .set(ContentIdentifier())
            _ = try LivePhotoEditor().edit(edits, photo: photo, movie: movie, to: .inPlace)
        case .editMovie:
            edits.removesSound = true
            _ = try LivePhotoEditor().edit(edits, photo: photo, movie: movie, to: .inPlace)
        }
    }

    @Test func `pairs are undone side by side, and the last one is reported first`() async throws {
        for number in 1...9 { try addPair("\(number)") }
        let original = try temporary.files
        try await linkAll()
        let outcomes = try await InPlaceUndo().undo(below: root, width: 4)
        #expect(outcomes.map(\.path.lastComponent?.stem) == (1...9).reversed().flatMap { ["\($0)", "\($0)"] })
        #expect(outcomes.allSatisfy { $0.status == .restored })
        #expect(try temporary.files == original)
    }

    @Test func `a damaged journal is an error, and nothing is changed`() async throws {
        try addPair()
        try await linkAll()
        let journal = root.appending(".livephoto-undo/journal.jsonl")
        try write("{\n" + read(journal), to: journal)
        let before = try temporary.files
        await #expect(throws: LivePhotoError.self) { try await InPlaceUndo().undo(below: root) }
        #expect(try temporary.files == before)
    }

    @Test func `while another run changes a movie, or has the journal, it is left to it`() async throws {
        try addPair()
        let before = try temporary.files
        let holder = try FileDescriptor.open(movie, .readOnly)
        try holder.closeAfter {
            try #require(flock(holder.rawValue, LOCK_EX | LOCK_NB) == 0)
            expectHeld(photo: photo, movie: movie)
            #expect(try temporary.files == before)
        }
        do {
            let journal = try UndoJournal(createdIn: root)
            let error = await #expect(throws: LivePhotoError.self) { try await InPlaceUndo().undo(below: root) }
            #expect(error?.code == .temporary)
            withExtendedLifetime(journal) {}
        }
        _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
        let linked = try visibleFiles
        do {
            let holder = try FileLock(movie)
            for undone in [
                try await InPlaceUndo().undo(below: root), try await InPlaceUndo().undo(pairOf: photo),
                try await InPlaceUndo(isDryRun: true).undo(pairOf: movie),
            ] {
                for outcome in undone {
                    guard case .refused(let error) = outcome.status, error.code == .temporary else {
                        Issue.record("\(outcome)")
                        continue
                    }
                }
                #expect(undone.count == 2)
            }
            #expect(try visibleFiles == linked)
            holder.release()
        }
        #expect(try await InPlaceUndo().undo(pairOf: photo).map(\.status) == [.restored, .restored])
        #expect(try temporary.files == before)
    }
}
