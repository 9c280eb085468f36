import Bytes
import MediaModel

/// The chunks of an animated WebP (WebP Container Specification, "Extended File Format").
extension ExportedFacts {
    init(webP file: InputFile) throws {
        self.init()
        var reader = FileCursor(file, structure: "WebP")
        guard try reader.bytes(4) == Array("RIFF".utf8), try reader.littleEndian(4) + 8 == file.size,
            try reader.bytes(4) == Array("WEBP".utf8)
        else { throw reader.error("the header of a WebP of \(file.size) bytes") }
        var milliseconds: Int64 = 0
        while reader.offset < file.size {
            let type = String(decoding: try reader.bytes(4), as: UTF8.self)
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
                milliseconds += Int64(try reader.littleEndian(3))
            default: break
            }
            reader.skip(end - reader.offset)
        }
        duration = MediaTime(value: milliseconds, timescale: 1000)
    }
}
