import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Changes of a pair in place: both files or neither.
@Suite struct PairTransactionTests {
    private let temporary: TemporaryFolder
    private let original: [String: Data]
    private var root: FilePath { temporary.path }
    private var photo: FilePath { root.appending("1.jpg") }
    private var movie: FilePath { root.appending("1.mov") }
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    init() throws {
        temporary = try TemporaryFolder()
        for name in ["1.jpg", "1.mov"] {
            try SamplePair.write(name, identifier: nil, below: temporary.path)
            try FileManager.default.setAttributes(
                [.modificationDate: Self.date], ofItemAtPath: temporary.path.appending(name).string)
        }
        original = try temporary.files
    }

    private func change() throws -> PairChange {
        try PairChange(linking: photo, movie, identifier: ContentIdentifier())
    }

    private func attributes(_ path: FilePath) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: path.string)
    }

    /// What may come after a process that was killed.
    enum Next: CaseIterable {
        case undo, link, unlink, byName, publish
    }

    @Test(arguments: Next.allCases)
    func `killed anywhere, the next run in the folder finds the old pair, or leaves the new one`(next: Next)
        async throws
    {
        let change = try change()
        for steps in change.brokenOff {
            do {
                let transaction = try PairTransaction(change)
                try transaction.perform(steps)
            }
            switch next {
            case .undo: #expect(try await InPlaceUndo().undo(below: root).map(\.status) == [.restored, .restored])
            case .link:
                _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
                #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood)
                _ = try await InPlaceUndo().undo(pairOf: photo)
            case .unlink:
                try LivePhotoLinker().unlink(photo: photo, movie: movie, to: .inPlace)
                _ = try await InPlaceUndo().undo(pairOf: movie)
            case .byName:
                let linker = FolderLinker { _, _, _ throws(LivePhotoError) in StillMoment(time: .zero, source: .request)
                }
                try await linker.link(below: root, to: .inPlace) { outcome in
                    guard case .linked = outcome.status else { return #expect(Bool(false), "\(outcome)") }
                }
                #expect(try await InPlaceUndo().undo(below: root).map(\.status) == [.restored, .restored])
            case .publish:
                let target = PublishTarget(directory: root, photoName: "other.JPG", movieName: "other.MOV")
                try target.publisher().discard()
            }
            #expect(try temporary.files == original)
            for path in [photo, movie] {
                #expect(try attributes(path)[.modificationDate] as? Date == Self.date, "\(path)")
            }
        }
    }

    @Test func `a pair whose change another run is undoing is left to it`() throws {
        let change = try change()
        do {
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps.dropLast())
        }
        let before = try temporary.files
        let hidden = try #require(try temporary.names.first { $0.hasPrefix(".livephoto-") })
        let other = try FileDescriptor.open(root.appending(hidden), .readOnly)
        try other.closeAfter {
            try #require(flock(other.rawValue, LOCK_EX | LOCK_NB) == 0)
            expectHeld(photo: photo, movie: movie)
            #expect(try temporary.files == before)
        }
        _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
        #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood)
    }

    @Test func `what fails is undone at once, with the files' times, and nothing is left`() throws {
        let change = try change()
        for steps in change.brokenOff {
            let transaction = try PairTransaction(change)
            try transaction.perform(steps)
            transaction.rollBack()
            #expect(try temporary.files == original)
            for path in [photo, movie] { #expect(try attributes(path)[.modificationDate] as? Date == Self.date) }
        }
    }

    @Test func `the photo keeps its permissions, owner, times and extended attributes`() throws {
        let isRoot = geteuid() == 0
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: photo.string)
        if isRoot { try #require(chown(photo.string, 12, 34) == 0) }
        let hasAttribute = (try? Program.run(["setfattr", "-n", "user.rating", "-v", "five", photo.string])) != nil
        let before = try attributes(photo)
        let times = try FileTimes(of: photo)
        _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
        let after = try attributes(photo)
        #expect(try InputFile(photo).size != original["1.jpg"]?.count)
        for key in [FileAttributeKey.posixPermissions, .ownerAccountID, .groupOwnerAccountID] {
            #expect(after[key] as? Int == before[key] as? Int, "\(key)")
        }
        #expect(try FileTimes(of: photo).modification == times.modification)
        if hasAttribute {
            #expect(try Program.run(["getfattr", "--only-values", "-n", "user.rating", photo.string]) == "five")
        }
    }

    /// What keeps a pair from being changed in place.
    enum Hindrance: CaseIterable {
        case hardLink, linkToMovie, otherFolder, readOnlyMovie
    }

    @Test(arguments: Hindrance.allCases)
    func `what keeps a pair from being changed is said before either file is touched`(hindrance: Hindrance) throws {
        var movie = movie
        let (code, words): (LivePhotoError.Code, String)
        switch hindrance {
        case .hardLink:
            try FileManager.default.linkItem(atPath: photo.string, toPath: root.appending("2.jpg").string)
            (code, words) = (.cannotCreateOutput, "has another name")
        case .linkToMovie:
            movie = root.appending("2.mov")
            try FileManager.default.createSymbolicLink(atPath: movie.string, withDestinationPath: "1.mov")
            (code, words) = (.invalidRequest, "is a link to")
        case .otherFolder:
            try makeDirectory(root.appending("a"))
            movie = root.appending("a/1.mov")
            try FileManager.default.copyItem(atPath: self.movie.string, toPath: movie.string)
            (code, words) = (.invalidRequest, "is in another folder")
        case .readOnlyMovie:
            // Root may write to it all the same.
            guard geteuid() != 0 else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: movie.string)
            (code, words) = (.cannotCreateOutput, "cannot be changed in place")
        }
        let before = try temporary.files
        let linker = LivePhotoLinker()
        let error = #expect(throws: LivePhotoError.self) {
            _ = try linker.link(photo: photo, movie: movie, to: .inPlace)
        }
        #expect(error?.code == code && error?.reason.contains(words) == true, "\(String(describing: error))")
        #expect(try temporary.files == before)
    }

    @Test func `in a folder that passes its group on, a killed run is undone too`() throws {
        try #require(chmod(root.string, 0o2775) == 0)
        let change = try change()
        do {
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original)
    }

    @Test func `if one file was changed since, neither is undone, and the photo's original is kept`() throws {
        let change = try change()
        do {
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        let edited = try Data(contentsOf: URL(fileURLWithPath: photo.string)) + Data([0])
        try edited.write(to: URL(fileURLWithPath: photo.string))
        let movieBytes = try Data(contentsOf: URL(fileURLWithPath: movie.string))
        for _ in 0..<2 {
            Publisher.removeLeftovers(in: root)
            #expect(try Data(contentsOf: URL(fileURLWithPath: photo.string)) == edited)
            #expect(try Data(contentsOf: URL(fileURLWithPath: movie.string)) == movieBytes)
        }
        #expect(
            try temporary.files.contains { $0.key.hasSuffix("/old/1") && $0.value == original["1.jpg"] })
    }

    /// What a stranger's archive may bring with it.
    enum Trap: CaseIterable {
        case copiedRecord, linkToMovie, linkInPlaceOfOld, extremeNumbers
    }

    @Test(arguments: Trap.allCases)
    func `hidden folders out of a stranger's archive have no power over files`(trap: Trap) throws {
        let change = try change()
        do {
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.string).first { $0.hasPrefix(".livephoto-") })
        let stranger = root.appending("arch")
        let hidden = stranger.appending(name)
        try makeDirectory(stranger)
        // The new files as they are now, with a record that would undo them.
        try FileManager.default.copyItem(atPath: root.appending(name).string, toPath: hidden.string)
        for file in ["1.jpg", "1.mov"] {
            try FileManager.default.copyItem(
                atPath: root.appending(file).string, toPath: stranger.appending(file).string)
        }
        let record = hidden.appending("change.json")
        // Signed, so that the signature alone does not protect the files.
        if trap != .copiedRecord { try SignedRecords.edit(record, .change) { $0 } }
        switch trap {
        case .copiedRecord: break
        case .linkToMovie:
            try FileManager.default.removeItem(atPath: stranger.appending("1.mov").string)
            try FileManager.default.createSymbolicLink(
                atPath: stranger.appending("1.mov").string, withDestinationPath: "../1.mov")
        case .linkInPlaceOfOld:
            try FileManager.default.removeItem(atPath: hidden.appending("old").string)
            try FileManager.default.createSymbolicLink(
                atPath: hidden.appending("old").string, withDestinationPath: root.string)
        case .extremeNumbers:
            try SignedRecords.edit(record, .change) { $0.replacing(/"end":[0-9]+/, with: "\"end\":\(Int.min)") }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hidden.string)
        func files() throws -> [String: Data] {
            try temporary.files.filter { !$0.key.contains(".livephoto-") }
        }
        let before = try files()
        Publisher.removeLeftovers(in: stranger)
        #expect(try files() == before)
    }

    @Test func `a record that this program has not written does not keep a pair from being linked`() throws {
        try makeDirectory(root.appending(".livephoto-0123456789abcdef"), permissions: 0o700)
        try write("{}", to: root.appending(".livephoto-0123456789abcdef/change.json"))
        _ = try LivePhotoLinker().link(photo: photo, movie: movie, to: .inPlace)
        #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood)
    }

    @Test func `a record that came with a stranger's archive has power over no file but a movie and a photo`() throws {
        let victim = root.appending("notes.txt")
        try write("mine", to: victim)
        do {
            let change = try change()
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.string).first { $0.hasPrefix(".livephoto-") })
        let record = root.appending(folder).appending("change.json")
        for name in ["notes.txt", "../notes.txt"] {
            let contents = try SignedRecords.contents(of: record)
            try SignedRecords.edit(record, .change) { $0.replacing("1.mov", with: name) }
            Publisher.removeLeftovers(in: root)
            #expect(try String(contentsOfFile: victim.string, encoding: .utf8) == "mine")
            try SignedRecords.write(contents, to: record, .change)
        }
    }

    @Test func `a record whose movie is a link changes nothing, whatever inode it names`() throws {
        do {
            let change = try change()
            let transaction = try PairTransaction(change)
            try transaction.perform(change.steps)
        }
        let victim = root.appending("victim.mov")
        try FileManager.default.copyItem(atPath: movie.string, toPath: victim.string)
        let before = try Data(contentsOf: URL(fileURLWithPath: victim.string))
        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: root.string).first { $0.hasPrefix(".livephoto-") })
        let record = root.appending(folder).appending("change.json")
        let text = try SignedRecords.contents(of: record).joined()
        let inode = try #require(text.matches(of: /"inode":([0-9]+)/).first { $0.1 == "\(inodeNumber(movie))" })
        try SignedRecords.write([text.replacing(inode.0, with: "\"inode\":0")], to: record, .change)
        try FileManager.default.removeItem(atPath: movie.string)
        try FileManager.default.createSymbolicLink(atPath: movie.string, withDestinationPath: "victim.mov")
        Publisher.removeLeftovers(in: root)
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim.string)) == before)
    }

    private func inodeNumber(_ path: FilePath) -> UInt64 {
        (try? FileManager.default.attributesOfItem(atPath: path.string)[.systemFileNumber] as? UInt64) ?? 0
    }
}
