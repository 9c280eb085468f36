import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Edits of pairs without encoding, and their undoing.
@Suite struct LivePhotoEditorTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }
    private var photo: FilePath { root.appending("1.jpg") }
    private var movie: FilePath { root.appending("1.mov") }
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func addPair(_ name: String = "1", identifier: Int? = 1) throws {
        for ending in ["jpg", "mov"] {
            try SamplePair.write("\(name).\(ending)", identifier: identifier, below: root)
            try FileManager.default.setAttributes(
                [.modificationDate: Self.date], ofItemAtPath: root.appending("\(name).\(ending)").string)
        }
    }

    private static func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 600) }

    private static func edits(_ change: (inout LivePhotoEdits) -> Void) -> LivePhotoEdits {
        var edits = LivePhotoEdits()
        change(&edits)
        return edits
    }

    private func edit(
        _ name: String = "1", to destination: LivePhotoLinker.Destination = .inPlace,
        _ change: (inout LivePhotoEdits) -> Void = { $0.stillTime = ticks(400) }
    ) throws -> LivePhotoEditor.Result {
        try LivePhotoEditor().edit(
            Self.edits(change), photo: root.appending("\(name).jpg"), movie: root.appending("\(name).mov"),
            to: destination)
    }

    private func verify(_ name: String = "1") throws -> VerificationReport {
        try LivePhotoVerifier().verify(photo: root.appending("\(name).jpg"), movie: root.appending("\(name).mov"))
    }

    @Test func `edits in place keep the identifier and go back byte for byte, several at once`() async throws {
        try addPair()
        let original = try temporary.files
        let identifier = try verify().contentIdentifier
        let first = try edit()
        #expect(first.plan.movesStill && first.plan.stillTime == Self.ticks(400))
        #expect(first.plan.notes.contains { $0.contains("keeps its picture") })
        let second = try edit { $0.end = Self.ticks(640) }
        #expect(second.plan.end == Self.ticks(640) && second.plan.notes.contains { $0.contains("unused") })
        let third = try edit { $0.start = Self.ticks(199) }
        #expect(third.plan.start == Self.ticks(200) && third.plan.stillTime == Self.ticks(200))
        let report = try verify()
        #expect(report.isGood && report.contentIdentifier == identifier && report.stillTime == Self.ticks(200))
        #expect(try MovieReader(InputFile(movie)).tracks[0].samples().count == 11)
        let outcomes = try await InPlaceUndo(of: [.edit]).undo(pairOf: photo)
        #expect(outcomes.map(\.path) == [movie, photo])
        #expect(try temporary.files == original)
        let date = try FileManager.default.attributesOfItem(atPath: movie.string)[.modificationDate] as? Date
        #expect(date == Self.date)
        await #expect(throws: LivePhotoError.self) { try await InPlaceUndo(of: [.edit]).undo(pairOf: photo) }
    }

    @Test func `an edit that does not change the photo keeps no copy of it`() async throws {
        try addPair()
        let original = try temporary.files
        _ = try edit()
        #expect(try temporary.files["1.jpg"] == original["1.jpg"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: root.appending(".livephoto-undo").string)
        #expect(kept.sorted() == ["journal.jsonl", "lock"])
        _ = try edit { $0.identity = .set(ContentIdentifier()) }
        #expect(try temporary.files[".livephoto-undo/2.photo"] == original["1.jpg"])
        _ = try await InPlaceUndo(of: [.edit]).undo(below: root)
        #expect(try temporary.files == original)
    }

    @Test func `copies have a new identifier unless it is kept or given, and the originals stay`() throws {
        try addPair()
        let original = try temporary.files
        let old = try verify().contentIdentifier
        let given = ContentIdentifier()
        for (number, identity) in [LivePhotoEdits.Identity.automatic, .kept, .set(given)].enumerated() {
            let folder = root.appending("out\(number)")
            let result = try edit(to: .directory(folder, replacesExisting: false)) {
                $0.stillTime = Self.ticks(80)
                $0.identity = identity
            }
            let identifier = result.livePhoto.contentIdentifier
            switch identity {
            case .automatic: #expect(identifier.string != old && identifier != given)
            case .kept: #expect(identifier.string == old)
            case .set: #expect(identifier == given)
            }
            let report = try LivePhotoVerifier().verify(photo: result.livePhoto.photo, movie: result.livePhoto.movie)
            #expect(report.findings.isEmpty && report.contentIdentifier == identifier.string, "\(report.findings)")
        }
        for (name, bytes) in original { #expect(try temporary.files[name] == bytes) }
    }

    @Test(arguments: [
        (edits { $0.end = ticks(400) }, "the still time"), (edits { $0.start = ticks(880) }, "the still time"),
        (
            edits {
                $0.stillTime = ticks(1000); $0.end = ticks(800)
            }, "the still time"
        ),
        (edits { $0.start = ticks(1200) }, "there is nothing at 2 s; the movie lasts 2 s"),
        (edits { $0.end = ticks(1300) }, "there is nothing at"),
        (edits { $0.stillTime = ticks(1300) }, "there is nothing at"),
        (
            edits {
                $0.start = ticks(600); $0.end = ticks(600)
            }, "no frame would be kept"
        ),
        (edits { $0.end = ticks(10) }, "no frame would be kept"),
    ])
    func `times that do not fit are errors before anything is written`(edits: LivePhotoEdits, message: String) throws {
        try addPair()
        let original = try temporary.files
        let destinations: [LivePhotoLinker.Destination] = [
            .inPlace, .directory(root.appending("out"), replacesExisting: false),
        ]
        for destination in destinations {
            for isPlan in [true, false] {
                let error = #expect(throws: LivePhotoError.self) {
                    if isPlan {
                        _ = try LivePhotoEditor().plan(edits, photo: photo, movie: movie, to: destination)
                    } else {
                        _ = try LivePhotoEditor().edit(edits, photo: photo, movie: movie, to: destination)
                    }
                }
                #expect(
                    error?.code.general == .invalidRequest && error?.reason.contains(message) == true, "\(error as Any)"
                )
            }
        }
        #expect(try temporary.files == original)
        let left = try FileManager.default.contentsOfDirectory(atPath: root.string).sorted()
        #expect(left == ["1.jpg", "1.mov"])
    }

    @Test func `files that are no pair, or a movie in fragments, are refused`() throws {
        try addPair(identifier: nil)
        var error = #expect(throws: LivePhotoError.self) { try edit() }
        #expect(error?.code == .unusableMedia && error?.reason.contains("not a Live Photo") == true)
        var pair = try SamplePair()
        try pair.changeMovie { $0.others.append(OpaqueBox(type: "mvex")) }
        (pair.photoName, pair.movieName) = ("2.jpg", "2.mov")
        try pair.write(below: root)
        error = #expect(throws: LivePhotoError.self) { try edit("2") }
        #expect(error?.reason.contains("fragmented; livephoto convert") == true, "\(error as Any)")
    }

    @Test func `a plan names what an edit does, and writes nothing`() throws {
        try addPair()
        let original = try temporary.files
        let edits = Self.edits { $0.start = Self.ticks(400) }
        let plan = try LivePhotoEditor().plan(edits, photo: photo, movie: movie, to: .inPlace)
        #expect(plan.way == .lossless && plan.files == [photo, movie] && !plan.movesStill)
        #expect(plan.start == Self.ticks(400) && plan.stillTime == Self.ticks(400) && plan.duration == Self.ticks(800))
        #expect(try temporary.files == original)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.string).count == 2)
        let result = try LivePhotoEditor().edit(edits, photo: photo, movie: movie, to: .inPlace)
        #expect(result.plan == plan)
    }

    @Test func `each command undoes only its own changes, the later one first`() async throws {
        try addPair(identifier: nil)
        let plain = try temporary.files
        let linker = FolderLinker { _, _, _ throws(LivePhotoError) in
            StillMoment(time: Self.ticks(SamplePair.stillTime), source: .request)
        }
        try await linker.link(below: root, to: .inPlace) { _ in }
        let linked = try temporary.files
        #expect(linked != plain)
        _ = try edit()
        let edited = try temporary.files
        let refused = try await InPlaceUndo(of: [.link]).undo(below: root)
        #expect(
            refused.count == 2
                && refused.allSatisfy {
                    if case .refused(let error) = $0.status { error.reason.contains("livephoto undo") } else { false }
                }, "\(refused)")
        #expect(
            try temporary.files.filter { !$0.key.contains("undo") }
                == edited.filter { !$0.key.contains("undo") })
        _ = try await InPlaceUndo(of: [.edit]).undo(below: root)
        #expect(try temporary.files["1.mov"] == linked["1.mov"] && temporary.files["1.jpg"] == linked["1.jpg"])
        await #expect(throws: LivePhotoError.self) { try await InPlaceUndo(of: [.edit]).undo(below: root) }
        _ = try await InPlaceUndo(of: [.link]).undo(below: root)
        #expect(try temporary.files == plain)
    }

    @Test func `the edits of one pair are undone without those of others, or all in a folder tree`() async throws {
        for name in ["1", "2", "sub/3"] {
            if name == "sub/3" { try makeDirectory(root.appending("sub")) }
            try addPair(name, identifier: Int(name.suffix(1)))
        }
        let original = try temporary.files
        for name in ["1", "2", "sub/3"] { _ = try edit(name) }
        #expect(try await InPlaceUndo(of: [.edit], isDryRun: true).undo(below: root).count == 6)
        let outcomes = try await InPlaceUndo(of: [.edit]).undo(pairOf: root.appending("2.mov"))
        #expect(outcomes.map(\.path) == [root.appending("2.mov"), root.appending("2.jpg")])
        #expect(try temporary.files["2.mov"] == original["2.mov"])
        #expect(try temporary.files["1.mov"] != original["1.mov"])
        await #expect(throws: LivePhotoError.self) {
            try await InPlaceUndo(of: [.edit]).undo(pairOf: root.appending("2.mov"))
        }
        #expect(try await InPlaceUndo(of: [.edit]).undo(below: root).count == 4)
        #expect(try temporary.files == original)
    }

    @Test func `an edit that is killed anywhere is undone, and leaves a pair before that`() async throws {
        try addPair()
        let original = try temporary.files
        let change = try PairChange(linking: photo, movie, identifier: ContentIdentifier())
        for steps in change.brokenOff {
            do {
                // As if the process were killed then.
                let journal = try UndoJournal(createdIn: root)
                let transaction = try PairTransaction(change)
                let note = try journal.note(change, of: .edit)
                try transaction.perform(steps)
                if steps == change.steps {
                    try journal.markDone(note)
                    try transaction.commit()
                }
            }
            _ = try await InPlaceUndo(of: [.edit]).undo(pairOf: movie)
            #expect(try temporary.files == original)
        }
    }

    @Test func `a movie that another run changes is left to it`() throws {
        try addPair()
        let original = try temporary.files
        let holder = try FileDescriptor.open(movie, .readOnly)
        try holder.closeAfter {
            try #require(flock(holder.rawValue, LOCK_EX | LOCK_NB) == 0)
            let error = #expect(throws: LivePhotoError.self) { try edit() }
            #expect(error?.code == .temporary)
        }
        #expect(try temporary.files == original)
    }
}
