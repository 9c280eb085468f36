import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Many Live Photos in one archive.
@Suite struct PairArchiveTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }

    init() throws { temporary = try TemporaryFolder() }

    private func addPair(_ name: String) throws {
        var pair = try SamplePair()
        (pair.photoName, pair.movieName) = ("\(name).JPG", "\(name).MOV")
        try pair.write(below: root)
    }

    private func packAll(
        _ target: String = "out/all.pvt.zip", replacing: Bool = false, isDryRun: Bool = false
    ) async throws -> [String] {
        var transfer = PairTransfer(width: 2)
        (transfer.replacesExisting, transfer.isDryRun) = (replacing, isDryRun)
        var outcomes: [String] = []
        try await transfer.packTogether(below: [root.appending("in")], to: root.appending(target)) { outcome in
            outcomes.append("\(outcome.photo?.lastComponent?.string ?? "-"): \(outcome.state.word)")
        }
        return outcomes
    }

    @Test
    func `everything that goes into one archive comes out byte for byte, and a second time there is nothing to do`()
        async throws
    {
        for name in ["in/a", "in/b/a", "in/b/A", "in/ü 1"] { try addPair(name) }
        #expect(
            try await packAll(isDryRun: true) == [
                "a.JPG: planned", "A.JPG: planned", "a.JPG: planned", "ü 1.JPG: planned",
            ])
        #expect(try await packAll() == ["a.JPG: made", "A.JPG: made", "a.JPG: made", "ü 1.JPG: made"])
        let archive = try TreeSnapshot(root.appending("out"))
        #expect(try await packAll() == ["a.JPG: present", "A.JPG: present", "a.JPG: present", "ü 1.JPG: present"])
        #expect(try TreeSnapshot(root.appending("out")) == archive)
        var states: [PairTransfer.Outcome.State] = []
        try await PairTransfer(width: 2).extract([root.appending("out/all.pvt.zip")], to: root.appending("back")) {
            states.append($0.state)
        }
        #expect(states == [.made, .made, .made, .made])
        // Names in it are different also where case does not count.
        for (name, source) in [("a", "in/a"), ("A 2", "in/b/A"), ("a 3", "in/b/a"), ("ü 1", "in/ü 1")] {
            for kind in ["JPG", "MOV"] {
                let back = try InputFile(root.appending("back/\(name).\(kind)")).contents(limit: 1 << 24)
                #expect(
                    back == (try InputFile(root.appending("\(source).\(kind)")).contents(limit: 1 << 24)),
                    "\(name).\(kind)")
            }
        }
    }

    /// As writers do that always use ZIP64, and put another field first.
    @Test func `an archive whose sizes are all in fields of 64 bits is read`() async throws {
        try addPair("in/a")
        _ = try await packAll()
        let path = root.appending("out/all.pvt.zip")
        let old = try InputFile(path).contents(limit: 1 << 24)
        let end = try #require(old.indices.last { old[$0...].starts(with: hex("504b0506")) })
        func number(_ place: Int, _ count: Int) -> Int {
            old[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let start = number(end + 16, 4)
        var directory: [UInt8] = []
        var place = start
        while place < end {
            let (name, extra) = (number(place + 28, 2), number(place + 30, 2))
            let other = hex("5554 0500 01 00000000")
            let large = hex("0100 1000") + little(number(place + 24, 4), 8) + little(number(place + 20, 4), 8)
            directory += old[place..<place + 20] + hex("ffffffff ffffffff") + old[place + 28..<place + 30]
            directory += little(other.count + large.count + extra, 2) + old[place + 32..<place + 46 + name]
            directory += other + large + old[place + 46 + name..<place + 46 + name + extra]
            place += 46 + name + extra + number(place + 32, 2)
        }
        let new = old[..<start] + directory + old[end..<end + 12] + little(directory.count) + old[(end + 16)...]
        try Data(new).write(to: URL(fileURLWithPath: path.string))
        var states: [PairTransfer.Outcome.State] = []
        try await PairTransfer(width: 2).extract([path], to: root.appending("back")) { states.append($0.state) }
        #expect(states == [.made])
    }

    @Test func `an archive that would differ replaces another file only if asked`() async throws {
        try addPair("in/a")
        _ = try await packAll()
        try addPair("in/b")
        await #expect { try await packAll() } throws: { ($0 as? LivePhotoError)?.code == .outputExists }
        #expect(try await packAll(replacing: true) == ["a.JPG: made", "b.JPG: made"])
    }

    @Test func `a photo and a movie that are no pair do not keep the others out`() async throws {
        for name in ["in/a", "b"] { try addPair(name) }
        try LivePhotoLinker().unlink(
            photo: root.appending("b.JPG"), movie: root.appending("b.MOV"),
            to: .directory(root.appending("in"), replacesExisting: false))
        #expect(try await packAll().sorted() == ["a.JPG: made", "b.JPG: failed unusableMedia"])
    }

    private struct Large {
        let name: String
        let sizes: [Int]
        let isZIP64: Bool
    }

    private static let gigabyte = 1 << 30
    private static let large: [Large] = [
        Large(name: "small", sizes: [10, 20], isZIP64: false),
        Large(name: "just below 4 GB", sizes: [4 * gigabyte - 1000], isZIP64: false),
        Large(name: "beyond 4 GB", sizes: [3 * gigabyte, 3 * gigabyte, 5], isZIP64: true),
        Large(name: "twice beyond 4 GB", sizes: [3 * gigabyte, 3 * gigabyte, 3 * gigabyte, 7], isZIP64: true),
        Large(name: "many files", sizes: Array(repeating: 0, count: 70_000), isZIP64: true),
    ]

    /// Files of zeros, which take no space on the disk.
    @Test func `archives of any size are read again, by us and by Info-ZIP`() throws {
        for item in Self.large {
            let layout = try ZipLayout(
                item.sizes.enumerated().map { .init(name: FileText("f\($0.offset)"), size: $0.element) })
            let path = root.appending("large.zip")
            let file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .truncate], permissions: [.ownerReadWrite])
            for index in item.sizes.indices {
                let header = layout.header(of: index, checksum: 0)
                _ = try file.writeAll(
                    toAbsoluteOffset: Int64(layout.place(of: index).lowerBound - header.count), header)
            }
            let end = layout.end(checksums: item.sizes.map { _ in 0 })
            #expect(end.count == layout.endSize, "\(item.name)")
            _ = try file.writeAll(toAbsoluteOffset: Int64(layout.count - end.count), end)
            try file.close()
            #expect(end.contains([0x50, 0x4B, 0x06, 0x06]) == item.isZIP64, "\(item.name)")
            let entries = try ZipDirectory(InputFile(path)).entries
            #expect(entries.map(\.size) == item.sizes, "\(item.name)")
            let archive = try InputFile(path)
            for index in [0, item.sizes.count - 1] {
                #expect(try entries[index].dataRange(in: archive) == layout.place(of: index), "\(item.name)")
            }
            let listed = try Program.system("zipinfo", ["-1", path.string])
            #expect(
                listed.status == 0 && listed.output.split(separator: "\n").count == item.sizes.count, "\(item.name)")
        }
        #expect(throws: ParseError.self) { try ZipLayout([.init(name: "a", size: 4 * Self.gigabyte)]) }
    }
}
