import Bytes
import Foundation
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct MovieFragmentTests {
    private let folder: TemporaryFolder
    private let movie: MovieBox

    init() throws {
        folder = try TemporaryFolder()
        var movie = try MovieReader(TestMovie().write(in: folder)).movie
        movie.tracks[0].edit = nil
        // 20 ticks, 100 bytes and "no sync sample" by default.
        movie.others = [
            OpaqueBox(
                type: "mvex",
                payload: hex("00000020 'trex' 00000000 00000001 00000001 00000014 00000064 00010000"))
        ]
        self.movie = movie
    }

    /// A file of `moov`, whose first track has samples of its own or none, and the boxes given.
    private func reader(_ boxes: [UInt8], keepsSamples: Bool = false) throws -> MovieReader {
        var movie = movie
        if !keepsSamples {
            movie.tracks[0].media.information.sampleTable.sampleSizes.sizes = .each([])
        }
        return try MovieReader(folder.file(bytes(of: movie) + boxes + [UInt8](repeating: 0, count: 4096)))
    }

    /// One fragment with `traf` of these payloads.
    private func fragment(_ tracks: String...) -> [UInt8] {
        box("moof", hex("00000010 'mfhd' 00000000 00000001") + tracks.flatMap { box("traf", hex($0)) })
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var track: String
        /// From the first byte of the fragment; where its base is that.
        var offsets: [Int]
        var sizes: [Int]
        /// In order of decoding, in ticks.
        var times: [Int64]
        var sync: [Bool]
    }

    @Test(arguments: [
        Case(
            testDescription: "nothing but a count",
            track: "00000010 'tfhd' 00020000 00000001  00000014 'trun' 00000001 00000003 00000040",
            offsets: [64, 164, 264], sizes: [100, 100, 100], times: [0, 20, 40], sync: [false, false, false]),
        Case(
            testDescription: "a first sample with other flags, a decode time of 64 bits",
            track: """
                00000010 'tfhd' 00020000 00000001  00000014 'tfdt' 01000000 00000000 00000258
                00000018 'trun' 00000005 00000002 00000040 02000000
                """,
            offsets: [64, 164], sizes: [100, 100], times: [600, 620], sync: [true, false]),
        Case(
            testDescription: "all fields, with offsets of both signs",
            track: """
                00000010 'tfhd' 00020000 00000001  00000010 'tfdt' 00000000 00000028
                00000034 'trun' 01000f01 00000002 00000080
                  0000000a 00000001 00000000 0000001e  00000005 00000002 00010000 fffffff6
                """,
            offsets: [128, 129], sizes: [1, 2], times: [70, 40], sync: [true, false]),
        Case(
            testDescription: "defaults of the fragment",
            track: """
                0000001c 'tfhd' 00020038 00000001 00000005 00000007 00000000
                00000014 'trun' 00000001 00000002 00000040
                """,
            offsets: [64, 71], sizes: [7, 7], times: [0, 5], sync: [true, true]),
        Case(
            testDescription: "two runs, the second where the first ends",
            track: """
                00000010 'tfhd' 00020000 00000001  00000014 'trun' 00000001 00000001 00000040
                00000018 'trun' 00000200 00000002 00000003 00000004
                """,
            offsets: [64, 164, 167], sizes: [100, 3, 4], times: [0, 20, 40], sync: [false, false, false]),
        Case(
            testDescription: "no base said: that of the fragment",
            track: "00000014 'tfhd' 00000002 00000001 00000001  00000014 'trun' 00000001 00000001 00000040",
            offsets: [64], sizes: [100], times: [0], sync: [false]),
        Case(
            testDescription: "an empty run",
            track: "00000010 'tfhd' 00020000 00000001  00000010 'trun' 00000000 00000000",
            offsets: [], sizes: [], times: [], sync: []),
        Case(
            testDescription: "another track's",
            track: "00000010 'tfhd' 00020000 00000009  00000014 'trun' 00000001 00000003 00000040",
            offsets: [], sizes: [], times: [], sync: []),
    ])
    func `samples of a fragment`(_ test: Case) throws {
        let reader = try reader(fragment(test.track))
        #expect(reader.isFragmented)
        let start = try #require(reader.boxes.first { $0.type == "moof" }).offset
        let sequence = try reader.tracks[0].samples()
        let samples = Array(sequence)
        #expect(sequence.count == samples.count)
        #expect(samples.map { $0.offset - start } == test.offsets)
        #expect(samples.map(\.size) == test.sizes)
        #expect(samples.map(\.presentationTime) == test.times.map(TestMovie.ticks))
        #expect(samples.map(\.isSync) == test.sync)
        #expect(samples.map(\.index) == Array(samples.indices))
    }

    @Test func `fragments follow on the samples of moov, and on each other`() throws {
        let part = fragment("00000010 'tfhd' 00020000 00000001  00000014 'trun' 00000001 00000002 00000040")
        let reader = try reader(part + part, keepsSamples: true)
        let samples = Array(try reader.tracks[0].samples())
        #expect(samples.map(\.decodeTime.value) == [0, 40, 80, 120, 160, 200, 220, 240, 260])
        var iterator = try reader.tracks[0].samples().makeIterator()
        for _ in samples { _ = iterator.next() }
        #expect(iterator.next() == nil && iterator.next() == nil)
    }

    @Test func `without a base, data of the next track begin where those of the one before end`() throws {
        let reader = try reader(
            fragment(
                "00000010 'tfhd' 00000000 00000001  00000014 'trun' 00000001 00000002 00000040",
                "00000018 'tfhd' 00000018 00000002 00000001 00000009  00000010 'trun' 00000000 00000001"))
        let first = Array(try reader.tracks[0].samples())
        let second = try #require(Array(try reader.tracks[1].samples()).last)
        #expect(second.offset == first[1].offset + first[1].size && second.size == 9)
    }

    @Test func `a base that is said is counted from the start of the file`() throws {
        let reader = try reader(
            fragment("00000018 'tfhd' 00000001 00000001 0000000000000010  00000014 'trun' 00000001 00000001 00000005"))
        #expect(try reader.tracks[0].samples().map(\.offset) == [21])
    }

    @Test func `a movie without fragments is not fragmented, one that announces them is`() throws {
        #expect(try !MovieReader(TestMovie().write(in: folder, "plain")).isFragmented)
        #expect(try reader([]).isFragmented)
    }

    @Test func `a fragment that the file cuts off is left out`() throws {
        let part = fragment("00000010 'tfhd' 00020000 00000001  00000014 'trun' 00000001 00000002 00000040")
        let bytes = bytes(of: movie) + part
        let whole = try MovieReader(folder.file(bytes)).tracks[0].samples().count
        #expect(whole == 7)
        #expect(try MovieReader(folder.file(bytes.dropLast(1))).tracks[0].samples().count == 5)
    }

    @Test(arguments: [
        ("more samples than the file has bytes", "'trun' 00000000 ffffffff", ParseError.Code.overLimit),
        ("a table cut off", "'trun' 00000100 00000002 00000001", .overLimit),
        ("a base before the file", "'trun' 00000001 00000001 80000000", .overLimit),
        ("a later version", "'trun' 02000000 00000001", .unsupported),
        ("a header cut off", "'tfhd' 00000001 00000001", .truncated),
        ("a base beyond any file", "'tfhd' 00000001 00000001 ffffffffffffffff", .overLimit),
        ("a decode time beyond any", "'tfdt' 01000000 ffffffffffffffff", .overLimit),
    ])
    func `a fragment that claims too much is an error of its samples`(
        name: String, child: String, code: ParseError.Code
    ) throws {
        let payload = hex(child)
        let type = FourCC(rawValue: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        let good = hex("00000010 'tfhd' 00020000 00000001")
        let reader = try reader(box("moof", box("traf", good + box(type, Array(payload.dropFirst(4))))))
        let error = #expect(throws: ParseError.self) { try reader.tracks[0].samples() }
        #expect(error?.code == code)
    }

    @Test func `a sum of offsets beyond any file is an error`() throws {
        // A file of 1 GiB, all but the first of which is a hole, may have as many samples.
        let part = fragment(
            "0000001c 'tfhd' 00000011 00000001 3fffffffffffffff ffffffff  00000010 'trun' 00000000 40000000",
            "00000010 'tfhd' 00000000 00000001  00000014 'trun' 00000001 00000001 7fffffff")
        let file = folder.url.appending(path: "large.mov")
        try Data(bytes(of: movie) + part).write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: 0x4100_0000)
        let reader = try MovieReader(InputFile(FilePath(file.path)))
        let error = #expect(throws: ParseError.self) { try reader.tracks[0].samples() }
        #expect(error?.code == .overLimit)
    }

    @Test func `times of centuries are an error`() throws {
        let reader = try reader(
            fragment(
                """
                00000014 'tfhd' 00020008 00000001 ffffffff  00000014 'tfdt' 01000000 7fffffff fffffff0
                00000014 'trun' 00000001 00000002 00000040
                """))
        let error = #expect(throws: ParseError.self) { try reader.tracks[0].samples() }
        #expect(error?.code == .overLimit)
    }

    @Test(.seeded) func `any bytes changed in a fragment are an error or other samples`() throws {
        var random = SeededGenerator()
        let start = bytes(of: movie)
        let part = fragment(
            """
            0000001c 'tfhd' 00020038 00000001 00000005 00000007 00000000  00000010 'tfdt' 00000000 00000028
            00000034 'trun' 01000f01 00000002 00000080
              0000000a 00000001 00000000 0000001e  00000005 00000002 00010000 fffffff6
            """)
        for round in 0..<150 {
            var bytes = start + part + part
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: start.count..<bytes.count, using: &random)
                bytes[place] = [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            guard let samples = try? MovieReader(folder.file(bytes)).tracks[0].samples() else { continue }
            #expect(samples.reduce(0) { count, _ in count + 1 } == samples.count, "round \(round)")
        }
    }
}
