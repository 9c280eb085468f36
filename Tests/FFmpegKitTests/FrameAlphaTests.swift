import FFmpegKit
import MediaModel
import Testing

@Suite struct FrameAlphaTests {
    /// A format, and the bytes of one opaque and one nearly opaque pixel, plane by plane.
    struct Case: Sendable, CustomTestStringConvertible {
        let format: String
        let opaque: [[UInt8]]
        let transparent: [[UInt8]]
        var testDescription: String { format }

        /// - Parameters:
        ///   - color: the bytes of each component but alpha, before alpha.
        ///   - rest: those behind it.
        static func packed(
            _ format: String, _ color: [UInt8], _ opaque: [UInt8], _ transparent: [UInt8], rest: [UInt8] = []
        ) -> Case {
            Case(format: format, opaque: [color + opaque + rest], transparent: [color + transparent + rest])
        }

        static func planar(_ format: String, _ opaque: [UInt8], _ transparent: [UInt8]) -> Case {
            let color = [[UInt8]](repeating: [UInt8](repeating: 0, count: opaque.count), count: 3)
            return Case(format: format, opaque: color + [opaque], transparent: color + [transparent])
        }
    }

    private static let size = PixelSize(width: 5, height: 3)

    /// A picture of 5 by 3 pixels, all of them opaque but for the one at `place`.
    private func picture(_ test: Case, transparentAt place: (x: Int, y: Int)?) throws -> Frame {
        let planes = zip(test.opaque, test.transparent).map { opaque, transparent in
            (0..<Self.size.height).flatMap { y in
                (0..<Self.size.width).flatMap { x in place.map { $0 == (x, y) } == true ? transparent : opaque }
            }
        }
        return try Frame(size: Self.size, format: test.format, color: .jfifLike, planes: planes)
    }

    @Test(
        arguments: [
            .packed("rgba", [0, 0, 0], [255], [254]), .packed("bgra", [0, 0, 0], [255], [254]),
            .packed("argb", [], [255], [254], rest: [0, 0, 0]), .packed("abgr", [], [255], [254], rest: [0, 0, 0]),
            .packed("ya8", [0], [255], [254]), .packed("ya16le", [0, 0], [255, 255], [255, 254]),
            .packed("ya16be", [0, 0], [255, 255], [254, 255]),
            .packed("rgba64le", [0, 0, 0, 0, 0, 0], [255, 255], [255, 254]),
            .packed("bgra64be", [0, 0, 0, 0, 0, 0], [255, 255], [254, 255]),
            .packed("ayuv64le", [], [255, 255], [255, 254], rest: [0, 0, 0, 0, 0, 0]),
            .planar("yuva444p", [255], [254]), .planar("gbrap", [255], [254]),
            .planar("yuva444p10le", [0xFF, 3], [0xFB, 3]), .planar("yuva444p10be", [3, 0xFF], [3, 0xFB]),
            .planar("yuva444p12le", [0xFF, 15], [0xEF, 15]), .planar("gbrap10le", [0xFF, 3], [0, 0]),
            .planar("gbrap16le", [0xFF, 0xFF], [0xFF, 0xFE]),
            // What is left of 255 after a shift is opaque too.
            .planar("gbrap12le", [0xF0, 15], [0xEF, 15]),
            .planar("gbrapf32le", [0, 0, 0x80, 0x3F], [0, 0, 0x7E, 0x3F]),
            .planar("gbrapf32be", [0x3F, 0x80, 0, 0], [0x3F, 0x7E, 0, 0]),
        ] as [Case])
    func `one pixel that is not opaque is found, whatever the layout, where it is looked for`(test: Case) throws {
        let whole = PixelRectangle(size: Self.size)
        #expect(try !picture(test, transparentAt: nil).isTransparent(in: whole))
        for place in [(0, 0), (4, 0), (2, 1), (4, 2)] {
            let picture = try picture(test, transparentAt: place)
            #expect(picture.isTransparent(in: whole), "\(place)")
            let pixel = PixelSize(width: 1, height: 1)
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    #expect(picture.isTransparent(in: PixelRectangle(x: x, y: y, size: pixel)) == (place == (x, y)))
                }
            }
        }
    }

    @Test func `a format without alpha is opaque, and so is what lies outside of a picture`() throws {
        let gray = try Frame(
            size: Self.size, format: "gray", color: .jfifLike, planes: [[UInt8](repeating: 0, count: 15)])
        #expect(!gray.isTransparent(in: PixelRectangle(size: Self.size)))
        let clear = Case.planar("gbrap", [0], [0])
        let picture = try picture(clear, transparentAt: nil)
        #expect(picture.isTransparent(in: PixelRectangle(x: 4, y: 2, size: PixelSize(width: 100, height: 100))))
        #expect(!picture.isTransparent(in: PixelRectangle(x: 5, y: 0, size: Self.size)))
        #expect(!picture.isTransparent(in: PixelRectangle(x: 0, y: 3, size: Self.size)))
    }
}

extension ColorDescription {
    fileprivate static let jfifLike = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)
}
