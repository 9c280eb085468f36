import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct MovieReaderTests {
    private let folder: TemporaryFolder
    /// The parts of a written movie.
    private let start: [UInt8]
    private let media: [UInt8]
    private let movie: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        let file = try TestMovie().write(in: folder)
        let places = try MovieReader(file).boxes
        func part(_ range: Range<Int>) throws -> [UInt8] {
            try range.flatMap {
                try file.bytes(at: places[$0].offset, count: places[$0].range.count)
            }
        }
        start = try part(0..<1)
        media = try part(1..<3)
        movie = try part(3..<4)
    }

    /// The short way to the identifier has to agree with the long one on every movie.
    private func read(_ bytes: [UInt8]) throws -> MovieReader {
        let file = try folder.file(bytes)
        let reader = try MovieReader(file)
        #expect(try MovieReader.contentIdentifier(of: file) == reader.contentIdentifier)
        return reader
    }

    @Test func `a movie without ftyp is read`() throws {
        let reader = try read(media + movie)
        #expect(reader.fileType == nil)
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
    }

    @Test func `moov before the media is read`() throws {
        let reader = try read(start + movie + media)
        #expect(reader.boxes.map(\.type) == ["ftyp", "moov", "wide", "mdat"])
        #expect(reader.tracks.count == 2)
    }

    @Test(arguments: [
        "", "00", "00000000", "0000000000000000000000", "ffffffff 'junk' 00", "00000004 'junk'", "'SEFT'",
    ])
    func `what follows moov and is no box is tolerated`(end: String) throws {
        #expect(try read(start + media + movie + hex(end)).tracks.count == 2)
    }

    @Test func `a last box of size 0 reaches to the end of the file`() throws {
        let open = [0, 0, 0, 0] + movie.dropFirst(4)
        #expect(try read(start + media + open).tracks.count == 2)
        let reader = try read(start + movie + hex("00000000 'mdat' 0102"))
        #expect(reader.boxes.last?.payloadSize == 2)
    }

    @Test func `boxes of 64-bit size are read`() throws {
        let long =
            hex("00000001 'moov' 00000000")
            + [UInt8](0..<4).map { UInt8(truncatingIfNeeded: (movie.count + 8) >> (24 - 8 * Int($0))) }
        #expect(try read(start + media + long + movie.dropFirst(8)).tracks.count == 2)
    }

    @Test func `media that the file cuts off is told, and its sample is an error`() throws {
        var moved = try readBox(MovieBox.self, movie)
        for index in moved.tracks.indices {
            moved.tracks[index].media.information.sampleTable.chunkOffsets.offsets[0] += UInt64(movie.count)
        }
        let reader = try read(start + bytes(of: moved) + media.dropLast(30))
        #expect(reader.boxes.map(\.isCutOff) == [false, false, false, true])
        let last = try #require(Array(try reader.tracks[0].samples()).last)
        let error = #expect(throws: ParseError.self) { try reader.bytes(of: last) }
        #expect(error?.code == .truncated)
    }

    @Test(arguments: [
        ("", ParseError.Code.missing), ("00000008 'mdat'", .missing), ("ffd8ffe0 00104a46", .missing),
        ("00000010 'moov'", .truncated), ("00000008 'moov'", .missing), ("0000000c 'moov' 00000001", .truncated),
    ])
    func `what is no movie is an error`(bytes: String, code: ParseError.Code) {
        let error = #expect(throws: ParseError.self) { try read(hex(bytes)) }
        #expect(error?.code == code)
    }

    @Test func `every cut of a movie is an error or a movie`() throws {
        let whole = start + media + movie
        for count in stride(from: 0, to: whole.count, by: 7) {
            guard let reader = try? read(Array(whole.prefix(count))) else { continue }
            Issue.record("moov is last, yet \(reader.tracks.count) tracks were read of \(count) bytes")
        }
    }

    @Test func `a track of another kind is told by its handler`() throws {
        let file = try TestMovie().write(in: folder, "other")
        let reader = try MovieReader(
            TestMovie.changing(file, in: folder) { $0.tracks[0].media.handler.subtype = "tmcd" })
        #expect(reader.tracks.map(\.kind) == [.other("tmcd"), .metadata])
    }

    @Test func `a movie without a still image time has none`() throws {
        let file = try TestMovie().write(in: folder, "plain")
        let reader = try MovieReader(
            TestMovie.changing(file, in: folder) { movie in
                movie.tracks.removeLast()
                movie.metadata = nil
            })
        #expect(try reader.stillImageTime() == nil)
        #expect(reader.contentIdentifier == nil)
        #expect(reader.metadata.isEmpty)
    }

    struct EditCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var edits: [EditListBox.Entry]?
        /// Of the five frames in order of presentation, whose media times are 40, 80, 120, 160 and 200.
        var times: [Int64]
        var shown: [Bool]
    }

    @Test(arguments: [
        EditCase(
            testDescription: "none", edits: nil, times: [40, 80, 120, 160, 200], shown: [true, true, true, true, true]),
        EditCase(
            testDescription: "a cut at both ends", edits: [.init(duration: 80, mediaTime: 90)],
            times: [-50, -10, 30, 70, 110], shown: [false, true, true, true, false]),
        EditCase(
            testDescription: "two delays before a cut",
            edits: [
                .init(duration: 10, mediaTime: nil), .init(duration: 20, mediaTime: nil),
                .init(duration: 200, mediaTime: 80), .init(duration: 5, mediaTime: 0),
            ],
            times: [-10, 30, 70, 110, 150], shown: [false, true, true, true, true]),
        EditCase(
            testDescription: "an edit of length 0, to the end", edits: [.init(duration: 0, mediaTime: 40)],
            times: [0, 40, 80, 120, 160], shown: [true, true, true, true, true]),
        EditCase(
            testDescription: "nothing but a delay", edits: [.init(duration: 40, mediaTime: nil)],
            times: [80, 120, 160, 200, 240], shown: [false, false, false, false, false]),
    ])
    func `the edit list puts the media onto the movie's timeline`(_ test: EditCase) throws {
        let file = try TestMovie().write(in: folder, "edited")
        let reader = try MovieReader(
            TestMovie.changing(file, in: folder) {
                $0.tracks[0].edit = test.edits.map { EditBox(EditListBox(entries: $0)) }
            })
        let samples = try reader.tracks[0].samples().sorted { $0.presentationTime < $1.presentationTime }
        #expect(samples.map(\.presentationTime) == test.times.map(TestMovie.ticks))
        #expect(samples.map(\.isShown) == test.shown)
    }
}
