import Foundation
import TestSupport
import Testing

@Suite struct DisplayMatrixTests {
    private static let corners: [RGB] = [
        RGB(0.8, 0.1, 0.1), RGB(0.1, 0.7, 0.1), RGB(0.1, 0.1, 0.8), RGB(0.9, 0.9, 0.9),
    ]

    /// A display matrix's upper left part, by columns: the stored x axis goes to (a, b), the y axis to (c, d).
    struct Turn: Sendable, CustomTestStringConvertible {
        let a: Double, b: Double, c: Double, d: Double
        var pixelAspectRatio = "1/1"
        let size: String
        var testDescription: String { "\([a, b, c, d]), pixels \(pixelAspectRatio)" }

        init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, pixelAspectRatio: String = "1/1", _ size: String) {
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
            (self.pixelAspectRatio, self.size) = (pixelAspectRatio, size)
        }

        /// What stands upright in a corner, of what is stored top left, top right, bottom left, bottom right.
        func upright<Corner>(_ stored: [Corner]) -> [Corner] {
            var result = stored
            for (index, corner) in stored.enumerated() {
                let (x, y): (Double, Double) = (index % 2 == 0 ? -1 : 1, index < 2 ? -1 : 1)
                result[(b * x + d * y > 0 ? 2 : 0) + (a * x + c * y > 0 ? 1 : 0)] = corner
            }
            return result
        }
    }

    /// Writes a display matrix into the header of a QuickTime movie's first track.
    private func turn(_ clip: String, _ turn: Turn, to path: String) throws {
        var movie = try Data(contentsOf: URL(fileURLWithPath: clip))
        let header = try #require(movie.range(of: Data("tkhd".utf8))).upperBound
        try #require(movie[header] == 0)
        // ISO/IEC 14496-12, 8.3.2: {a, b, u, c, d, v, x, y, w} in 16.16, the last column in 2.30.
        for (place, value) in [(0, turn.a), (1, turn.b), (3, turn.c), (4, turn.d)] {
            let bytes = withUnsafeBytes(of: Int32(value * 65_536).bigEndian) { Data($0) }
            movie.replaceSubrange(header + 40 + 4 * place..<header + 44 + 4 * place, with: bytes)
        }
        try movie.write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: [
        Turn(1, 0, 0, 1, "96x64"), Turn(-1, 0, 0, 1, "96x64"), Turn(-1, 0, 0, -1, "96x64"), Turn(1, 0, 0, -1, "96x64"),
        Turn(0, 1, 1, 0, "64x96"), Turn(0, 1, -1, 0, "64x96"), Turn(0, -1, -1, 0, "64x96"), Turn(0, -1, 1, 0, "64x96"),
        // Scales alike in both directions say nothing, others say how wide the pixels are.
        Turn(0, 2, -2, 0, "64x96"), Turn(-0.5, 0, 0, 0.5, "96x64"), Turn(2, 0, 0, 1, pixelAspectRatio: "0/1", "192x64"),
        Turn(0, 1, -1, 0, pixelAspectRatio: "4/3", "64x128"), Turn(0, 1, 1, 0, pixelAspectRatio: "4/3", "64x128"),
        Turn(-1, 0, 0, 1, pixelAspectRatio: "2/1", "192x64"),
    ])
    func `every display matrix is obeyed, in the photo and in the movie`(turn: Turn) throws {
        let stored = try PatchChart(columns: 2, rows: 2, width: 48, height: 32).clip(
            "corners-\(turn.pixelAspectRatio.prefix(1)).mov",
            Self.corners.map { SIMD4(ColorFormulas.luma($0, "bt709"), 1) }, layout: PixelLayout("yuv420p"),
            isFullRange: false,
            tags: "colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv,setsar=\(turn.pixelAspectRatio)",
            coding: "-c:v libx264 -qp 0")
        let folder = try TemporaryFolder()
        try self.turn(stored, turn, to: folder.path("turned.mov"))
        let report = try Report(
            try Program.livephoto("convert", "turned.mov", "-o", folder.path("out"), "--json", in: folder.url))
        #expect("\(report.width)x\(report.height)" == turn.size)
        #expect("\(report.photoWidth)x\(report.photoHeight)" == turn.size)
        let chart = PatchChart(columns: 2, rows: 2, width: report.width / 2, height: report.height / 2)
        for (half, found) in try chart.patches(of: report) {
            for (color, expected) in zip(found, turn.upright(Self.corners)) {
                #expect((color - expected).map(abs).max() < 0.05, "\(color), not \(expected), in the \(half)")
            }
        }
    }
}
