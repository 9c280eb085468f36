import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

/// Files of some kilobytes that make a reader which believes them take gigabytes, or minutes.
@Suite struct MovieTableCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// What the error names; nil where the file is to pass.
        var excess: String?
        var bytes: @Sendable () -> [UInt8]
    }

    private static func fields(_ values: [UInt32]) -> [UInt8] {
        var writer = ByteWriter()
        for value in values { writer.integer(value) }
        return writer.bytes
    }

    /// A movie of one track with these boxes in its `stbl`.
    private static func track(_ handler: FourCC, _ tables: [UInt8]) -> [UInt8] {
        let kind = box("hdlr", fields([0, 0, handler.rawValue, 0, 0, 0]))
        return box("moov", box("trak", box("mdia", kind + box("minf", box("stbl", tables)))))
    }

    private static func sizes(_ size: UInt32, count: UInt32) -> [UInt8] { box("stsz", fields([0, size, count])) }

    private static func durations(_ ticks: UInt32, count: UInt32) -> [UInt8] {
        box("stts", fields([0, 1, count, ticks]))
    }

    private static func edits(_ count: UInt32) -> [UInt8] {
        box("moov", box("trak", box("edts", box("elst", fields([0, count])))))
    }

    private static func tracks(_ count: Int) -> [UInt8] {
        box("moov", (0..<count).flatMap { _ in box("trak", []) })
    }

    private static func keys(_ count: UInt32) -> [UInt8] { box("meta", box("keys", fields([0, count]))) }

    private static func run(_ samples: UInt32) -> [UInt8] {
        box("moof", box("traf", box("trun", fields([0, samples]))))
    }

    static let cases: [Case] = [
        Case(testDescription: "80 million frames of one byte", excess: "samples") {
            track("vide", sizes(1, count: 80_000_000) + durations(1, count: 80_000_000))
        },
        Case(testDescription: "ten hours of PCM") {
            track("soun", sizes(1, count: 1_728_000_000) + durations(1, count: 1_728_000_000))
        },
        Case(testDescription: "80 million packets of sound", excess: "samples") {
            track("soun", sizes(1, count: 80_000_000) + durations(1024, count: 80_000_000))
        },
        Case(testDescription: "compact sizes", excess: "samples") {
            track("vide", box("stz2", fields([0, 4, 80_000_000])))
        },
        Case(testDescription: "ten hours of video") { track("vide", sizes(0, count: 36_000 * 60)) },
        Case(testDescription: "a fragment of 40 million samples", excess: "samples") { run(40_000_000) },
        Case(testDescription: "fragments that have so many together", excess: "samples") {
            (0..<10).flatMap { _ in run(4_000_000) }
        },
        Case(testDescription: "ten hours of fragments") { (0..<3600).flatMap { _ in run(600) } },
        Case(testDescription: "100,000 edits", excess: "edits") { edits(100_000) },
        Case(testDescription: "1,000 edits") { edits(1000) },
        Case(testDescription: "1,000 tracks", excess: "tracks") { tracks(1000) },
        Case(testDescription: "64 tracks") { tracks(64) },
        Case(testDescription: "200,000 metadata keys", excess: "metadata keys") { box("moov", keys(200_000)) },
        Case(testDescription: "keys in a track's user data", excess: "metadata keys") {
            box("moov", box("trak", box("udta", keys(200_000))))
        },
        Case(testDescription: "100,000 items without keys", excess: "metadata keys") {
            let items = box("ilst", (0..<100_000).flatMap { _ in box("----", []) })
            return box("moov", box("udta", box("meta", fields([0]) + box("hdlr", fields([0, 0, 0])) + items)))
        },
        Case(testDescription: "boxes in one another without end") {
            (0..<1000).reduce([]) { inner, _ in box("moov", inner) }
        },
        Case(testDescription: "tables that are cut off") { track("vide", box("stsz", [0, 0])) },
        Case(testDescription: "what is no movie") { Array("RIFF....AVI LIST".utf8) },
    ]

    @Test(arguments: cases) func `tables that claim more than real files do are an error`(_ test: Case) throws {
        let file = try folder.file(test.bytes())
        guard let excess = test.excess else {
            return try MovieTableCheck.check(file)
        }
        let error = #expect(throws: ParseError.self) { try MovieTableCheck.check(file) }
        #expect(error?.code == .overLimit)
        #expect(error?.expected.contains(" \(excess) ") == true)
    }

    @Test func `what this program writes passes`() throws {
        try MovieTableCheck.check(TestMovie(audioPackets: 12).write(in: folder))
    }
}
