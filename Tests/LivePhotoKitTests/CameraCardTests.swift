import Bytes
import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

/// The copies of `pack --as dcim`.
@Suite struct CameraCardTests {
    private let temporary: TemporaryFolder
    private var card: FilePath { temporary.path.appending("card") }

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// Makes a pair, whose number makes its photo differ from others.
    private func pair(_ number: UInt8, in folder: String = "pairs") throws -> (photo: FilePath, movie: FilePath) {
        let folder = temporary.path.appending(folder).appending("\(number)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        var pair = try SamplePair()
        pair.photo += [number]
        try pair.write(below: folder)
        return (folder.appending(pair.photoName), folder.appending(pair.movieName))
    }

    /// Makes empty files, or folders, whose names end with a slash.
    private func fill(_ names: [String]) throws {
        for name in names {
            let path = card.appending(name)
            let folder = name.hasSuffix("/") ? path : path.removingLastComponent()
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            if !name.hasSuffix("/") { try Data().write(to: URL(filePath: path.string)) }
        }
    }

    @Test(
        arguments: [
            ([], "DCIM/100APPLE/IMG_0001"), (["DCIM/"], "DCIM/100APPLE/IMG_0001"),
            (["DCIM/100APPLE/IMG_0007.HEIC", "DCIM/100APPLE/IMG_0003.MOV"], "DCIM/100APPLE/IMG_0008"),
            (["dcim/100apple/img_0007.jpg"], "dcim/100apple/IMG_0008"),
            (["DCIM/100APPLE/IMG_0007.AAE", "DCIM/101APPLE/"], "DCIM/101APPLE/IMG_0008"),
            (["DCIM/100CANON/MVI_0123.MP4"], "DCIM/101APPLE/IMG_0124"),
            (["DCIM/100APPLE/IMG_0900.JPG", "DCIM/101APPLE/IMG_0012.JPG"], "DCIM/101APPLE/IMG_0901"),
            (["DCIM/100APPLE/IMG_9999.JPG"], "DCIM/101APPLE/IMG_0001"),
            (["DCIM/100APPLE/IMG_9999.JPG", "DCIM/101APPLE/IMG_0004.JPG"], "DCIM/101APPLE/IMG_0005"),
            (["DCIM/100APPLE/IMG_9999.JPG", "DCIM/101_PANA/P1010004.JPG"], "DCIM/102APPLE/IMG_0001"),
            (["DCIM/100APPLE/IMG_12.JPG", "DCIM/100APPLE/IMG_00010.JPG", "DCIM/99APPLE/"], "DCIM/100APPLE/IMG_0001"),
            (["DCIM/.Trashes/IMG_0050.JPG", "DCIM/MISC/IMG_0051.JPG", "DCIM/100APPLE.txt"], "DCIM/100APPLE/IMG_0001"),
        ] as [([String], String)])
    func `a pair gets the number after those that the card has, in the last folder or a new one`(
        names: [String], expected: String
    ) throws {
        try fill(names)
        let pair = try pair(1)
        var transfer = PairTransfer()
        transfer.isDryRun = true
        let before = temporary.contents
        let planned = transfer.copy(photo: pair.photo, movie: pair.movie, toCard: card)
        #expect(planned.state == .planned && temporary.contents == before)
        let made = PairTransfer().copy(photo: pair.photo, movie: pair.movie, toCard: card)
        #expect(made.state == .made && made.outputs == planned.outputs)
        #expect(made.outputs == [card.appending("\(expected).JPG"), card.appending("\(expected).MOV")])
        #expect(
            Set(before).isSubset(of: temporary.contents) && !temporary.contents.contains { $0.contains(".livephoto-") })
        #expect(try LivePhotoVerifier().verify(photo: made.outputs[0], movie: made.outputs[1]).isGood)
        for (copy, original) in zip(made.outputs, [pair.photo, pair.movie]) {
            #expect(try FilePieces(InputFile(original)).areContent(of: InputFile(copy)))
        }
    }

    @Test func `all pairs of a folder are copied once, with numbers in the order of their names`() async throws {
        for number in 1...3 as ClosedRange<UInt8> { _ = try pair(number) }
        try fill(["DCIM/100APPLE/IMG_9998.JPG"])
        func copied() async throws -> [PairTransfer.Outcome] {
            var outcomes: [PairTransfer.Outcome] = []
            try await PairTransfer(width: 3).copy(below: [temporary.path.appending("pairs")], toCard: card) {
                outcomes.append($0)
            }
            return outcomes
        }
        let first = try await copied()
        #expect(first.map(\.state) == [.made, .made, .made])
        let names = first.map { $0.outputs[0].string.suffix(22) }
        #expect(names == ["/100APPLE/IMG_9999.JPG", "/101APPLE/IMG_0001.JPG", "/101APPLE/IMG_0002.JPG"])
        _ = try pair(4)
        // The same pair in another folder.
        try FileManager.default.copyItem(
            atPath: temporary.path.appending("pairs/4").string, toPath: temporary.path.appending("pairs/5").string)
        let second = try await copied()
        #expect(second.map(\.state) == [.present, .present, .present, .made, .present])
        #expect(second[4].outputs == second[3].outputs)
        #expect(second[1].outputs == first[1].outputs && second[3].outputs[0].stem == "IMG_0003")
    }

    @Test func `a full card, a file in the way and what is no pair are errors, and nothing is written`() throws {
        let pair = try pair(1)
        let other = try self.pair(2)
        try fill(["DCIM/999APPLE/IMG_9999.JPG"])
        let before = temporary.contents
        for (photo, movie, reason) in [
            (pair.photo, pair.movie, "has no free number for another folder; give an empty card"),
            (pair.photo, pair.photo, "is not a Live Photo with"),
        ] {
            guard case .failed(let error) = PairTransfer().copy(photo: photo, movie: movie, toCard: card).state else {
                Issue.record("copied")
                continue
            }
            #expect(error.reason.hasPrefix(reason), "\(error)")
        }
        #expect(temporary.contents == before)
        let file = temporary.path.appending("file")
        try Data().write(to: URL(filePath: file.string))
        guard case .failed = PairTransfer().copy(photo: other.photo, movie: other.movie, toCard: file).state else {
            Issue.record("copied")
            return
        }
    }
}
