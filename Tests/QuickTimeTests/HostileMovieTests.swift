import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Movies that claim what no file of their size holds.
@Suite struct HostileMovieTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The error it has to be; nil for none.
        var code: ParseError.Code?
        var change: @Sendable (inout TrackBox) -> Void

        init(
            _ testDescription: String, _ code: ParseError.Code? = nil,
            _ change: @escaping @Sendable (inout TrackBox) -> Void
        ) {
            self.testDescription = testDescription
            self.code = code
            self.change = change
        }

        init(
            table testDescription: String, _ code: ParseError.Code? = nil,
            _ change: @escaping @Sendable (inout SampleTableBox) -> Void
        ) {
            self.init(testDescription, code) { change(&$0.media.information.sampleTable) }
        }
    }

    @Test(arguments: [
        Case(table: "four billion samples of one byte", .overLimit) {
            $0.sampleSizes.sizes = .uniform(size: 1, count: .max)
        },
        Case(table: "four billion samples of four gigabytes", .overLimit) {
            $0.sampleSizes.sizes = .uniform(size: .max, count: .max)
        },
        Case(table: "samples without durations", .missing) { $0.timeToSample.entries[0].count = 1 },
        Case(table: "no durations at all", .missing) { $0.timeToSample.entries = [] },
        Case("durations of centuries", .overLimit) {
            $0.media.header.timescale = 1
            $0.media.information.sampleTable.timeToSample.entries[0].duration = .max
        },
        Case(table: "chunks too few", .missing) { $0.chunkOffsets.offsets = [] },
        Case(table: "chunks without samples", .missing) { $0.sampleToChunk.entries[0].samplesPerChunk = 0 },
        Case(table: "no runs of chunks", .missing) { $0.sampleToChunk.entries = [] },
        Case(table: "runs that begin with chunk 0", .invalidValue) { $0.sampleToChunk.entries[0].firstChunk = 0 },
        Case(table: "runs that do not ascend", .invalidValue) {
            $0.sampleToChunk.entries.append($0.sampleToChunk.entries[0])
        },
        Case(table: "an offset beyond any file", .overLimit) { $0.chunkOffsets.offsets[0] = .max },
        Case("a timescale of 0", .invalidValue) { $0.media.header.timescale = 0 },
        Case("a timescale of 32 bits", .invalidValue) { $0.media.header.timescale = .max },
        Case("a negative media time", .invalidValue) { $0.edit?.list?.entries[0].mediaTime = -2 },
        Case("a media time of centuries", .overLimit) { $0.edit?.list?.entries[0].mediaTime = .max },
        Case("an edit of centuries", .overLimit) { $0.edit?.list?.entries[0].duration = .max },
        Case("empty edits whose sum overflows", .overLimit) {
            let empty = EditListBox.Entry(duration: .max, mediaTime: nil)
            $0.edit?.list?.entries = [empty, empty]
        },
    ])
    func `a track that claims too much is an error`(_ test: Case) throws {
        let file = try TestMovie().write(in: folder)
        let reader = try MovieReader(TestMovie.changing(file, in: folder) { test.change(&$0.tracks[0]) })
        let error = #expect(throws: ParseError.self) { try reader.tracks[0].samples() }
        #expect(error?.code == test.code)
        #expect(error?.structure.contains("track 1") == true)
    }

    @Test(arguments: [
        Case(table: "a run of four billion durations") { $0.timeToSample.entries[0].count = .max },
        Case(table: "chunks of four billion samples") { $0.sampleToChunk.entries[0].samplesPerChunk = .max },
        Case(table: "runs of nothing") {
            var empty = $0.timeToSample.entries[0]
            empty.count = 0
            $0.timeToSample.entries.insert(contentsOf: Array(repeating: empty, count: 1000), at: 0)
            $0.compositionOffsets?.entries = []
        },
        Case(table: "composition offsets at their limits") {
            $0.compositionOffsets?.entries[0].offset = .min
            $0.compositionOffsets?.entries[1].offset = .max
        },
        Case(table: "sync samples that do not ascend") { $0.syncSamples?.sampleNumbers = [9, 0, 1, .max] },
        Case("the slowest timescale with offsets at their limits") {
            $0.media.header.timescale = 1
            $0.media.information.sampleTable.compositionOffsets?.entries[0].offset = .min
            $0.media.information.sampleTable.compositionOffsets?.entries[1].offset = .max
            $0.edit?.list?.entries = [
                .init(duration: 600 << 29, mediaTime: nil), .init(duration: 1, mediaTime: 1 << 29),
            ]
        },
        Case("the fastest timescale at the limits of time") {
            $0.media.header.timescale = UInt32(Int32.max)
            $0.media.information.sampleTable.compositionOffsets?.entries[0].offset = .min
            $0.edit?.list?.entries = [
                .init(duration: 600 << 29, mediaTime: nil),
                .init(duration: 600 << 29, mediaTime: Int64(Int32.max) << 29),
            ]
        },
    ])
    func `what is only odd is read`(_ test: Case) throws {
        let file = try TestMovie().write(in: folder)
        let reader = try MovieReader(TestMovie.changing(file, in: folder) { test.change(&$0.tracks[0]) })
        #expect(Array(try reader.tracks[0].samples()).count == 5)
    }

    @Test func `a movie timescale of 0 is an error`() throws {
        let file = try TestMovie().write(in: folder)
        let changed = try TestMovie.changing(file, in: folder) { $0.header.timescale = 0 }
        let error = #expect(throws: ParseError.self) { try MovieReader(changed) }
        #expect(error?.code == .invalidValue)
    }

    @Test func `a moov larger than any real one is not read`() throws {
        let path = folder.path.appending("large")
        let output = try OutputFile(creating: path)
        try output.write(hex("10000009 'moov'"))
        // The end of a file that has no bytes on the disk before it.
        try output.synchronize()
        try output.overwrite(at: 0x1000_0008, with: [0])
        let error = #expect(throws: ParseError.self) { try MovieReader(InputFile(path)) }
        #expect(error?.code == .overLimit)
    }

    @Test(.seeded) func `any bytes changed in a movie are an error or another movie`() throws {
        var random = SeededGenerator()
        let file = try TestMovie(audioPackets: 12).write(in: folder)
        let original = try file.contents(limit: 1 << 20)
        let moov = try #require(try MovieReader(file).boxes.last)
        var readable = 0
        for round in 0..<400 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: moov.offset..<bytes.count, using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            guard let reader = try? MovieReader(folder.file(bytes)) else { continue }
            readable += 1
            _ = reader.contentIdentifier
            _ = reader.movie.userData
            _ = reader.movie.unreadableBoxes
            _ = try? reader.stillImageTime()
            for metadata in try reader.stillImageTimeCandidates() {
                _ = metadata.stillImageTime?.otherValues.map(\.content.description)
            }
            for track in reader.tracks {
                _ = try? track.format()
                _ = try? track.frameTimes().index(at: TestMovie.ticks(80))
                _ = try? reader.firstMisplacedSample(of: track)
                guard let samples = try? track.samples() else { continue }
                let count = samples.reduce(0) { count, _ in count + 1 }
                #expect(count == samples.count && count <= bytes.count, "round \(round)")
            }
            let again = try readBox(MovieBox.self, QuickTimeTests.bytes(of: reader.movie))
            #expect(again == reader.movie, "round \(round)")
        }
        #expect(readable > 0)
    }

    @Test func `a movie that another program changes meanwhile is not called damaged`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("changing.MOV")
        let output = try OutputFile(creating: path)
        try output.write(hex("00000010 'moov' 00000008 'free'"))
        let file = try InputFile(path)
        #expect(throws: ParseError.self) { try MovieReader(file) }
        try output.overwrite(at: 16, with: [0])
        #expect(throws: FileChanged.self) { try MovieReader(file) }
    }
}
