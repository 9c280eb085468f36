import Bytes
import MediaModel

/// The chunks of a WebP (WebP Container Specification).
extension ExportedFacts {
    init(webP file: InputFile) throws {
        self.init()
        var reader = FileCursor(file, structure: "WebP")
        guard try reader.bytes(4) == Array("RIFF".utf8), try reader.littleEndian(4) + 8 == file.size,
            try reader.bytes(4) == Array("WEBP".utf8)
        else { throw reader.error("the header of a WebP of \(file.size) bytes") }
        var milliseconds: Int64 = 0
        while reader.offset < file.size {
            let type = FileText(try reader.bytes(4))
            let length = try reader.littleEndian(4)
            let end = reader.offset + length + length % 2
            guard end <= file.size else { throw reader.error("a chunk within the file") }
            switch type {
            case "VP8X":
                reader.skip(4)
                size = PixelSize(width: try reader.littleEndian(3) + 1, height: try reader.littleEndian(3) + 1)
            case "ANMF":
                frames += 1
                reader.skip(12)
                let offset = reader.offset
                let length = Int64(try reader.littleEndian(3))
                milliseconds += length
                lastOfWebP = (length, offset)
            case "VP8 ":
                // libwebp writes equal frames as a single picture. Its size follows the start code (RFC 6386, 9.1).
                frames = 1
                reader.skip(6)
                size = PixelSize(
                    width: try reader.littleEndian(2) & 0x3FFF, height: try reader.littleEndian(2) & 0x3FFF)
            case "VP8L":
                frames = 1
                reader.skip(1)
                let sizes = try reader.littleEndian(4)
                size = PixelSize(width: sizes & 0x3FFF + 1, height: sizes >> 14 & 0x3FFF + 1)
            default: break
            }
            reader.skip(end - reader.offset)
        }
        duration = MediaTime(value: milliseconds, timescale: 1000)
    }

    /// The bytes that make the last frame of an animated WebP end with the animation, and their place in the file:
    /// libwebp's encoder shows it as long as the others on average. Nil for other files, and for a time before that frame.
    package func endOfWebP(at end: MediaTime) -> (offset: Int, bytes: [UInt8])? {
        guard let lastOfWebP else { return nil }
        let last = MediaTime(value: lastOfWebP.milliseconds, timescale: 1000)
        // Unlike integers, times do not overflow.
        let length = (end.rescaled(to: 1000) - duration + last).value
        guard 1..<1 << 24 ~= length else { return nil }
        return (lastOfWebP.offset, (0..<3).map { UInt8(length >> (8 * $0) & 0xFF) })
    }
}
