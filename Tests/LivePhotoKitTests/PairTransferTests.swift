import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Many pairs at a time, out of containers and into them.
@Suite struct PairTransferTests {
    private let temporary: TemporaryFolder
    private let pair: SamplePair
    private var root: FilePath { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
        pair = try SamplePair()
    }

    /// Makes a folder with a pair, and gives the paths of both files.
    private func addPair(_ name: String, _ pair: SamplePair? = nil) throws -> (photo: FilePath, movie: FilePath) {
        var pair = pair ?? self.pair
        (pair.photoName, pair.movieName) = ("\(name).JPG", "\(name).MOV")
        try pair.write(below: root)
        return (root.appending(pair.photoName), root.appending(pair.movieName))
    }

    private func pack(_ format: PairContainer.Format, _ name: String, _ pair: SamplePair? = nil) throws {
        let files = try addPair("pair/IMG_1", pair)
        let outcome = PairTransfer().pack(
            photo: files.photo, movie: files.movie, as: format, to: root.appending(name)
        ) {
            MediaTime(value: SamplePair.stillTime, timescale: 600)
        }
        if case .failed(let error) = outcome.state { throw error }
    }

    /// Without identifiers and still time, as other cameras' pairs are.
    private func plainPair() throws -> SamplePair {
        let files = try addPair("linked/IMG_1")
        let plain = root.appending("plain")
        try LivePhotoLinker().unlink(
            photo: files.photo, movie: files.movie, to: .directory(plain, replacesExisting: true))
        var pair = self.pair
        pair.photo = try InputFile(plain.appending("IMG_1.JPG")).contents(limit: 1 << 20)
        pair.movie = try InputFile(plain.appending("IMG_1.MOV")).contents(limit: 1 << 20)
        return pair
    }

    /// What became of each, as `NAME: state`, with the container's name.
    private func extract(
        _ names: [String] = ["in"], replacing: Bool = false, isDryRun: Bool = false, to output: String = "out"
    ) async throws -> [String] {
        var transfer = PairTransfer(width: 2)
        (transfer.replacesExisting, transfer.isDryRun) = (replacing, isDryRun)
        var outcomes: [String] = []
        try await transfer.extract(names.map { root.appending($0) }, to: root.appending(output)) { outcome in
            outcomes.append("\(short(outcome.container)): \(outcome.state.word)")
        }
        return outcomes
    }

    private func packAll(
        _ format: PairContainer.Format, _ name: String = "in", replacing: Bool = false, to output: String = "out"
    ) async throws -> [String] {
        var transfer = PairTransfer(width: 2)
        transfer.replacesExisting = replacing
        var outcomes: [String] = []
        try await transfer.pack(below: [root.appending(name)], as: format, to: root.appending(output)) { outcome in
            outcomes.append("\(short(outcome.container)): \(outcome.state.word)")
        }
        return outcomes
    }

    private func short(_ path: FilePath?) -> String {
        guard var path else { return "?" }
        _ = path.removePrefix(root)
        return path.string
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(folder).string).filter {
            !["", "sub", "deep"].contains($0) && !$0.hasSuffix("/deep")
        }.sorted()
    }

    private func change(_ name: String, at place: Int, to byte: UInt8) throws {
        let path = root.appending(name).string
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data[place < 0 ? data.count + place : place] = byte
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test func `pairs below a folder go to the same folders, and the rest is passed over`() async throws {
        for (format, name) in [
            (.livp, "in/a.livp"), (.pvt, "in/sub/b.pvt"), (.motionPhoto, "in/sub/deep/IMG_7.MP.jpg"),
            (.livp, "in/deep/c.zip"),
        ] as [(PairContainer.Format, String)] { try pack(format, name) }
        try write("text", to: root.appending("in/x.jpg"))
        try Data(pair.photo).write(to: URL(fileURLWithPath: root.appending("in/plain.jpg").string))
        try Data(SampleArchive([.init("a.txt", [1])]).bytes)
            .write(to: URL(fileURLWithPath: root.appending("in/other.zip").string))
        let states = try await extract()
        #expect(
            states == [
                "in/a.livp: made", "in/other.zip: passed over", "in/plain.jpg: passed over", "in/x.jpg: passed over",
                "in/deep/c.zip: made", "in/sub/b.pvt: made", "in/sub/deep/IMG_7.MP.jpg: made",
            ])
        let expected = ["", "deep/", "sub/"].flatMap { ["\($0)IMG_1.JPG", "\($0)IMG_1.MOV"] }
        #expect(try names("out") == (expected + ["sub/deep/IMG_7.JPG", "sub/deep/IMG_7.MOV"]).sorted())
        let report = try await LivePhotoVerifier().verify(below: [root.appending("out")], width: 2)
        #expect(report.pairs.count == 4 && report.isGood)
    }

    @Test(arguments: ["in/a.livp", "in/a.pvt", "in/IMG_1.MP.jpg"], [true, false])
    func `what is done is not done again, also where an identifier had to be made up`(
        name: String, isLinked: Bool
    ) async throws {
        let formats: [String: PairContainer.Format] = ["livp": .livp, "pvt": .pvt, "jpg": .motionPhoto]
        let format = try #require(formats[FilePath(name).extension ?? ""])
        try pack(format, name, isLinked ? nil : plainPair())
        #expect(try await extract() == ["\(name): made"])
        let first = try TreeSnapshot(root.appending("out"))
        #expect(try await extract() == ["\(name): present"])
        #expect(try await extract(replacing: true) == ["\(name): present"])
        #expect(try TreeSnapshot(root.appending("out")) == first)
    }

    @Test(arguments: ["in/a.livp", "in/a.zip", "in/a.pvt", "in/a.MP.jpg"], [true, false])
    func `a movie that no device plays is told in every container before anything is written`(
        name: String, hasTwoVideos: Bool
    ) async throws {
        var odd = pair
        try odd.changeMovie { movie in
            if hasTwoVideos {
                var second = movie.tracks[0]
                second.header.trackID = 9
                return movie.tracks.append(second)
            }
            try movie.tracks[0].changeFormat(VisualSampleEntry.self) { video in
                video.configuration?.profile = 244
                video.configuration?.highProfile?.chromaFormat = 3
            }
        }
        let formats: [String: PairContainer.Format] = ["jpg": .motionPhoto, "pvt": .pvt]
        let format = formats[FilePath(name).extension ?? ""] ?? .livp
        try pack(format, name, odd)
        guard !hasTwoVideos else {
            // The one that players show is kept.
            #expect(try await extract() == ["\(name): made"])
            let files = FileManager.default.enumerator(atPath: root.appending("out").string)?.compactMap {
                $0 as? String
            }
            let name = try #require(files?.first { $0.hasSuffix(".MOV") })
            #expect(try MovieReader(InputFile(root.appending("out").appending(name))).videoTrackCount == 1)
            return
        }
        for isDryRun in [true, false] {
            #expect(try await extract(isDryRun: isDryRun) == ["\(name): failed unusableMedia"])
        }
        #expect(!FileManager.default.fileExists(atPath: root.appending("out").string))
    }

    @Test(arguments: [("IMG_1.JPG", -1), ("IMG_1.MOV", -1), ("IMG_1.MOV", 40), ("IMG_1.JPG", 60)])
    func `another pair at its place is never taken for it, and kept unless it is to be replaced`(
        name: String, place: Int
    ) async throws {
        try pack(.livp, "in/a.livp")
        _ = try await extract()
        let good = try TreeSnapshot(root.appending("out"))
        try change("out/\(name)", at: place, to: 0x55)
        let changed = try TreeSnapshot(root.appending("out"))
        #expect(try await extract() == ["in/a.livp: failed outputExists"])
        #expect(try TreeSnapshot(root.appending("out")) == changed)
        #expect(try await extract(replacing: true) == ["in/a.livp: made"])
        #expect(try TreeSnapshot(root.appending("out")).contents == good.contents)
    }

    @Test(arguments: [(.pvt, "a.pvt"), (.livp, "a.livp"), (.pvtZip, "a.pvt.zip")] as [(PairContainer.Format, String)])
    func `a Live Photo comes out of a container byte for byte`(format: PairContainer.Format, name: String) async throws
    {
        var packed = pair
        packed.movie = DevicePair.movie
        packed.photo = DevicePair.photo
        try pack(format, name, packed)
        var states: [PairTransfer.Outcome.State] = []
        for _ in 0..<2 {
            try await PairTransfer().extract([root.appending(name)], to: root.appending("out")) {
                states.append($0.state)
            }
        }
        #expect(states == [.made, .present])
        for (file, bytes) in [("IMG_1.HEIC", packed.photo), ("IMG_1.MOV", packed.movie)] {
            let found = try InputFile(root.appending("out").appending(file)).contents(limit: 1 << 24)
            #expect(found == bytes, "\(file)")
        }
    }

    @Test func `of two that would go to one place, the second fails, though they be the same`() async throws {
        try pack(.livp, "in/a.livp")
        try pack(.livp, "in/b.zip")
        for _ in 0..<2 {
            let states = try await extract(replacing: true)
            #expect(
                ["made", "present"].contains { states == ["in/a.livp: \($0)", "in/b.zip: failed invalidRequest"] })
        }
        _ = try addPair("pairs/one/IMG_1")
        _ = try addPair("pairs/one/IMG_1.x")
        try FileManager.default.moveItem(
            atPath: root.appending("pairs/one/IMG_1.x.JPG").string,
            toPath: root.appending("pairs/one/IMG_1.jpeg").string)
        let packed = try await packAll(.livp, "pairs", to: "packed")
        #expect(packed == ["packed/one/IMG_1.livp: made", "packed/one/IMG_1.livp: failed invalidRequest"])
    }

    @Test func `one that fails does not stop the others, and what has a pair's name must hold one`() async throws {
        try pack(.livp, "in/b.livp")
        try write("text", to: root.appending("in/a.livp"))
        try makeDirectory(root.appending("in/c.pvt"))
        #expect(
            try await extract() == [
                "in/a.livp: failed unusableMedia", "in/b.livp: made", "in/c.pvt: failed unusableMedia",
            ])
        #expect(try await extract(["gone.livp"]) == ["gone.livp: failed noInput"])
        #expect(try names("out") == ["IMG_1.JPG", "IMG_1.MOV"])
    }

    @Test func `a dry run tells what would be, and writes nothing`() async throws {
        try pack(.livp, "in/a.livp")
        try pack(.motionPhoto, "in/sub/IMG_2.MP.jpg")
        #expect(try await extract(isDryRun: true) == ["in/a.livp: planned", "in/sub/IMG_2.MP.jpg: planned"])
        #expect(!FileManager.default.fileExists(atPath: root.appending("out").string))
        _ = try await extract()
        #expect(try await extract(isDryRun: true) == ["in/a.livp: present", "in/sub/IMG_2.MP.jpg: present"])
        try change("out/IMG_1.JPG", at: -1, to: 0x55)
        #expect(
            try await extract(isDryRun: true) == ["in/a.livp: failed outputExists", "in/sub/IMG_2.MP.jpg: present"])
        #expect(try await extract(replacing: true, isDryRun: true).first == "in/a.livp: planned")
    }

    @Test func `a zipped photo that says to be huge is refused before it is unpacked`() async throws {
        var archive = SampleArchive([.init("a.jpg", pair.photo), .init("a.mov", pair.movie)]).bytes
        let directory = try #require(archive.firstRange(of: hex("504b0102"))).lowerBound
        archive.replaceSubrange(directory + 24..<directory + 28, with: hex("ffffff7f"))
        try makeDirectory(root.appending("in"))
        try Data(archive).write(to: URL(fileURLWithPath: root.appending("in/a.zip").string))
        #expect(try await extract() == ["in/a.zip: failed inputOutput"])
    }

    @Test func `what is cancelled while it is copied leaves nothing, and is not told`() async throws {
        try pack(.livp, "in/a.livp")
        let files = try addPair("pairs/IMG_1")
        let (root, transfer) = (root, PairTransfer())
        let before = try temporary.files
        func cancelled(_ body: @escaping @Sendable () async throws -> Void) async {
            await #expect(throws: CancellationError.self) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await body()
                }.value
            }
        }
        await cancelled {
            let state = transfer.pack(
                photo: files.photo, movie: files.movie, as: .livp, to: root.appending("b.livp")
            ).state
            #expect(state.word == "failed cancelled")
            try Task.checkCancellation()
        }
        await cancelled {
            let error = #expect(throws: LivePhotoError.self) {
                try LivePhotoLinker().link(
                    photo: files.photo, movie: files.movie,
                    to: .directory(root.appending("out"), replacesExisting: false))
            }
            #expect(error?.code == .cancelled)
            try Task.checkCancellation()
        }
        #expect(try temporary.files == before)
    }

    @Test func `a run that is cancelled leaves what it has told, whole`() async throws {
        for number in 0..<3 { try pack(.livp, "in/\(number)/a.livp") }
        let source = root.appending("in")
        let output = root.appending("out")
        var told = 0
        await #expect(throws: CancellationError.self) {
            try await PairTransfer(width: 1).extract([source], to: output) { _ in
                told += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(told == 1)
        #expect(try names("out").count { $0.hasSuffix(".JPG") } == told)
        #expect(try names("out").allSatisfy { !$0.contains(".livephoto-") })
    }

    @Test(
        arguments: [(.motionPhoto, ".MP.jpg"), (.livp, ".livp"), (.pvt, ".pvt")] as [(PairContainer.Format, String)])
    func `pairs below a folder are packed to the same folders by their usual names, once`(
        format: PairContainer.Format, ending: String
    ) async throws {
        let first = try addPair("in/IMG_1")
        _ = try addPair("in/sub/IMG_2")
        // Below what is searched, and so passed over.
        let expected = ["in/packed/IMG_1\(ending)", "in/packed/sub/IMG_2\(ending)"]
        #expect(try await packAll(format, to: "in/packed") == expected.map { "\($0): made" })
        let made = try TreeSnapshot(root.appending("in/packed"))
        #expect(try await packAll(format, to: "in/packed") == expected.map { "\($0): present" })
        #expect(try TreeSnapshot(root.appending("in/packed")) == made)
        #expect(try await extract(["in/packed"]).allSatisfy { $0.hasSuffix(": made") })
        #expect(try samples(root.appending("out/IMG_1.MOV")) == samples(first.movie))

        // Photo and movie of another moment.
        try change("in/IMG_1.MOV", at: 45, to: 0x55)
        #expect(
            try await packAll(format, to: "in/packed")
                == ["\(expected[0]): failed outputExists", "\(expected[1]): present"])
        #expect(try TreeSnapshot(root.appending("in/packed")) == made)
        #expect(
            try await packAll(format, replacing: true, to: "in/packed")
                == ["\(expected[0]): made", "\(expected[1]): present"])
        #expect(try TreeSnapshot(root.appending("in/packed")) != made)
        #expect(try names("in/packed").allSatisfy { !$0.contains(".livephoto-") })
    }

    @Test
    func `of several folders, a photo and its movie are found together, and go to the place of the photo in its own`()
        async throws
    {
        let files = try addPair("a/sub/IMG_1")
        try makeDirectory(root.appending("b"))
        try FileManager.default.moveItem(atPath: files.movie.string, toPath: root.appending("b/other.MOV").string)
        _ = try addPair("b/c/IMG_2", plainPair())
        var made: [String] = []
        let folders = ["a", "b", "b/c"].map { root.appending($0) }
        try await PairTransfer().pack(below: folders, as: .livp, to: root.appending("out")) {
            made.append("\(short($0.container)): \($0.state.word)")
        }
        // Nothing but the name says that the last two belong together.
        #expect(made == ["out/sub/IMG_1.livp: made", "out/c/IMG_2.livp: failed unusableMedia"])
    }

    @Test func `one pair goes to a file, or into a folder by its usual name, and never over itself`() throws {
        let files = try addPair("IMG_1")
        try makeDirectory(root.appending("folder"))
        var transfer = PairTransfer()
        transfer.replacesExisting = true
        func pack(_ target: String) -> String {
            let outcome = transfer.pack(
                photo: files.photo, movie: files.movie, as: .motionPhoto, to: root.appending(target))
            return "\(short(outcome.container)): \(outcome.state.word)"
        }
        #expect(pack("folder") == "folder/IMG_1.MP.jpg: made")
        #expect(pack("new/any") == "new/any: made")
        #expect(pack("IMG_1.JPG") == "IMG_1.JPG: failed cannotCreateOutput")
        #expect(try InputFile(files.photo).contents(limit: 1 << 20) == pair.photo)
    }

    private func samples(_ movie: FilePath) throws -> [[UInt8]] {
        let reader = try MovieReader(InputFile(movie))
        // Those of the still image time are made again.
        let tracks = reader.tracks.filter { $0.kind != .metadata }
        try #require(!tracks.isEmpty)
        return try tracks.flatMap { track in try track.samples().map { try reader.bytes(of: $0) } }
    }
}

/// What is below a folder: names, bytes, and which files they are.
struct TreeSnapshot: Equatable {
    var contents: [String: Data] = [:]
    private var files: [String: UInt64] = [:]

    init(_ folder: FilePath) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            let path = folder.appending(name).string
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            files[name] = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }
}

extension PairTransfer.Outcome.State {
    var word: String {
        switch self {
        case .made: "made"
        case .present: "present"
        case .planned: "planned"
        case .failed(let error): "failed \(error.code)"
        case .passedOver: "passed over"
        }
    }
}
