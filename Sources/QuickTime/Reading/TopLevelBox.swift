package import Bytes

/// Where a box stands that is in no other one.
package struct TopLevelBox: Sendable, Hashable {
    package let type: FourCC
    /// Of its header, from the start of the file.
    package let offset: Int
    package let headerSize: Int
    /// Bytes after the header, as claimed.
    package let payloadSize: Int
    /// Whether the file ends before the box does.
    package let isCutOff: Bool

    package var payloadOffset: Int { offset + headerSize }

    /// The boxes of a file up to its end or to what is no box: zeros, or something that a camera appended.
    ///
    /// - Throws: `ParseError` for more boxes than a movie can have; `Errno` of pread(2).
    static func all(of file: InputFile) throws -> [TopLevelBox] {
        var boxes: [TopLevelBox] = []
        var offset = 0
        while offset < file.size {
            var reader = ByteReader(
                try file.bytes(at: offset, count: BoxHeader.longSize), structure: "movie", fileOffset: offset)
            guard let header = try? BoxHeader(from: &reader), header.type.rawValue != 0 else { break }
            guard boxes.count < MovieLimits.topLevelBoxes else {
                throw ParseError(
                    .overLimit, in: "movie", at: offset, expected: "at most \(MovieLimits.topLevelBoxes) boxes")
            }
            let available = file.size - offset - header.size
            let payloadSize = header.payloadSize ?? available
            boxes.append(
                TopLevelBox(
                    type: header.type, offset: offset, headerSize: header.size, payloadSize: payloadSize,
                    isCutOff: payloadSize > available))
            guard payloadSize <= available else { break }
            offset += header.size + payloadSize
        }
        return boxes
    }
}
