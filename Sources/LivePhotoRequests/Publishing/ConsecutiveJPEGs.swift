import Bytes
import MediaModel
import StillImage

/// JPEGs of one size that follow one another in a file.
enum ConsecutiveJPEGs {
    /// - Parameters:
    ///   - sizes: of the JPEGs, in bytes.
    ///   - size: of each picture.
    /// - Throws: `Mismatch`, or `ParseError` for what is no JPEG; `Errno` of pread(2).
    static func read(_ file: InputFile, sizes: [Int], size: PixelSize?) throws -> [[UInt8]] {
        var parts: [[UInt8]] = []
        try forEach(file, sizes, size) { parts.append($0) }
        return parts
    }

    /// Checks a file without keeping it in memory.
    ///
    /// - Parameters:
    ///   - sizes: of the JPEGs, in bytes.
    ///   - size: of each picture.
    /// - Throws: As `read`.
    static func check(_ file: InputFile, sizes: [Int], size: PixelSize?) throws {
        try forEach(file, sizes, size) { _ in }
    }

    private static func forEach(
        _ file: InputFile, _ sizes: [Int], _ size: PixelSize?, _ body: ([UInt8]) throws -> Void
    ) throws {
        // The worker is not trusted.
        guard sizes.allSatisfy({ 1...max(file.size, 1) ~= $0 }),
            sizes.reduce(0, { $0.addingReportingOverflow($1).partialValue }) == file.size
        else { throw Mismatch(reason: "the sizes of its pictures do not add up") }
        var start = 0
        for count in sizes {
            let bytes = try file.bytes(at: start, count: count)
            guard try JPEG(bytes).size == size else { throw Mismatch(reason: "a picture has another size") }
            try body(bytes)
            start += count
        }
    }

    /// The file is not what the worker answered.
    struct Mismatch: Error, CustomStringConvertible {
        let reason: String

        var description: String { reason }
    }
}
