import Bytes
import MediaModel

/// The blocks of a GIF (GIF89a, 17 to 27).
extension ExportedFacts {
    init(gif file: InputFile) throws {
        self.init()
        var reader = FileCursor(file, structure: "GIF")
        guard try reader.bytes(6) == Array("GIF89a".utf8) else { throw reader.error("the signature of a GIF") }
        size = PixelSize(width: try reader.littleEndian(2), height: try reader.littleEndian(2))
        let flags = try reader.littleEndian(1)
        reader.skip(2 + Self.paletteSize(flags))
        var hundredths: Int64 = 0
        while true {
            switch try reader.littleEndian(1) {
            case 0x21:
                // Only a graphic control extension has a delay, in its second and third byte.
                if try reader.littleEndian(1) == 0xF9 {
                    reader.skip(2)
                    hundredths += Int64(try reader.littleEndian(2))
                    reader.skip(1)
                }
                try reader.skipSubBlocks()
            case 0x2C:
                frames += 1
                reader.skip(8)
                let flags = try reader.littleEndian(1)
                reader.skip(Self.paletteSize(flags) + 1)
                try reader.skipSubBlocks()
            case 0x3B:
                duration = MediaTime(value: hundredths, timescale: 100)
                return
            default: throw reader.error("an extension, a picture or the end")
            }
        }
    }

    private static func paletteSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
}

extension FileCursor {
    fileprivate mutating func skipSubBlocks() throws {
        while case let count = try littleEndian(1), count > 0 { skip(count) }
    }
}
