import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import StillImage
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Linking what has one name in a tree.
@Suite struct FolderLinkerTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path.appending("tree") }

    init() throws {
        temporary = try TemporaryFolder()
        try makeDirectory(temporary.path.appending("tree"))
    }

    /// Writes photos and movies below the tree: with an identifier that ends in this digit, or without one.
    private func add(_ names: String..., identifier digit: Int? = nil) throws {
        for name in names { try SamplePair.write(name, identifier: digit, below: root) }
    }

    /// Where the photo is in the movie, or why that is unknown, for names that say so.
    @Sendable private static func chooseStill(
        _ photo: FilePath, _ movie: FilePath, _: StillSearch
    ) throws(LivePhotoError) -> StillMoment {
        let isAlike = !(photo.stem ?? "").hasPrefix("other")
        return StillMoment(
            time: MediaTime(value: SamplePair.stillTime, timescale: 600),
            source: isAlike ? .photo(similarity: 0.9) : .guess(reason: "unlike"))
    }

    /// What became of the files, in few words: names without the way to the tree, and the status.
    private func link(
        to destination: LivePhotoLinker.Destination = .inPlace, isDryRun: Bool = false
    ) async throws -> [String] {
        var lines: [String] = []
        var last: FolderLinker.Progress?
        try await FolderLinker(isDryRun: isDryRun, chooseStill: Self.chooseStill).link(below: root, to: destination) {
            progress in
            #expect(progress.done <= progress.total)
            if let last, last.stage == progress.stage {
                #expect(last.done <= progress.done && last.total <= progress.total)
            }
            last = progress
        } onOutcome: { outcome in
            let names = outcome.files.map { $0.string.replacing("\(root)/", with: "") }.joined(separator: " ")
            lines.append("\(names): \(Self.word(outcome.status))")
        }
        return lines
    }

    private static func word(_ status: FolderLinker.Outcome.Status) -> String {
        switch status {
        case .linked: "linked"
        case .linkable: "linkable"
        case .converted: "converted"
        case .convertible: "convertible"
        case .linkedAlready: "linked already"
        case .copy: "copy"
        case .leftAlone: "left alone"
        case .notAlike: "not alike"
        case .failed(let error): "\(error.code)"
        }
    }

    private func isPair(_ photo: String, _ movie: String) throws -> Bool {
        try LivePhotoVerifier().verify(photo: root.appending(photo), movie: root.appending(movie)).isGood
    }

    @Test func `what has one name in one folder is linked, and nothing else is touched`() async throws {
        try add("a/1.jpg", "a/1.MOV", "a/2.JPEG", "a/2.mov", "b/3.jpg", "c/3.mov", "b/X.jpg", "c/Y.mov")
        try add("good.JPG", "good.MOV", identifier: 1)
        try add("other.JPG", "other.MOV")
        let before = try temporary.files
        #expect(
            try await link() == [
                "good.JPG good.MOV: linked already", "other.JPG other.MOV: not alike",
                "a/1.jpg a/1.MOV: linked", "a/2.JPEG a/2.mov: linked", "b/3.jpg c/3.mov: left alone",
            ])
        #expect(try isPair("a/1.jpg", "a/1.MOV") && isPair("a/2.JPEG", "a/2.mov"))
        let linked = ["a/1.jpg", "a/1.MOV", "a/2.JPEG", "a/2.mov"].map { "tree/\($0)" }
        for (name, bytes) in try temporary.files where !name.contains(".livephoto-undo") {
            #expect((before[name] == bytes) == !linked.contains(name), "\(name)")
        }
        #expect(try await link().filter { $0.hasSuffix(": linked already") }.count == 3)
    }

    @Test func `what cannot be told to belong together is left alone`() async throws {
        try add("1.jpg", "1.jpeg", "1.mov", "2.jpg", "2.mov", "2.mp4")
        // One half is in another folder, and the other file of its name belongs to nothing.
        try add("3.jpg", "far/away.mov", identifier: 3)
        try add("3.mov")
        try add("4.mov", "far/off.jpg", identifier: 4)
        try add("4.jpg")
        // Each belongs to a file that is elsewhere.
        try add("5.jpg", identifier: 5)
        try add("5.mov", identifier: 6)
        let before = try temporary.files
        let lines = try await link()
        #expect(
            lines == [
                "1.jpeg 1.jpg 1.mov: left alone", "2.jpg 2.mov 2.mp4: left alone",
                "3.jpg far/away.mov: linked already", "5.jpg 5.mov: left alone", "far/off.jpg 4.mov: linked already",
            ])
        #expect(try temporary.files == before)
    }

    @Test func `a photo and a movie in different folders become copies in one, if the movie shows the photo`()
        async throws
    {
        try add("year/1.jpg", "album/1.mov", "year/other.jpg", "album/other.mov", "a/2.jpg", "b/2.jpg", "c/2.mov")
        try add("a/3.jpg", "b/3.mov", "c/3.mov", "year/4.jpg", "album/4(1).mov")
        try write("another movie", to: root.appending("c/3.mov"))
        let out = temporary.path.appending("out")
        #expect(
            try await link(to: .directory(out, replacesExisting: false)) == [
                "a/2.jpg c/2.mov: linked", "a/3.jpg b/3.mov c/3.mov: left alone", "year/1.jpg album/1.mov: linked",
                "year/other.jpg album/other.mov: left alone",
            ])
        #expect(
            try LivePhotoVerifier().verify(
                photo: out.appending("year/1.JPG"), movie: out.appending("year/1.MOV")
            ).isGood)
        #expect(temporary.contents.filter { $0.hasPrefix("out/") && $0.contains(".") }.count == 4)
    }

    @Test func `of copies of one pair, those beside each other belong together`() async throws {
        try add("a/1.jpg", "a/1.mov", "b/1.jpg", "b/1.jpeg", "b/1.mov", identifier: 1)
        #expect(try await link() == ["a/1.jpg a/1.mov: linked already", "b/1.jpeg b/1.mov: linked already"])
    }

    @Test func `a photo and a movie of one identifier are linked again whatever they show`() async throws {
        var pair = try SamplePair()
        (pair.photoName, pair.movieName) = ("other.JPG", "other.MOV")
        // The still image time's value is to be -1.
        pair.movie = pair.movie.replacing(bytes: hex("00000009 00000001 ff"), with: hex("00000009 00000001 00"))
        try pair.write(below: root)
        #expect(try !isPair("other.JPG", "other.MOV"))
        #expect(try await link() == ["other.JPG other.MOV: linked"])
        #expect(try isPair("other.JPG", "other.MOV"))
    }

    @Test func `one that cannot be linked is told, and the rest goes on`() async throws {
        try add("1.jpg", "1.mov", "3.jpg", "3.mov")
        try write("no movie", to: root.appending("2.mov"))
        try write("no photo", to: root.appending("2.jpg"))
        #expect(
            try await link() == ["1.jpg 1.mov: linked", "2.jpg 2.mov: unusableMedia", "3.jpg 3.mov: linked"])
    }

    @Test func `a photo that is a link is told, also in a dry run, and keeps nothing in a journal`() async throws {
        try add("store/p.bin.jpg", "1.mov")
        try FileManager.default.createSymbolicLink(
            atPath: root.appending("1.jpg").string, withDestinationPath: "store/p.bin.jpg")
        let before = try temporary.files
        for isDryRun in [true, false] {
            #expect(try await link(isDryRun: isDryRun) == ["1.jpg 1.mov: invalidRequest"])
        }
        #expect(try temporary.files == before)
    }

    @Test func `a dry run writes nothing`() async throws {
        try add("1.jpg", "1.mov")
        let before = try temporary.files
        let out = temporary.path.appending("out")
        for destination in [.inPlace, .directory(out, replacesExisting: false)] as [LivePhotoLinker.Destination] {
            #expect(try await link(to: destination, isDryRun: true) == ["1.jpg 1.mov: linkable"])
        }
        #expect(try temporary.files == before)
    }

    @Test func `copies of all pairs are in folders like the tree's, and what is there is not made again`()
        async throws
    {
        try add("a/1.jpg", "a/1.mov", "other.jpg", "other.mov")
        try add("a/b/2.JPG", "a/b/2.MOV", identifier: 2)
        // Within the tree, but not of it.
        let out = root.appending("out")
        let destination = LivePhotoLinker.Destination.directory(out, replacesExisting: false)
        let first = try await link(to: destination)
        #expect(first == ["other.jpg other.mov: not alike", "a/1.jpg a/1.mov: linked", "a/b/2.JPG a/b/2.MOV: linked"])
        #expect(try isPair("out/a/1.JPG", "out/a/1.MOV") && isPair("out/a/b/2.JPG", "out/a/b/2.MOV"))
        let before = try temporary.files
        let second = try await link(to: destination)
        #expect(second.dropFirst() == ["a/1.jpg a/1.mov: linked already", "a/b/2.JPG a/b/2.MOV: linked already"])
        try write("something else", to: out.appending("a/1.JPG"))
        try FileManager.default.removeItem(atPath: out.appending("a/b/2.MOV").string)
        try FileManager.default.removeItem(atPath: out.appending("a/b/2.JPG").string)
        #expect(
            try await link(to: destination).dropFirst()
                == ["a/1.jpg a/1.mov: outputExists", "a/b/2.JPG a/b/2.MOV: linked"])
        // A photo whose metadata changed has the same picture; another picture is another photo.
        let photo = root.appending("a/b/2.JPG")
        let date = try #require(CaptureDate(iso8601: "2025-09-12T13:45:10"))
        let original = try InputFile(photo).contents(limit: 1 << 20)
        let dated = try PhotoEditor(original).applying(ExifUpdate(captureDate: .set(date)))
        try Data(dated).write(to: URL(fileURLWithPath: photo.string))
        #expect(try await link(to: destination).last == "a/b/2.JPG a/b/2.MOV: linked already")
        try Data(original.dropLast(3) + [0x55, 0xFF, 0xD9]).write(to: URL(fileURLWithPath: photo.string))
        #expect(try await link(to: destination).last == "a/b/2.JPG a/b/2.MOV: outputExists")
        #expect(
            try await link(to: .directory(out, replacesExisting: true)).dropFirst().allSatisfy {
                $0.hasSuffix(": linked")
            })
        #expect(try Set(temporary.files.keys) == Set(before.keys))
    }

    @Test func `copies cannot go among the files that they are made of`() async throws {
        try add("1.jpg", "1.mov")
        let before = try temporary.files
        for out in [root, temporary.path, root.appending("..")] {
            let error = await #expect(throws: LivePhotoError.self) {
                try await link(to: .directory(out, replacesExisting: true))
            }
            #expect(error?.code == .invalidRequest)
        }
        #expect(try temporary.files == before)
    }

    @Test func `cancelled between two pairs, what is done stays done`() async throws {
        try add("1.jpg", "1.mov", "2.jpg", "2.mov", "3.jpg", "3.mov")
        let root = root
        let done = Mutex(0)
        let task = Task {
            try await FolderLinker(chooseStill: Self.chooseStill).link(below: root, to: .inPlace) { _ in
                done.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        #expect(error?.code == .cancelled && done.withLock { $0 } == 1)
        #expect(try isPair("1.jpg", "1.mov") && !isPair("2.jpg", "2.mov"))
        let undoing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await InPlaceUndo().undo(below: root)
        }
        let undone = await #expect(throws: LivePhotoError.self) { try await undoing.value }
        #expect(undone?.code == .cancelled)
        #expect(try isPair("1.jpg", "1.mov"))
        #expect(try await InPlaceUndo().undo(below: root).map(\.status) == [.restored, .restored])
    }

    @Test func `undoing a part of a tree names the tree that was linked`() async throws {
        try add("2023/1.jpg", "2023/1.mov", "2.jpg", "2.mov")
        _ = try await link(to: .inPlace)
        let part = root.appending("2023")
        let error = await #expect(throws: LivePhotoError.self) { try await InPlaceUndo().undo(below: part) }
        #expect(error?.code == .noInput && error?.reason.contains("livephoto undo \(root) undoes all") == true)
        #expect(try isPair("2023/1.jpg", "2023/1.mov"))
        #expect(try await InPlaceUndo().undo(below: root).count == 4)
        let none = await #expect(throws: LivePhotoError.self) { try await InPlaceUndo().undo(below: part) }
        #expect(none?.reason.hasPrefix("there is nothing to undo") == true)
    }
}
