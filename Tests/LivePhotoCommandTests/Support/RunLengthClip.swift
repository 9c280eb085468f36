import Foundation
import TestSupport

/// An AVI of 8-bit pictures in Microsoft's run-length encoding, plain or as Camtasia packs it: one whole picture, then only
/// what changes. 64×48 pixels, 25 fps, 8 s; the upper half counts as `Reader.numbers` reads it.
struct RunLengthClip {
    enum Codec: String, Sendable {
        case plain = "mrle"
        /// The same in zlib's format.
        case camtasia = "tscc"
    }

    var codec = Codec.plain
    /// Whether the index calls every picture a key frame, as Camtasia does.
    var flagsAll = false
    /// The number of the picture with which the colours change.
    var paletteChange: Int?

    private static let (width, height, count) = (64, 48, 200)
    /// The palette's indices of black and white.
    private static let (black, white) = (10, 20)

    func write(to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    private var bytes: [UInt8] {
        var movie = Array("movi".utf8)
        var index: [UInt8] = []
        for number in 0..<Self.count {
            if number == paletteChange {
                let change: [UInt8] = [0, 0, 0, 0] + entries(inverted: true)
                index += entry("00pc", flags: 0x100, movie.count, change.count)
                movie += chunk("00pc", change)
            }
            let picture = packed(number == 0 ? whole : rows(number))
            index += entry("00dc", flags: number == 0 || flagsAll ? 0x10 : 0, movie.count, picture.count)
            movie += chunk("00dc", picture)
        }
        let header = chunk("LIST", Array("hdrl".utf8) + chunk("avih", mainHeader) + stream)
        return chunk("RIFF", Array("AVI ".utf8) + header + chunk("LIST", movie) + chunk("idx1", index))
    }

    private func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(payload.count, 4) + payload + (payload.count.isMultiple(of: 2) ? [] : [0])
    }

    private func entry(_ type: String, flags: Int, _ offset: Int, _ size: Int) -> [UInt8] {
        Array(type.utf8) + little(flags, 4) + little(offset, 4) + little(size, 4)
    }

    /// Flags: there is an index.
    private var mainHeader: [UInt8] {
        words([40_000, 0, 0, 0x10, Self.count, 0, 1, 0, Self.width, Self.height, 0, 0, 0, 0])
    }

    private var stream: [UInt8] {
        let kind = Array("vids\(codec.rawValue)".utf8)
        let header = kind + words([0, 0, 0, 1, 25, 0, Self.count, 0, 0, 0, 0, 0])
        // A BITMAPINFOHEADER of 8 bits a pixel.
        var format = words([40, Self.width, Self.height, 8 << 16 | 1])
        format += Array((codec == .plain ? "\u{1}\0\0\0" : codec.rawValue).utf8)
        format += words([0, 0, 0, 256, 0])
        format += entries(inverted: false)
        return chunk("LIST", Array("strl".utf8) + chunk("strh", header) + chunk("strf", format))
    }

    private func words(_ values: [Int]) -> [UInt8] { values.reduce(into: []) { $0 += little($1, 4) } }

    private func color(black: Bool) -> [UInt8] { black ? [0, 0, 0, 0] : [255, 255, 255, 0] }

    /// All 256 colours: black, white and grays, which may be inverted.
    private func entries(inverted: Bool) -> [UInt8] {
        (0..<256).flatMap { index -> [UInt8] in
            if index == Self.black || index == Self.white { return color(black: index == Self.black) }
            let level = UInt8(inverted ? 255 - index : index)
            return [level, level, level, 0]
        }
    }

    /// Rows come from the bottom up; each ends with 0 0, the picture with 0 1.
    private var whole: [UInt8] {
        (0..<Self.height).flatMap { row -> [UInt8] in
            let fromTop = Self.height - 1 - row
            let cells = (0..<8).flatMap { cell -> [UInt8] in
                [UInt8(Self.width / 8), UInt8(fromTop < Self.height / 2 ? Self.black : 40 + cell * 20)]
            }
            return cells + [0, 0]
        } + [0, 1]
    }

    /// The rows of the upper half that differ from the picture before: only the bits that changed.
    private func rows(_ number: Int) -> [UInt8] {
        let half = Self.height / 2
        let row = (0..<8).flatMap { bit -> [UInt8] in
            let isSet = number >> bit & 1 == 1
            let hasChanged = (number ^ (number - 1)) >> bit & 1 == 1
            return hasChanged
                ? [UInt8(Self.width / 8), UInt8(isSet ? Self.white : Self.black)]
                : bit == 7 ? [] : [0, 2, UInt8(Self.width / 8), 0]
        }
        // Half the height up, then row by row.
        return [0, 2, 0, UInt8(half)] + (0..<half).flatMap { _ in row + [0, 0] } + [0, 1]
    }

    /// RFC 1950 and 1951: one stored block.
    private func packed(_ picture: [UInt8]) -> [UInt8] {
        guard codec == .camtasia else { return picture }
        var (a, b) = (1, 0)
        for byte in picture {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let sum = [b >> 8, b & 0xFF, a >> 8, a & 0xFF].map { UInt8($0) }
        return [0x78, 0x01, 0x01] + little(picture.count, 2) + little(~picture.count & 0xFFFF, 2) + picture + sum
    }
}
