import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct FrameTimesTests {
    private let folder: TemporaryFolder
    private let file: InputFile

    init() throws {
        folder = try TemporaryFolder()
        file = try TestMovie().write(in: folder)
    }

    private func reader(_ change: (inout TrackBox) -> Void) throws -> MovieReader {
        try MovieReader(TestMovie.changing(file, in: folder) { change(&$0.tracks[0]) })
    }

    @Test func `frames are listed in the order in which they are shown`() throws {
        let frames = try reader { _ in }.tracks[0].frameTimes()
        #expect(frames.times == [0, 40, 80, 120, 160].map(TestMovie.ticks))
        #expect(frames.count == 5 && frames.end == TestMovie.ticks(200))
        #expect(frames.nominalRate == FrameRate(15))
    }

    @Test(arguments: [(-1, nil), (0, 0), (39, 0), (40, 1), (199, 4), (200, nil)] as [(Int64, Int?)])
    func `a time has the frame shown then`(ticks: Int64, index: Int?) throws {
        #expect(try reader { _ in }.tracks[0].frameTimes().index(at: TestMovie.ticks(ticks)) == index)
    }

    @Test func `frames that the edit list cuts off do not count`() throws {
        let frames = try reader { $0.edit = EditBox(EditListBox(entries: [.init(duration: 80, mediaTime: 90)])) }
            .tracks[0].frameTimes()
        #expect(frames.times == [-10, 30, 70].map(TestMovie.ticks))
        #expect(frames.index(at: .zero) == 0)
    }

    /// Edits as durations and media times in ticks, and the end; the media lasts 200 ticks from the media time 40 on.
    @Test(
        arguments: [
            ([(190, 40)], 190), ([(300, 40)], 200), ([(30, nil), (190, 40)], 220),
            ([(20, nil), (10, nil), (190, 40)], 220),
            ([(100, 40), (95, 140)], 195), ([(100, 40), (60, 140), (300, 200)], 200), ([(100, 40), (50, 160)], 150),
            ([(100, 40), (50, nil), (40, 140)], 190), ([(190, 40), (60, nil)], 190), ([(0, 40)], 200), ([], 240),
        ] as [([(UInt64, Int64?)], Int64)])
    func `the picture ends where the edit list ends, or the media before that`(
        edits: [(UInt64, Int64?)], end: Int64
    ) throws {
        let frames = try reader {
            let entries = edits.map { EditListBox.Entry(duration: $0.0, mediaTime: $0.1) }
            $0.edit = entries.isEmpty ? nil : EditBox(EditListBox(entries: entries))
        }.tracks[0].frameTimes()
        #expect(frames.end == TestMovie.ticks(end))
    }

    @Test(arguments: [190, 195, 200]) func `a last sample that is long does not lengthen the picture`(shown: UInt64)
        throws
    {
        let frames = try reader {
            let run = $0.media.information.sampleTable.timeToSample.entries[0]
            var (others, last) = (run, run)
            others.count -= 1
            (last.count, last.duration) = (1, 500)
            $0.media.information.sampleTable.timeToSample.entries = [others, last]
            $0.edit = EditBox(EditListBox(entries: [.init(duration: shown, mediaTime: 40)]))
        }.tracks[0].frameTimes()
        #expect(frames.end == TestMovie.ticks(Int64(shown)))
    }

    @Test func `the rate is the average, the gap the longest`() throws {
        let frames = try reader {
            $0.media.information.sampleTable.compositionOffsets = nil
            let run = $0.media.information.sampleTable.timeToSample.entries[0]
            var (short, long) = (run, run)
            (short.count, short.duration) = (3, 20)
            (long.count, long.duration) = (2, 41)
            $0.media.information.sampleTable.timeToSample.entries = [short, long]
            $0.edit = nil
        }.tracks[0].frameTimes()
        #expect(frames.times == [0, 20, 40, 60, 101].map(TestMovie.ticks))
        #expect(frames.nominalRate == FrameRate(3000, 142))
    }

    @Test func `no frames have no times`() throws {
        let frames = try reader { $0.media.information.sampleTable.sampleSizes.sizes = .each([]) }
            .tracks[0].frameTimes()
        #expect(frames.count == 0 && frames.end == nil && frames.nominalRate == nil)
        #expect(frames.index(at: .zero) == nil)
    }

    @Test func `more frames than a clip has are an error`() throws {
        let bytes = 5 << 20
        var movie = try MovieReader(file).movie
        movie.tracks[0].media.information.sampleTable.sampleSizes.sizes = .uniform(size: 1, count: UInt32(bytes))
        movie.tracks[0].media.information.sampleTable.timeToSample.entries[0].count = .max
        movie.tracks[0].media.information.sampleTable.sampleToChunk.entries[0].samplesPerChunk = .max
        let large = try folder.file(QuickTimeTests.bytes(of: movie) + [UInt8](repeating: 0, count: bytes))
        let error = #expect(throws: ParseError.self) { try MovieReader(large).tracks[0].frameTimes() }
        #expect(error?.code == .overLimit)
    }

    struct PlaceCase: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout SampleTableBox, _ media: BoxLocation, _ movie: BoxLocation) -> Void
        var index: Int?
        var place: MisplacedSample.Place?

        init(
            _ testDescription: String, _ index: Int? = nil, _ place: MisplacedSample.Place? = nil,
            _ change: @escaping @Sendable (inout SampleTableBox, _ media: BoxLocation, _ movie: BoxLocation) -> Void
        ) {
            (self.testDescription, self.change, self.index, self.place) = (testDescription, change, index, place)
        }
    }

    @Test(arguments: [
        PlaceCase("as written") { _, _, _ in },
        PlaceCase("a chunk in moov", 0, .inside("moov")) { table, _, movie in
            table.chunkOffsets.offsets[0] = UInt64(movie.payload.lowerBound)
        },
        PlaceCase("a chunk in ftyp", 0, .inside("ftyp")) { table, _, _ in table.chunkOffsets.offsets[0] = 8 },
        PlaceCase("a chunk in a header", 0, .betweenBoxes) { table, media, _ in
            table.chunkOffsets.offsets[0] = UInt64(media.offset)
        },
        PlaceCase("a chunk behind the file", 0, .beyondEndOfFile) { table, _, _ in
            table.chunkOffsets.offsets[0] = 1 << 40
        },
        PlaceCase("a last sample that reaches beyond the media", 4, .betweenBoxes) { table, media, _ in
            if case .each(var sizes) = table.sampleSizes.sizes {
                sizes[4] += 1000
                table.sampleSizes.sizes = .each(sizes)
            }
        },
        PlaceCase("samples of no size, anywhere") { table, _, _ in
            table.sampleSizes.sizes = .each([0, 0, 0, 0, 0])
        },
        PlaceCase("a third chunk of its own, in moov", 2, .inside("moov")) { table, media, movie in
            let first = table.chunkOffsets.offsets[0]
            table.chunkOffsets.offsets = [first, UInt64(movie.payload.lowerBound), first]
            table.sampleToChunk.entries[0].samplesPerChunk = 2
        },
        PlaceCase("uniform samples, the third across the end of the media", 2, .betweenBoxes) { table, media, movie in
            table.chunkOffsets.offsets[0] = UInt64(movie.offset - 20)
            table.sampleSizes.sizes = .uniform(size: 7, count: 5)
        },
    ])
    func `samples that are not in the media are found`(_ test: PlaceCase) throws {
        let places = try MovieReader(file).boxes
        let media = try #require(places.first { $0.type == "mdat" })
        let movie = try #require(places.first { $0.type == "moov" })
        let reader = try reader { test.change(&$0.media.information.sampleTable, media, movie) }
        let found = try reader.firstMisplacedSample(of: reader.tracks[0])
        #expect(found?.index == test.index)
        #expect(found?.place == test.place)
    }

    @Test func `samples in another file are not looked for in this one`() throws {
        let reader = try reader {
            $0.media.information.sampleTable.chunkOffsets.offsets[0] = 1 << 40
            $0.media.information.dataInformation?.references?.entries[0].flags = 0
            $0.media.information.dataInformation?.references?.entries[0].data = [0x2F]
        }
        #expect(try reader.firstMisplacedSample(of: reader.tracks[0]) == nil)
    }
}
