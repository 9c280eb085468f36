import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// Making a library of folders, again and again, and undoing it.
@Suite struct LibraryImportTests {
    let temporary: TemporaryFolder
    var root: FilePath { temporary.path.appending("in") }
    var library: FilePath { temporary.path.appending("out") }

    init() throws {
        temporary = try TemporaryFolder()
        try makeDirectory(temporary.path.appending("in"))
    }

    /// Writes a photo and a movie that were taken at one moment, or one of them.
    ///
    /// - Parameter day: Makes the contents differ; nil for files without a date.
    func add(photo: String? = nil, movie: String? = nil, day: Int? = 1, below folder: FilePath? = nil) throws {
        var pair = try SamplePair.plain.get()
        if let day {
            let date = try #require(CaptureDate(iso8601: "2025-09-\(day < 10 ? "0" : "")\(day)T10:00:00+0000"))
            pair.photo = try PhotoEditor(pair.photo).applying(ExifUpdate(captureDate: .set(date)))
            try pair.changeMovie { $0.header.times.creation = UInt64(date.secondsSince1970 + 2_082_844_800) }
        }
        let folder = folder ?? root
        for case (let name?, let bytes) in [(photo, pair.photo), (movie, pair.movie)] {
            try write(bytes, to: folder.pushing(FilePath(name)))
        }
    }

    func write(_ bytes: [UInt8], to path: FilePath) throws {
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    }

    func options(_ change: (inout LibraryImport) -> Void = { _ in }) throws -> LibraryImport {
        var options = LibraryImport(folders: try #require(DateFolders("%Y/%m"))) { photo, _, _ throws(LivePhotoError) in
            let isAlike = !(photo.stem ?? "").hasPrefix("other")
            return StillMoment(
                time: MediaTime(value: SamplePair.stillTime, timescale: 600),
                source: isAlike ? .photo(similarity: 0.9) : .guess(reason: "unlike"))
        }
        change(&options)
        return options
    }

    /// What became of what, in few words: names without the way to the tree and the library.
    @discardableResult func run(
        _ sources: [FilePath]? = nil, _ change: (inout LibraryImport) -> Void = { _ in }
    ) async throws -> [String] {
        var lines: [String] = []
        try await options(change).run(sources ?? [root], to: library) { outcome in
            let doubt = outcome.doubts.isEmpty ? "" : " ?"
            lines.append(
                "\(names(outcome.sources)): \(word(outcome.status))\(names(outcome.files, before: " "))\(doubt)")
        }
        return lines.sorted()
    }

    func word(_ status: LibraryImport.Status) -> String {
        switch status {
        case .made: "made"
        case .planned: "planned"
        case .present: "present"
        case .copy(let other): "copy of \(names([other]))"
        case .leftOut: "left out"
        case .failed(let error): "\(error.code)"
        }
    }

    func names(_ paths: [FilePath], before: String = "") -> String {
        paths.map { before + $0.string.replacing("\(temporary.path)/", with: "") }.joined(
            separator: before.isEmpty ? " " : "")
    }

    func undo() async throws -> [String] {
        var lines: [String] = []
        try await ImportUndo().undo(library) { outcome in
            switch outcome.status {
            case .removed: lines.append("\(names([outcome.path])): removed")
            case .gone: lines.append("\(names([outcome.path])): gone")
            case .refused: lines.append("\(names([outcome.path])): left")
            }
        }
        return lines.sorted()
    }

    /// All files but those of the tree and the log.
    var made: [String: Data] {
        get throws { try temporary.files.filter { $0.key.hasPrefix("out/") && !$0.key.contains(".livephoto-import") } }
    }

    @Test func `an import has everything once, in folders by date`() async throws {
        try add(photo: "2025/1.JPG", movie: "2025/1.MP4", day: 1)
        try add(photo: "album/1.JPG", movie: "album/1.MP4", day: 1)
        try add(photo: "album/1(1).JPG", day: 1)
        try add(photo: "2.jpg", day: 2)
        try add(photo: "album/2-copy.jpg", day: 2)
        try add(movie: "3.mov", day: 3)
        try add(photo: "other.jpg", movie: "other.mov", day: nil)
        try write(Array("{}".utf8), to: root.appending("2.jpg.json"))
        try write(Array("text".utf8), to: root.appending("notes.txt"))
        let before = try temporary.files
        let planned = try await run { $0.isDryRun = true }
        #expect(try temporary.files == before)
        let lines = try await run()
        #expect(
            lines == [
                "in/2.jpg: made out/2025/09/2.jpg",
                "in/2025/1.JPG in/2025/1.MP4: made out/2025/09/1.JPG out/2025/09/1.MOV",
                "in/3.mov: made out/2025/09/3.mov", "in/album/1(1).JPG: copy of in/2025/1.JPG",
                "in/album/1.JPG in/album/1.MP4: copy of in/2025/1.JPG", "in/album/2-copy.jpg: copy of in/2.jpg",
                "in/notes.txt: left out ?", "in/other.jpg: made out/undated/other.jpg ?",
                "in/other.mov: made out/undated/other-2.mov ?",
            ])
        #expect(planned == lines.map { $0.replacing(": made ", with: ": planned ") })
        let pair = library.appending("2025").appending("09")
        #expect(try LivePhotoVerifier().verify(photo: pair.appending("1.JPG"), movie: pair.appending("1.MOV")).isGood)
        // What needed no change is there byte for byte.
        #expect(try made["out/2025/09/3.mov"] == before["in/3.mov"] && made["out/2025/09/2.jpg"] == before["in/2.jpg"])
    }

    @Test func `a second import makes only what is new or was removed, and gives the doubts again`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try add(photo: "2.jpg", day: 2)
        try add(photo: "other.jpg", movie: "other.mov", day: nil)
        try await run()
        let before = try made
        let again = [
            "in/1.JPG in/1.MP4: present out/2025/09/1.JPG out/2025/09/1.MOV", "in/2.jpg: present out/2025/09/2.jpg",
            "in/other.jpg: present out/undated/other.jpg ?", "in/other.mov: present out/undated/other-2.mov ?",
        ]
        #expect(try await run() == again)
        try add(photo: "4.jpg", day: 4)
        try FileManager.default.removeItem(atPath: library.string + "/2025/09/2.jpg")
        #expect(
            try await run()
                == (again.filter { !$0.contains("2.jpg") } + [
                    "in/2.jpg: made out/2025/09/2.jpg", "in/4.jpg: made out/2025/09/4.jpg",
                ]).sorted())
        #expect(try made.filter { !$0.key.hasSuffix("4.jpg") } == before)
    }

    @Test func `the same files in another export are not imported again`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try add(photo: "2.jpg", day: 2)
        try await run()
        let other = temporary.path.appending("later")
        try add(photo: "x/1.JPG", movie: "x/1.MP4", day: 1, below: other)
        try add(photo: "x/2(1).jpg", day: 2, below: other)
        try add(photo: "x/1(2).jpg", day: 1, below: other)
        try add(photo: "x/2.jpg", day: 5, below: other)
        #expect(
            try await run([other]) == [
                "later/x/1(2).jpg: copy of out/2025/09/1.JPG",
                "later/x/1.JPG later/x/1.MP4: copy of out/2025/09/1.JPG",
                "later/x/2(1).jpg: copy of out/2025/09/2.jpg", "later/x/2.jpg: made out/2025/09/2-2.jpg",
            ])
    }

    @Test func `a photo whose movie comes later becomes a Live Photo in its place`() async throws {
        try add(photo: "1.JPG", day: 1)
        try await run()
        #expect(Array(try made.keys) == ["out/2025/09/1.JPG"])
        try add(movie: "1.MP4", day: 1)
        #expect(try await run() == ["in/1.JPG in/1.MP4: made out/2025/09/1.JPG out/2025/09/1.MOV"])
        #expect(try made.keys.sorted() == ["out/2025/09/1.JPG", "out/2025/09/1.MOV"])
        #expect(try await undo().count == 2)
        #expect(!FileManager.default.fileExists(atPath: library.string))
    }

    @Test func `what replaces an item of the library is complete before that goes`() async throws {
        try add(photo: "1.jpg", day: 1)
        try add(movie: "2.mp4", day: 2)
        try add(photo: "3.jpg", day: 3)
        try await run()
        // Of each pair, one half was imported alone; beside one is a file of the user, and another was changed.
        try add(movie: "1.mov", day: 1)
        try add(photo: "2.jpg", day: 2)
        try add(movie: "3.mov", day: 3)
        try write(Array("mine".utf8), to: library.pushing("2025/09/1.MOV"))
        try write(Array("changed".utf8), to: library.pushing("2025/09/3.jpg"))
        #expect(
            try await run() == [
                "in/1.jpg in/1.mov: made out/2025/09/1-2.JPG out/2025/09/1-2.MOV",
                "in/2.jpg in/2.mp4: made out/2025/09/2.JPG out/2025/09/2.MOV",
                "in/3.jpg in/3.mov: made out/2025/09/3-2.JPG out/2025/09/3-2.MOV",
            ])
        #expect(
            try made.keys.sorted() == [
                "out/2025/09/1-2.JPG", "out/2025/09/1-2.MOV", "out/2025/09/1.MOV", "out/2025/09/2.JPG",
                "out/2025/09/2.MOV", "out/2025/09/3-2.JPG", "out/2025/09/3-2.MOV", "out/2025/09/3.jpg",
            ])
        _ = try await undo()
        #expect(try made.keys.sorted() == ["out/2025/09/1.MOV", "out/2025/09/3.jpg"])
    }

    @Test func `an incomplete item is completed, also one with an empty file`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try add(photo: "2.JPG", movie: "2.MP4", day: 2)
        try await run()
        let before = try made
        try FileManager.default.removeItem(atPath: library.string + "/2025/09/1.MOV")
        try write([], to: library.pushing("2025/09/2.JPG"))
        #expect(
            try await run() == [
                "in/1.JPG in/1.MP4: made out/2025/09/1.JPG out/2025/09/1.MOV",
                "in/2.JPG in/2.MP4: made out/2025/09/2.JPG out/2025/09/2.MOV",
            ])
        #expect(try made == before)
    }

    @Test func `a file that the library had before is found, and stays when the import is undone`() async throws {
        try add(photo: "1.jpg", day: 1)
        try write(
            [UInt8](Data(contentsOf: URL(fileURLWithPath: root.string + "/1.jpg"))),
            to: library.pushing("2025/09/1.jpg"))
        for _ in 0..<2 { #expect(try await run() == ["in/1.jpg: present out/2025/09/1.jpg"]) }
        #expect(try await undo() == [])
        #expect(try made.keys.sorted() == ["out/2025/09/1.jpg"])
    }

    @Test func `a photo and a movie that were imported one after the other become a Live Photo`() async throws {
        let other = temporary.path.appending("later")
        try add(photo: "1.JPG", day: 1)
        try add(movie: "1.MP4", day: 1, below: other)
        try await run()
        try await run([other])
        #expect(try made.keys.sorted() == ["out/2025/09/1-2.MP4", "out/2025/09/1.JPG"])
        #expect(try await run([root, other]) == ["in/1.JPG later/1.MP4: made out/2025/09/1.JPG out/2025/09/1.MOV"])
        #expect(try made.keys.sorted() == ["out/2025/09/1.JPG", "out/2025/09/1.MOV"])
    }

    @Test func `a photo keeps the date and place of its sidecar if a Live Photo of it knows neither`() async throws {
        try add(photo: "1.jpg", day: nil)
        try write(Array(Self.sidecar("1.jpg").utf8), to: root.appending("1.jpg.json"))
        try await run()
        let other = temporary.path.appending("later")
        try add(photo: "1.jpg", movie: "1.mov", day: nil, below: other)
        try await run([other])
        #expect(try made.keys.sorted() == ["out/2024/03/1.jpg", "out/undated/1.JPG", "out/undated/1.MOV"])
    }

    @Test func `files whose names are not text are told apart`() async throws {
        for (byte, day) in [(UInt8(0xE9), 1), (0xEA, 2)] {
            try add(photo: "x.jpg", day: day)
            let bytes = Array("a".utf8) + [byte] + Array(".jpg".utf8)
            let name = try #require(FilePath.Component(platformString: bytes.map { CChar(bitPattern: $0) } + [0]))
            try FileSystem.move(root.appending("x.jpg"), to: root.appending(name))
        }
        // Of different sizes, so that neither is read to compare them.
        try write(Array("b".utf8), to: root.appending("b.png"))
        #expect(try await run().filter { $0.contains("made") }.count == 3)
        #expect(try FileSystem.names(in: library.pushing("2025/09")).count == 2)
    }

    @Test func `nothing in the library is replaced, and names that differ only in case count as one`() async throws {
        try write(Array("mine".utf8), to: library.pushing("2025/09/a.heic"))
        try add(photo: "A.jpg", day: 1)
        try add(photo: "b.jpg", day: 2)
        try add(photo: "album/B.JPG", day: 3)
        #expect(
            try await run()
                == [
                    "in/A.jpg: made out/2025/09/A-2.jpg", "in/album/B.JPG: made out/2025/09/B.JPG",
                    "in/b.jpg: made out/2025/09/b-2.jpg",
                ].sorted())
    }

    @Test func `a raw picture keeps the name of the photo beside it`() async throws {
        try add(photo: "1.JPG", day: 1)
        try write(Array("raw".utf8), to: root.appending("1.DNG"))
        try write(Array("raw 2".utf8), to: root.appending("2.nef"))
        try add(movie: "2.mov", day: 2)
        #expect(
            try await run() == [
                "in/1.DNG: made out/2025/09/1.DNG", "in/1.JPG: made out/2025/09/1.JPG",
                "in/2.mov: made out/2025/09/2.mov", "in/2.nef: made out/undated/2.nef ?",
            ])
    }

    @Test(arguments: [
        (LibraryImport.Form.apple, ["out/2025/09/1.JPG", "out/2025/09/1.MOV"]),
        (.android, ["out/2025/09/1.MP.jpg"]), (.plain, ["out/2025/09/1.JPG", "out/2025/09/1.MOV"]),
    ])
    func `a library is made for one kind of phone`(_ form: LibraryImport.Form, _ files: [String]) async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run { $0.form = form }
        #expect(try made.keys.sorted() == files)
        let first = temporary.path.pushing(FilePath(files[0]))
        switch form {
        case .apple: _ = try LivePhoto(photo: first, movie: temporary.path.pushing(FilePath(files[1])))
        case .android:
            let other = temporary.path.appending("again")
            try await PairTransfer().extract([first], to: other) { _ in }
            #expect(
                try temporary.files.keys.filter { $0.hasPrefix("again/") }.sorted() == ["again/1.JPG", "again/1.MOV"])
        case .plain:
            #expect(throws: LivePhotoError.self) {
                try LivePhoto(photo: first, movie: temporary.path.pushing(FilePath(files[1])))
            }
        }
        #expect(try await run { $0.form = form }.allSatisfy { $0.contains(": present") })
    }

    @Test func `a library has one form, and its own folders are not imported into it`() async throws {
        try add(photo: "1.JPG", movie: "1.MP4", day: 1)
        try await run()
        let before = try temporary.files
        for (sources, form, sentence) in [
            ([root], LibraryImport.Form.android, "was made for another use (--for apple)"),
            ([library], .apple, "is or holds the folder that is imported"),
            ([library.pushing("2025/09")], .apple, "is or holds the folder that is imported"),
            ([root.appending("1.JPG")], .apple, "is not a folder"),
        ] {
            let error = await #expect(throws: LivePhotoError.self) {
                try await options { $0.form = form }.run(sources, to: library) { _ in }
            }
            #expect(error?.reason.contains(sentence) == true && error?.code == .invalidRequest)
        }
        #expect(try temporary.files == before)
        // A library in the folder that is imported is left out.
        let inner = root.appending("Library")
        for _ in 0..<2 { try await options().run([root], to: inner) { _ in } }
        #expect(try temporary.files.keys.filter { $0.hasPrefix("in/Library/") && !$0.contains("/.") }.count == 2)
        // So is another library there.
        try FileManager.default.removeItem(atPath: root.appending("1.JPG").string)
        try FileManager.default.removeItem(atPath: root.appending("1.MP4").string)
        try add(photo: "2.jpg", day: 2)
        var left: [String] = []
        try await options().run([root], to: temporary.path.appending("Other")) { outcome in
            if outcome.status == .leftOut { left += outcome.sources.map(\.string) }
        }
        #expect(left == [inner.string])
        #expect(try temporary.files.keys.filter { $0.hasPrefix("Other/") && !$0.contains("/.") }.count == 1)
    }

    @Test func `sidecars and names give the date and the place of what has none`() async throws {
        try add(photo: "1.jpg", movie: nil, day: nil)
        try write(Array(Self.sidecar("1.jpg").utf8), to: root.appending("1.jpg.json"))
        try add(movie: "2.mp4", day: nil)
        try write(Array(Self.sidecar("2.mp4").utf8), to: root.appending("2.mp4.json"))
        try write(Array("picture".utf8), to: root.appending("3.png"))
        try write(Array(Self.sidecar("3.png").utf8), to: root.appending("3.png.json"))
        // Canon's raw pictures are built like movies, and have offsets of their own.
        let raw = try SamplePair.plain.get().movie + [0, 0, 0, 9] + Array("free".utf8) + [1]
        try write(raw, to: root.appending("4.CR3"))
        try write(Array(Self.sidecar("4.CR3").utf8), to: root.appending("4.CR3.json"))
        try await run()
        let folder = library.pushing("2024/03")
        #expect(try inputFile(of: folder.appending("4.CR3")).contents(limit: 1 << 24) == raw)
        let photo = try PhotoMetadata(inputFile(of: folder.appending("1.jpg"))).exif
        let movie = try MovieReader(inputFile(of: folder.appending("2.mp4")))
        #expect(photo?.captureDate?.iso8601 == "2024-03-01T12:00:00+0000" && movie.captureDate == photo?.captureDate)
        #expect(photo?.location?.latitude == 48.5 && movie.location?.latitude == 48.5)
        for name in ["3.png", "4.CR3"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(name).string)
            #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_709_294_400, "\(name)")
        }
    }

    static func sidecar(_ title: String) -> String {
        """
        {"title": "\(title)", "photoTakenTime": {"timestamp": "1709294400"},
        "geoData": {"latitude": 48.5, "longitude": 2.25, "altitude": 0}}
        """
    }

    func inputFile(of path: FilePath) throws -> InputFile { try InputFile(path) }

    @Test func `an import's log counts only where this user's program wrote it`() async throws {
        try add(photo: "1.jpg", day: 1)
        try await run()
        let copy = temporary.path.appending("copy")
        try FileManager.default.copyItem(atPath: library.string, toPath: copy.string)
        let before = try temporary.files
        for library in [copy] {
            let error = await #expect(throws: LivePhotoError.self) {
                try await ImportUndo().undo(library) { _ in }
            }
            #expect(error?.reason.contains("was not written there by you on this machine") == true)
            await #expect(throws: LivePhotoError.self) { try await options().run([root], to: library) { _ in } }
        }
        #expect(try temporary.files == before)
    }
}
