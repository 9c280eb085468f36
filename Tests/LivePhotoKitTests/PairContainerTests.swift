import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

@Suite struct PairContainerTests {
    private let temporary: TemporaryFolder
    private let pair: SamplePair
    private var root: FilePath { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
        pair = try SamplePair()
        try pair.write(below: root)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try InputFile(root.appending(name)).contents(limit: 1 << 24)
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        try Data(bytes).write(to: URL(filePath: root.appending(name).string))
        return root.appending(name)
    }

    private func pack(_ format: PairContainer.Format, _ name: String, stillTime: MediaTime? = nil) throws -> FilePath {
        try pack(root.appending(pair.photoName), root.appending(pair.movieName), stillTime, format, name)
    }

    @discardableResult
    private func pack(
        _ photo: FilePath, _ movie: FilePath, _ stillTime: MediaTime?, _ format: PairContainer.Format, _ name: String
    ) throws -> FilePath {
        let path = root.appending(name)
        let outcome = PairTransfer().pack(photo: photo, movie: movie, as: format, to: path) { stillTime }
        if case .failed(let error) = outcome.state { throw error }
        return path
    }

    private func takeApart(_ path: FilePath) throws -> (photo: [UInt8], movie: [UInt8]) {
        for name in ["photo", "movie"] { try? FileManager.default.removeItem(atPath: root.appending(name).string) }
        let container = try PairContainer(path)
        try container.writePhoto(to: root.appending("photo"))
        try container.writeMovie(to: root.appending("movie"))
        return (try bytes("photo"), try bytes("movie"))
    }

    /// The samples of all tracks with their times.
    private func samples(_ movie: [UInt8], _ name: String) throws -> [[String]] {
        let reader = try MovieReader(InputFile(write(movie, name)))
        return try reader.tracks.map { track in
            try track.samples().map { "\($0.presentationTime) \($0.duration) \(try reader.bytes(of: $0))" }
        }
    }

    @Test(
        arguments: [(.pvt, "a.pvt", .pvt), (.livp, "a.livp", .livp), (.livp, "a.zip", .zip)]
            as [(PairContainer.Format, String, PairContainer.Kind)])
    func `a pair comes out of a container as it went in`(
        format: PairContainer.Format, name: String, kind: PairContainer.Kind
    ) throws {
        let path = try pack(format, name, stillTime: MediaTime(value: 1, timescale: 2))
        let container = try PairContainer(path)
        #expect(container.kind == kind)
        #expect([container.photoName, container.movieName] == ["IMG_1.JPG", kind == .pvt ? "IMG_1.MOV" : "IMG_1.mov"])
        #expect(container.stillTime == nil)
        let parts = try takeApart(path)
        #expect(parts.photo == pair.photo)
        #expect(parts.movie == pair.movie)
    }

    @Test(arguments: [nil, 0, 1_333_333] as [Int64?]) func `a motion photo keeps the movie, the picture and the time`(
        microseconds: Int64?
    ) throws {
        let time = microseconds.map { MediaTime(value: $0, timescale: 1_000_000) }
        let path = try pack(.motionPhoto, "IMG_1.MP.jpg", stillTime: time)
        let container = try PairContainer(path)
        #expect(container.kind == .motionPhoto)
        #expect(container.stillTime == time)
        #expect([container.photoName, container.movieName] == ["IMG_1.jpg", "IMG_1.mp4"])
        let parts = try takeApart(path)
        #expect(Array(parts.movie[4..<12]) == Array("ftypmp42".utf8))
        #expect(try samples(parts.movie, "after.mp4") == samples(pair.movie, "before.mov"))
        let picture = try #require(pair.photo.firstRange(of: [0xFF, 0xC0])).lowerBound
        #expect(parts.photo.suffix(pair.photo.count - picture) == pair.photo[picture...])
        #expect(try PhotoMetadata(parts.photo).contentIdentifier == PhotoMetadata(pair.photo).contentIdentifier)
        let error = #expect(throws: LivePhotoError.self) { try PairContainer(root.appending("photo")) }
        #expect(error?.code == .unusableMedia)
    }

    @Test func `a livp says in its comment where both stand, as Baidu's readers want it`() throws {
        let archive = try bytes(try pack(.livp, "a.livp").lastComponent?.string ?? "")
        let comment = String(decoding: archive.suffix(56), as: UTF8.self)
        func number(_ from: Int) throws -> Int {
            try #require(Int(comment.dropFirst(from).prefix(8), radix: 16))
        }
        #expect(comment.hasPrefix("0005") && comment.dropFirst(20).hasPrefix("0003"))
        #expect(comment.hasSuffix("313030304C495650"))
        #expect(Array(archive[try number(4)...].prefix(try number(12))) == pair.photo)
        #expect(Array(archive[try number(24)...].prefix(try number(32))) == pair.movie)
        var header = ByteReader(archive, structure: "livp")
        try header.skip(14)
        #expect(try header.integer(UInt32.self, .little) == SampleArchive.checksum(pair.photo))
        #expect(try number(4) == 30 + "IMG_1.JPG.jpg".utf8.count)
    }

    @Test func `a pvt has the list that Photos looks for`() throws {
        let list = try read(pack(.pvt, "a.pvt").appending("metadata.plist"))
        let plist = try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil) as? [String: String]
        #expect(
            plist == [
                "PFVideoComplementMetadataVersionKey": "1",
                "PFVideoComplementMetadataPairidIdentifierKey": SamplePair.identifier,
            ])
    }

    @Test(
        arguments: [
            // Made by zlib: stored, and by the fixed code.
            ("abcabcabc", "010900f6ff616263616263616263"),
            ("a movie, a movie, a movie", "4b54c8cd2fcb4cd5514844630000"),
        ])
    func `deflated entries are unpacked`(text: String, deflated: String) throws {
        let archive = SampleArchive([
            .init("a.jpg", Array(text.utf8), deflated: hex(deflated)), .init("a.mov", [1, 2, 3]),
        ])
        #expect(try takeApart(write(archive.bytes, "a.zip")).photo == Array(text.utf8))
    }

    /// Nine times 200 letters and 32,000 zeros, by zlib.
    private static let far = hex(
        """
        eddd898d85300c05c06dd547fa6f615fd0af229a1120f0153af0ee564f9de933a76acf4ef70d9daec46e62ce26b4954ceeb3
        959a9d49d3de82843a89f477f54d752590509d937929bab3a73a251993fe4d2ac1c93139a5e6bb6ef57d76e27366cf6df8de
        f64e4b67be7ae60b66c67768fee5fe5c0efe03000000000000000000000000000000000000000000000000000000000000f8
        597bdc01000000000000000000000000000000000000000000000000000000000080c7d8e30e000000000000000000000000
        000000000000000000000000000000000000bcc61e7700000000000000000000000000000000000000000000000000000000
        0000e035f6b803000000000000000000000000000000000000000000000000000000000000afb1c71d000000000000000000
        000000000000000000000000000000000000000000788d3dee00000000000000000000000000000000000000000000000000
        0000000000c06bec71070000000000000000000000000000000000000000000000000000000000005e638f3b000000000000
        000000000000000000000000000000000000000000000000f09a7f
        """)

    private static let farContent: [UInt8] = {
        var state: UInt32 = 1
        let letters = (0..<200).map { _ in
            state = (state &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
            return UInt8(97 + (state >> 16) % 5)
        }
        return Array(repeatElement(letters + [UInt8](repeating: 0, count: 32_000), count: 9).joined())
    }()

    @Test func `deflated data may reach back 32 KiB, and are checked`() throws {
        var archive = SampleArchive([
            .init("a.jpg", [1]), .init("a.mov", Self.farContent, deflated: Self.far),
        ])
        #expect(try takeApart(write(archive.bytes, "a.zip")).movie == Self.farContent)
        // Another content than the directory says.
        archive.entries[1].content[7] ^= 1
        let error = #expect(throws: LivePhotoError.self) { try takeApart(write(archive.bytes, "b.zip")) }
        #expect(error?.code == .unusableMedia)
        #expect(!FileManager.default.fileExists(atPath: root.appending("movie").string))
    }

    @Test func `deflated data that are damaged or cut off are an error`() throws {
        for index in stride(from: 0, to: Self.far.count, by: 17) {
            var data = Self.far
            data[index] ^= UInt8(1 << (index % 8))
            let content = Array(Self.farContent.prefix(40_000))
            for data in [data, Array(Self.far[..<index])] {
                let archive = SampleArchive([.init("a.jpg", content, deflated: data), .init("a.mov", [])])
                #expect(throws: LivePhotoError.self, "byte \(index)") { try takeApart(write(archive.bytes, "a.zip")) }
            }
        }
    }

    @Test(
        arguments: [
            (["a.jpg"], "1 photo (a.jpg) and no movie"),
            (["a.mov", "b/c.MP4"], "no photo and 2 movies (a.mov, b/c.MP4)"),
            (["a.jpg", "b.heic", "c.mov"], "2 photos (a.jpg, b.heic) and 1 movie (c.mov)"),
            ([], "no photo and no movie"),
            (["a\u{1B}[2J.jpg"], "1 photo (a\\u{1B}[2J.jpg) and no movie"),
        ])
    func `what holds no pair, or more than one, says what it holds`(names: [String], words: String) throws {
        let ignored = ["__MACOSX/x.mov", ".hidden.jpg", "sub/._b.mov", "folder.mov/", "x.aae"]
        let archive = SampleArchive((names + ignored).map { .init($0, [1]) })
        let error = #expect(throws: LivePhotoError.self) { try PairContainer(write(archive.bytes, "a.zip")) }
        #expect(error?.code == .unusableMedia)
        #expect(error?.reason == "holds \(words), and a pair is one of each")
    }

    @Test(
        arguments: [
            ("../../a.jpg", "a.jpg"), ("/etc/b.jpg", "b.jpg"), ("c\\d\\..\\e.jpg", "e.jpg"),
            ("x/IMG.HEIC.heic", "IMG.HEIC"),
            ("IMG.HEIC.jpg", "IMG.jpg"), ("x/..jpg", nil), ("a\u{0}b.jpg", nil),
        ] as [(String, String?)])
    func `names lead nowhere else`(name: String, photoName: String?) throws {
        let path = try write(SampleArchive([.init(name, [1]), .init("a.mov", [2])]).bytes, "a.zip")
        #expect((try? PairContainer(path))?.photoName == photoName)
    }

    @Test func `nothing is overwritten, and nothing is left of what fails`() throws {
        let path = try pack(.livp, "a.livp")
        let container = try PairContainer(path)
        for format in PairContainer.Format.allCases where format != .livp {
            let error = #expect(throws: LivePhotoError.self) { try pack(format, "a.livp") }
            #expect(error?.code == .outputExists)
        }
        let error = #expect(throws: LivePhotoError.self) { try container.writePhoto(to: path) }
        #expect(error?.code == .outputExists)
        let early = MediaTime(value: -1, timescale: 600)
        #expect(throws: LivePhotoError.self) { try pack(.motionPhoto, "b.jpg", stillTime: early) }
        let text = try write(Array("text".utf8), "text")
        for format in PairContainer.Format.allCases where format != .motionPhoto {
            #expect(throws: LivePhotoError.self) {
                try pack(text, text, nil, format, "c")
            }
        }
        #expect(throws: LivePhotoError.self) {
            try pack(root.appending(pair.photoName), text, nil, .motionPhoto, "c")
        }
        #expect(try temporary.names == ["IMG_1.JPG", "IMG_1.MOV", "a.livp", "text"])
        #expect(throws: LivePhotoError.self) { try PairContainer(root) }
        #expect(throws: LivePhotoError.self) { try PairContainer(text) }
        #expect(throws: LivePhotoError.self) { try PairContainer(root.appending("nothing")) }
    }

    @Test func `an archive cut off or changed anywhere is read or refused`() throws {
        let archive = SampleArchive([.init("a.jpg", Array("photo".utf8)), .init("a.mov", Array("movie".utf8))]).bytes
        var refused = 0
        for index in stride(from: 0, to: archive.count, by: 3) {
            var changed = archive
            changed[index] ^= 0xFF
            for bytes in [changed, Array(archive[..<index])] {
                if (try? takeApart(write(bytes, "a.zip"))) == nil { refused += 1 }
            }
        }
        #expect((archive.count / 3..<archive.count * 2 / 3).contains(refused))
    }
}
