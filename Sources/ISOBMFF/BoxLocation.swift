package import Bytes

/// Where a box is in a file.
package struct BoxLocation: Sendable, Hashable {
    package let header: BoxHeader
    /// The box, header included, up to where its container ends if the box is cut off there.
    package let range: Range<Int>

    package var type: FourCC { header.type }
    package var offset: Int { range.lowerBound }
    /// The bytes of the payload that are there.
    package var payload: Range<Int> { range.dropFirst(header.size) }
    /// Bytes of the payload, as claimed.
    package var payloadSize: Int { header.payloadSize ?? payload.count }
    /// Whether its container ends before the box does.
    package var isCutOff: Bool { payloadSize > payload.count }
    /// Whether its size field is 0, so that it ends where its container does.
    package var isOpenEnded: Bool { header.payloadSize == nil }

    /// - Parameter end: where the container ends, which holds the whole header.
    package init(_ header: BoxHeader, at offset: Int, end: Int) {
        self.header = header
        let available = end - offset - header.size
        range = offset..<offset + header.size + min(header.payloadSize ?? available, available)
    }

    /// Reads the header of the box at an offset of a file; nil where there is none.
    ///
    /// - Parameter end: where the container ends.
    /// - Throws: what `read` throws.
    package init?<Failure>(
        at offset: Int, end: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let bytes = try read(offset, min(BoxHeader.longSize, end - offset))
        var reader = ByteReader(bytes, structure: "box", fileOffset: offset)
        guard let header = try? BoxHeader(from: &reader) else { return nil }
        self.init(header, at: offset, end: end)
    }

    /// The boxes one after the other in a range of a file, up to its end or to what is no box: zeros, or what a camera
    /// appended. The last one may be cut off.
    ///
    /// - Parameter limit: the most boxes that are listed; those after them are left out.
    /// - Throws: what `read` throws.
    package static func all<Failure>(
        in range: Range<Int>, limit: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [BoxLocation] {
        var boxes: [BoxLocation] = []
        var offset = range.lowerBound
        while offset < range.upperBound, boxes.count < limit,
            let box = try BoxLocation(at: offset, end: range.upperBound, read: read), box.type.rawValue != 0
        {
            boxes.append(box)
            offset = box.range.upperBound
        }
        return boxes
    }

    /// Reads the payload, as much of it as the file has.
    ///
    /// - Throws: `ParseError` of code `overLimit` for a box that claims more than `limit` bytes; `Errno` of pread(2).
    package func read(from file: InputFile, limit: Int) throws -> ChildBox {
        guard payloadSize <= limit else {
            throw ParseError(
                .overLimit, in: "\(type)", at: offset, expected: "at most \(limit) bytes, found \(payloadSize)")
        }
        let bytes = try file.bytes(at: payload.lowerBound, count: payload.count)
        return ChildBox(header, ByteReader(bytes, structure: "\(type)", fileOffset: payload.lowerBound))
    }
}
