package import Bytes

/// A box's header and its range in a file.
package struct BoxLocation: Sendable, Hashable {
    package let header: BoxHeader
    /// The box with its header, up to the end of its container if that cuts off the box.
    package let range: Range<Int>

    package var type: FourCC { header.type }
    package var offset: Int { range.lowerBound }
    /// The part of the payload before the end of the container.
    package var payload: Range<Int> { range.dropFirst(header.size) }
    /// Bytes of the payload according to the header.
    package var payloadSize: Int { header.payloadSize ?? payload.count }
    /// Whether the box extends past the end of its container.
    package var isCutOff: Bool { payloadSize > payload.count }
    /// Whether its size field is 0, so that it ends with its container.
    package var isOpenEnded: Bool { header.payloadSize == nil }

    /// - Parameter end: the end of the container, after the end of the header.
    package init(_ header: BoxHeader, at offset: Int, end: Int) {
        self.header = header
        let available = end - offset - header.size
        range = offset..<offset + header.size + min(header.payloadSize ?? available, available)
    }

    /// Reads the header of the box at an offset of a file; nil if there is none.
    ///
    /// - Parameter end: the end of the container.
    /// - Throws: the error of `read`.
    package init?<Failure>(
        at offset: Int, end: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let bytes = try read(offset, min(BoxHeader.longSize, end - offset))
        var reader = ByteReader(bytes, structure: "box", fileOffset: offset)
        guard let header = try? BoxHeader(from: &reader) else { return nil }
        self.init(header, at: offset, end: end)
    }

    /// The consecutive boxes in a range of a file, up to its end or to other data, such as zeros or data that a camera
    /// appended. The last box may be cut off.
    ///
    /// - Parameter limit: the maximum number of boxes; later ones are left out.
    /// - Throws: the error of `read`.
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

    /// Reads the part of the payload before the end of the container.
    ///
    /// - Throws: `ParseError` of code `overLimit` if the header states more than `limit` bytes; `Errno` of pread(2).
    package func read(from file: InputFile, limit: Int) throws -> ChildBox {
        guard payloadSize <= limit else {
            throw ParseError(
                .overLimit, in: "\(type)", at: offset, expected: "at most \(limit) bytes, found \(payloadSize)")
        }
        let bytes = try file.bytes(at: payload.lowerBound, count: payload.count)
        return ChildBox(header, ByteReader(bytes, structure: "\(type)", fileOffset: payload.lowerBound))
    }
}
