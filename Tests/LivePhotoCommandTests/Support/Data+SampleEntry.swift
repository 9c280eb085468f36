import Foundation
import Testing

extension Data {
    /// The movie, whose `moov` comes last, with a box at the end of its first sample entry of a format.
    func insertingBox(_ type: String, _ payload: [UInt8], inSampleEntry format: String) throws -> Data {
        func word(_ value: Int) -> [UInt8] { Swift.withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
        let box = word(8 + payload.count) + Array(type.utf8) + payload
        var data = self
        var entry = startIndex..<startIndex
        // From the outermost box in: each contains the next, and the entry ends where its size says.
        for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", format] {
            let name = try #require(data.range(of: Data(type.utf8), in: entry.lowerBound..<data.endIndex))
            let start = name.lowerBound - 4
            let size = data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            data.replaceSubrange(start..<start + 4, with: word(size + box.count))
            entry = name.upperBound..<start + size
        }
        data.insert(contentsOf: box, at: entry.upperBound)
        return data
    }
}
