import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Changes in place that are broken off.
@Suite struct InPlaceChangeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let identifier = ContentIdentifier()

    private func link(_ path: FilePath) throws -> MovieEdit {
        try MovieEdit(
            linking: MovieReader(InputFile(path)), contentIdentifier: Self.identifier, stillTime: TestMovie.ticks(80))
    }

    /// The changes up to each place at which they can end: after each, and in the midst of each write.
    private func brokenOff(_ changes: [FileChange]) -> [[FileChange]] {
        changes.indices.flatMap { index -> [[FileChange]] in
            let before = Array(changes[..<index])
            guard case .write(let bytes, let offset) = changes[index] else { return [before] }
            let cuts = Set([1, 4, 8, 30, bytes.count / 2, bytes.count - 1]).filter { (1..<bytes.count).contains($0) }
            // What is no longer than a header is written at once.
            return [before]
                + (bytes.count <= 8 ? [] : cuts.map { before + [.write(Array(bytes.prefix($0)), at: offset)] })
        }
    }

    @Test(arguments: [
        Container(isISO: true), Container(isISO: true, isMovieFirst: true), Container(isMovieFirst: true),
        Container(isISO: true, isMovieFirst: true, isOpenEnded: true), Container(isISO: true, isLong: true),
    ])
    func `the file is the old movie or the new one at any moment, and the next run makes it new`(
        _ container: Container
    ) throws {
        let original = try TestMovie(audioPackets: 12).bytes(in: container, folder: folder) { movie, _ in
            movie.metadata = nil
        }
        let old = try MovieReader(folder.file(original))
        let oldMedia = try media(of: old)
        let changes = try link(old.file.path).changesInPlace()
        #expect(changes.last == .synchronize)
        for part in brokenOff(changes) + [changes] {
            let path = try folder.file(original).path
            try FileChange.apply(part, to: path)
            let reader = try MovieReader(InputFile(path))
            let isNew = reader.contentIdentifier == FileText(Self.identifier.string)
            #expect(isNew == (try reader.stillImageTime() != nil))
            // The last change but the waiting for the disk.
            #expect(isNew == (part.count >= changes.count - 1))
            #expect(isNew || reader.movie == old.movie)
            #expect(try media(of: reader) == oldMedia)

            try FileChange.apply(link(path).changesInPlace(), to: path)
            let next = try MovieReader(InputFile(path))
            #expect(next.contentIdentifier == FileText(Self.identifier.string))
            #expect(try next.stillImageTime()?.time == TestMovie.ticks(80))
            #expect(next.boxes.filter { $0.type == "moov" }.count == 1)
            #expect(next.fileType?.majorBrand == "qt  " && next.tracks.count == 3)
            #expect(try media(of: next) == oldMedia)
            #expect(next.boxes.last?.range.upperBound == next.file.size)
        }
    }

    @Test func `a run leaves no more behind it than its moov and a sample`() throws {
        let original = try TestMovie().bytes(in: Container(), folder: folder)
        let path = try folder.file(original).path
        try FileChange.apply(link(path).changesInPlace(), to: path)
        let linked = try MovieReader(InputFile(path))
        #expect(linked.file.size - original.count == 8 + 17 + bytes(of: linked.movie).count)
        #expect(linked.boxes.map(\.type) == ["ftyp", "mdat", "free", "free", "mdat", "moov"])
    }

    @Test(arguments: [
        (hex("0000"), "the bytes from"), (hex("00000000 00000000"), "the bytes from"),
        (hex("00001000 'mdat' 0102"), "the bytes from"),
        (hex("00000001 'mdat' 7FFFFFFFFFFFFFFF 0102"), "the bytes from"),
    ])
    func `what comes after the boxes is an error, and is kept by a copy`(trailing: [UInt8], sentence: String) throws {
        let original = try TestMovie().bytes(in: Container(), folder: folder)
        let path = try folder.file(original + trailing).path
        let edit = try link(path)
        let error = #expect(throws: MovieEditError.self) { try edit.changesInPlace() }
        #expect(error?.description.hasPrefix(sentence) == true)
        let copy = folder.path.appending("copy")
        try edit.write(to: OutputFile(creating: copy))
        let file = try InputFile(copy)
        #expect(try MovieReader(file).contentIdentifier == FileText(Self.identifier.string))
        if trailing[0] == 0, trailing.count < 9 {
            #expect(try file.bytes(at: file.size - trailing.count, count: trailing.count) == trailing)
        }
    }

    @Test func `a file of more than 4 GB gets 64-bit offsets, and one that says no size is an error`() throws {
        let original = try TestMovie().bytes(in: Container(isMovieFirst: true, isOpenEnded: true), folder: folder)
        let path = try folder.file(original).path
        // A hole, which takes no room on the disk.
        try FileChange.apply([.truncate(to: 5 << 30)], to: path)
        let error = #expect(throws: MovieEditError.self) { try link(path).changesInPlace() }
        #expect(error == .noRoomForSize("mdat"))

        let long = try TestMovie().bytes(in: Container(), folder: folder)
        let end = 5 << 30
        let longPath = try folder.file(long).path
        var gap = ByteWriter()
        gap.integer(UInt32(1))
        gap.fourCC("mdat")
        gap.integer(UInt64(end - long.count))
        try FileChange.apply([.write(gap.bytes, at: long.count), .truncate(to: end)], to: longPath)
        try FileChange.apply(link(longPath).changesInPlace(), to: longPath)
        let after = try MovieReader(InputFile(longPath))
        let still = try #require(try after.stillImageTimeCandidates().first)
        #expect(still.track.box.media.information.sampleTable.chunkOffsets.offsets == [UInt64(end + 16)])
        #expect(still.stillImageTime?.value == [0xFF])
    }
}
