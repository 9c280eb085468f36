import Foundation
import TestSupport
import Testing

/// A linked movie says what its colours are, as movies of devices do, also where the file it was made of did not.
@Suite struct LinkedColorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// How the stream was encoded, the colours it declares, and those the linked movie has to declare.
    struct Case: Sendable, CustomTestStringConvertible {
        let encoding: String
        var size = "64x64"
        let tags: String
        /// As H.273 numbers them: primaries, transfer, matrix.
        let expected: [Int]
        var testDescription: String { "\(encoding) \(size) \(tags)" }
    }

    private static let pq = "-vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
    private static let ntsc = "-vf setparams=color_primaries=smpte170m:color_trc=smpte170m:colorspace=smpte170m"

    static let cases = [
        Case(encoding: "libx264 -pix_fmt yuv420p", tags: ntsc, expected: [6, 6, 6]),
        Case(encoding: "libx264 -pix_fmt yuv420p", tags: "", expected: [1, 1, 6]),
        Case(
            encoding: "libx264 -pix_fmt yuv420p", size: "1280x720", tags: "", expected: [1, 1, 1]),
        Case(
            encoding: "libx264 -pix_fmt yuv420p -x264-params cqm=jvt", tags: pq,
            expected: [9, 16, 9]),
        Case(
            encoding: "libx264 -pix_fmt yuv420p -flags +ildct+ilme -aspect 4:3", tags: pq,
            expected: [9, 16, 9]),
        Case(encoding: "libx265 -pix_fmt yuv420p", tags: "", expected: [1, 1, 6]),
        Case(
            encoding: "libx265 -pix_fmt yuv420p10le", tags: pq,
            expected: [9, 16, 9]),
        Case(
            encoding: "libx265 -pix_fmt yuv420p10le -x265-params scaling-list=default:log-level=none:ref=5:bframes=8",
            size: "66x50", tags: pq,
            expected: [9, 16, 9]),
        Case(
            encoding: "libx265 -pix_fmt yuv420p -x265-params temporal-layers=3:log-level=none:b-adapt=0:bframes=3",
            tags: pq,
            expected: [9, 16, 9]),
    ]

    @Test(arguments: sampled(cases, every: 2))
    func `video without colr gets what its stream says, or what players take it for`(
        _ sample: Case
    ) throws {
        let movie = folder.path("movie.mp4")
        let photo = folder.path("photo.jpg")
        let source = "-f lavfi -i testsrc=size=\(sample.size):rate=10:duration=0.6"
        for command in [
            "\(source) -c:v \(sample.encoding) \(sample.tags) -tag:v \(sample.encoding.hasPrefix("libx265") ? "hvc1" : "avc1") "
                + movie,
            "\(source) -frames:v 1 \(photo)",
        ] {
            let words = "-v error -nostdin -y \(command)".split(separator: " ").map(String.init)
            let made = try Program.system("ffmpeg", words)
            try #require(made.status == 0, "\(made.errors)")
        }
        // What ffmpeg says in the file, it says in the stream as well.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: movie))
        while let range = bytes.firstRange(of: Data("colr".utf8)) {
            bytes.replaceSubrange(range, with: Data("free".utf8))
        }
        try bytes.write(to: URL(fileURLWithPath: movie))
        try #require(Reader.tags(movie)["ColorPrimaries"] == nil)
        let linked = try Program.livephoto("link", photo, movie, "--still", "0", "-o", folder.path("live"))
        try #require(linked.status == 0, "\(linked.errors)")
        let tags = try Reader.tags(folder.path("live/photo.MOV"))
        #expect(
            ["ColorPrimaries", "TransferCharacteristics", "MatrixCoefficients"].map { tags[$0] as? Int }
                == sample.expected)
    }
}
