import Foundation
import LivePhotoKit
import QuickTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// What `LivePhotoVerifier` finds in folders.
@Suite struct FolderTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// What is in a folder, in few words: names without the way to the folder.
    struct Found: Equatable {
        var pairs: [[String]] = []
        /// With the rule first.
        var files: [[String]] = []
        var ordinary = 0
        var unreadable: [String] = []
    }

    private func find(
        _ folders: [String] = [""], width: Int = 2, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> Found {
        let report = try await LivePhotoVerifier().verify(
            below: folders.map { root.appending($0) }, width: width, progress: progress)
        func short(_ path: FilePath) -> String { path.string.replacing("\(root)/", with: "") }
        return Found(
            pairs: report.pairs.map { [short($0.photo), short($0.movie)] + $0.findings.map(\.rule.id) },
            files: report.files.map { [$0.finding.rule.id] + $0.files.map(short) },
            ordinary: report.ordinaryFiles, unreadable: report.unreadable.map { short(FilePath("\($0)")) })
    }

    /// Writes photos and movies below the folder, each with an identifier that ends in this digit.
    private func add(_ names: String..., identifier digit: Int = 0) throws {
        var pair = try SamplePair()
        try pair.setIdentifier(String(SamplePair.identifier.dropLast() + "\(digit)"))
        for name in names {
            let isPhoto = [".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
            (pair.photoName, pair.movieName) = isPhoto ? (name, "") : ("", name)
            try pair.write(below: root)
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root.appending(name).string, withDestinationPath: target)
    }

    @Test
    func `a photo and its movie find each other by their identifier, wherever they are and whatever they are called`()
        async throws
    {
        try add("one/IMG_1.JPG", "two/deep/clip.MOV", identifier: 1)
        try add("one/IMG_2.JPG", "one/IMG_2.MOV", identifier: 2)
        // One of the same name, which another photo's identifier claims.
        try add("two/clip.jpg", "one/IMG_1.MOV", identifier: 3)
        #expect(
            try await find()
                == Found(pairs: [
                    ["one/IMG_1.JPG", "two/deep/clip.MOV", "same-folder", "same-name"],
                    ["one/IMG_2.JPG", "one/IMG_2.MOV"],
                    ["two/clip.jpg", "one/IMG_1.MOV", "same-folder", "same-name"],
                ]))
    }

    @Test func `files without an identifier find each other by their name in one folder`() async throws {
        var pair = try SamplePair()
        pair.photo[3] = 0xEC
        (pair.photoName, pair.movieName) = ("b/IMG_1.jpeg", "b/IMG_1.MOV")
        try pair.changeMovie { $0.metadata = nil }
        try pair.write(below: root)
        // In another folder, or in other letters, it is another name.
        (pair.photoName, pair.movieName) = ("a/IMG_1.JPG", "b/img_1.mov")
        try pair.write(below: root)
        try add("b/IMG_0.JPG", "b/IMG_0.MOV")
        let expected = Found(
            pairs: [
                ["b/IMG_0.JPG", "b/IMG_0.MOV"],
                ["b/IMG_1.jpeg", "b/IMG_1.MOV", "photo-identifier", "movie-identifier"],
            ], ordinary: 2)
        let found = try await find()
        #expect(found == expected, "\(found)")
    }

    @Test func `the same name with different identifiers is a pair with an error`() async throws {
        try add("IMG_1.JPG", identifier: 1)
        try add("IMG_1.MOV", identifier: 2)
        #expect(try await find() == Found(pairs: [["IMG_1.JPG", "IMG_1.MOV", "identifiers-equal"]]))
    }

    @Test func `photos and movies alone are reported, and ordinary files are counted`() async throws {
        try add("a.JPG", identifier: 1)
        try add("b.MOV", identifier: 2)
        for name in ["c.jpg", "d.mp4"] { try SamplePair.write(name, identifier: nil, below: root) }
        try write("neither by its name", to: root.appending("e.txt"))
        #expect(
            try await find()
                == Found(files: [["photo-alone", "a.JPG"], ["movie-alone", "b.MOV"]], ordinary: 2))
    }

    @Test func `photos and movies that cannot be read are told`() async throws {
        try write("no photo", to: root.appending("c.jpg"))
        try write("no movie", to: root.appending("d.mp4"))
        let report = try await LivePhotoVerifier().verify(below: [root], width: 1)
        #expect(
            report.unreadable.map(\.reason) == [
                "cannot be read as a photo: photo has a form that is not supported at byte 0 (expected a JPEG, HEIC or AVIF)",
                "is not a MOV or MP4",
            ])
        #expect(report.ordinaryFiles == 0 && !report.isGood)
    }

    @Test func `of copies, those beside each other are pairs`() async throws {
        // In the order of names, the photo without a movie comes first, and so does the movie without a photo.
        try add("1/IMG_1.MOV", "2/IMG_1.JPG", "3/IMG_1.JPG", "3/IMG_1.MOV", "4/IMG_1.JPG", "4/IMG_1.MOV")
        let photos = ["2/IMG_1.JPG", "3/IMG_1.JPG", "4/IMG_1.JPG"]
        let movies = ["1/IMG_1.MOV", "3/IMG_1.MOV", "4/IMG_1.MOV"]
        for width in [1, 4] {
            #expect(
                try await find(width: width)
                    == Found(
                        pairs: [
                            ["2/IMG_1.JPG", "1/IMG_1.MOV", "same-folder"], ["3/IMG_1.JPG", "3/IMG_1.MOV"],
                            ["4/IMG_1.JPG", "4/IMG_1.MOV"],
                        ],
                        files: [["identifier-shared"] + photos, ["identifier-shared"] + movies]))
        }
    }

    @Test func `a copy of a photo is no photo without a movie`() async throws {
        try add("copies/IMG_1.JPG", "shot/IMG_1.JPG", "shot/IMG_1.MOV")
        #expect(
            try await find()
                == Found(
                    pairs: [["shot/IMG_1.JPG", "shot/IMG_1.MOV"]],
                    files: [["identifier-shared", "copies/IMG_1.JPG", "shot/IMG_1.JPG"]]))
    }

    @Test func `hidden files and folders are left out, but for a folder that is named`() async throws {
        try add(".hidden/IMG_1.JPG", ".hidden/IMG_1.MOV", "._IMG_1.JPG")
        #expect(try await find() == Found())
        #expect(try await find([".hidden"]).pairs == [[".hidden/IMG_1.JPG", ".hidden/IMG_1.MOV"]])
    }

    @Test func `links to folders are left out, those to files are not, and nothing goes round in circles`()
        async throws
    {
        try add("a/IMG_1.JPG", ".store/1.mov")
        try link("a/up", to: "..")
        try link("a/self", to: "self")
        try link("a/IMG_1.MOV", to: "../.store/1.mov")
        #expect(try await find() == Found(pairs: [["a/IMG_1.JPG", "a/IMG_1.MOV"]]))
        // A link that is named is followed.
        #expect(try await find(["a/up"]).pairs == [["a/up/a/IMG_1.JPG", "a/up/a/IMG_1.MOV"]])
    }

    @Test func `a folder that is named twice, or within another one, is read once`() async throws {
        try add("a/b/IMG_1.JPG", "a/b/IMG_1.MOV")
        #expect(try await find(["a", "a/b", "a/../a"]) == Found(pairs: [["a/b/IMG_1.JPG", "a/b/IMG_1.MOV"]]))
        #expect(try await find(["a/b", "a"]) == Found(pairs: [["a/b/IMG_1.JPG", "a/b/IMG_1.MOV"]]))
    }

    @Test func `what is no file is told or passed over`() async throws {
        try add("holiday.mov/IMG_1.JPG", "holiday.mov/IMG_1.MOV")
        try link("gone.JPG", to: "nowhere")
        try link("round.MOV", to: "round.MOV")
        #expect(mkfifo(root.appending("pipe.MOV").string, 0o600) == 0)
        let found = try await find()
        #expect(found.pairs == [["holiday.mov/IMG_1.JPG", "holiday.mov/IMG_1.MOV"]])
        #expect(found.files.isEmpty && found.ordinary == 0)
        #expect(
            found.unreadable == [
                "gone.JPG: no such file", "round.MOV: cannot be opened: Too many levels of symbolic links",
            ])
        #expect(
            try await find(["missing", "gone.JPG"]).unreadable == ["missing: no such file", "gone.JPG: no such file"])
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `files and folders that may not be read are told, and cost the others nothing`() async throws {
        try add("IMG_1.JPG", "IMG_1.MOV", "IMG_2.JPG", "closed/IMG_3.JPG")
        chmod(root.appending("IMG_2.JPG").string, 0)
        chmod(root.appending("closed").string, 0)
        defer { chmod(root.appending("closed").string, 0o700) }
        let found = try await find()
        #expect(found.pairs == [["IMG_1.JPG", "IMG_1.MOV"]] && found.files.isEmpty && found.ordinary == 0)
        #expect(
            found.unreadable == [
                "closed: may not be read (permission denied)", "IMG_2.JPG: may not be read (permission denied)",
            ])
    }

    @Test(arguments: ["two words", "ünïcode 日本", "line\nend", "quote\"s'", "-flag", "a.b.c", "*?", "\u{1B}[2J"])
    func `names are taken as they are`(name: String) async throws {
        try add("\(name)/\(name).JPG", "\(name)/\(name).MOV")
        #expect(try await find() == Found(pairs: [["\(name)/\(name).JPG", "\(name)/\(name).MOV"]]))
    }

    @Test func `names that are no UTF-8 are taken as they are`() async throws {
        let name: [CChar] = [73, -1, -2, 46]
        for (kind, half) in [("JPG", try SamplePair().photo), ("MOV", try SamplePair().movie)] {
            let path = root.string.utf8CString.dropLast() + [47] + name + Array(kind.utf8CString)
            let descriptor = open(Array(path), O_WRONLY | O_CREAT, 0o600)
            #expect(Foundation.write(descriptor, half, half.count) == half.count)
            close(descriptor)
        }
        let found = try await find()
        #expect(found.pairs.count == 1 && found.pairs.first?.count == 2 && found.unreadable.isEmpty)
    }

    @Test func `two thousand files are read in bounded time, and told in the order of their names`() async throws {
        for number in 1..<10 { try add("\(number % 3)/IMG_\(number).JPG", "IMG_\(number).MOV", identifier: number) }
        for number in 0..<1980 { try SamplePair.write("\(number % 3)/\(number).jpg", identifier: nil, below: root) }
        let progress = Mutex<[Int]>([])
        let start = ContinuousClock.now
        let found = try await find(width: 4) { done, total in
            #expect(total == 2 * (1980 + 18))
            progress.withLock { $0.append(done) }
        }
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(found.pairs.map { $0[1] } == [3, 6, 9, 1, 4, 7, 2, 5, 8].map { "IMG_\($0).MOV" })
        #expect(found.files.isEmpty && found.ordinary == 1980 && found.unreadable.isEmpty)
        #expect(progress.withLock { $0 == $0.sorted() && $0.last == 2 * 9 + 1980 + 18 })
    }

    @Test func `a pair is told before the other files are read, and each result once`() async throws {
        for number in 1..<9 { try add("\(number).JPG", "\(number).MOV", identifier: number) }
        try add("apart/a.JPG", "b.MOV")
        try SamplePair.write("z.jpg", identifier: nil, below: root)
        let steps = Mutex(0)
        var told: [(steps: Int, name: String)] = []
        let report = try await LivePhotoVerifier().verify(
            below: [root], width: 1, progress: { _, _ in steps.withLock { $0 += 1 } },
            onResult: { result in
                let done = steps.withLock(\.self)
                switch result {
                case .pair(let report): told.append((done, report.photo.lastComponent?.string ?? ""))
                case .motionPhoto, .files, .unreadable: Issue.record("\(result)")
                }
            })
        #expect(told.map(\.name) == (1..<9).map { "\($0).JPG" } + ["a.JPG"])
        #expect(told.first?.steps == 0)
        #expect(report.pairs.count == 9 && report.ordinaryFiles == 1)
    }

    @Test func `files are told while other folders are still to be listed, and each once`() throws {
        for folder in 0..<9 {
            try temporary.write("", to: "\(folder)/clip.MOV")
            for name in 0..<100 { try temporary.write("", to: "\(folder)/\(name).JPG") }
        }
        var folders = 0
        var told: [(folders: Int, photos: [FilePath], movies: Int)] = []
        _ = try FileTree(
            listing: [root], progress: { folders = $0 },
            onFiles: { told.append((folders, $0.photos, $0.movies.count)) })
        // The folder itself, and three with 101 files.
        #expect(told.map(\.folders) == [4, 7, 10] && told.map(\.movies) == [3, 3, 3])
        #expect(Set(told.flatMap(\.photos)).count == 900 && told.flatMap(\.photos).count == 900)
    }

    @Test func `a task that is cancelled stops`() async throws {
        for number in 1..<9 { try add("\(number).JPG", "\(number).MOV", identifier: number) }
        let steps = Mutex(0)
        let task = Task { [root] in
            try await LivePhotoVerifier().verify(below: [root], width: 1) { _, _ in
                steps.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(steps.withLock { $0 } < 3)
    }
}
