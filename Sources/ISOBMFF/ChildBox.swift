package import Bytes

/// A box whose header has been read, but not its payload.
package struct ChildBox: Sendable {
    package let header: BoxHeader
    package let payload: ByteReader

    package init(_ header: BoxHeader, _ payload: ByteReader) {
        (self.header, self.payload) = (header, payload)
    }

    package var type: FourCC { header.type }
    /// The range in the file, including the header.
    package var range: Range<Int> { payload.offset - header.size..<payloadRange.upperBound }
    package var payloadRange: Range<Int> { payload.offset..<payload.offset + payload.remaining }

    /// Reads the payload as a `Value`.
    ///
    /// - Throws: also if bytes other than padding are left.
    package func read<Value: Box>(_: Value.Type = Value.self) throws(ParseError) -> Value {
        var reader = payload
        let box = try Value(from: &reader)
        try reader.finishPadded()
        return box
    }
}

extension ByteReader {
    /// The next box, or nil at the end. Eight zero bytes, or fewer at the end, also end the list: QuickTime closes some
    /// lists with a 32-bit zero (QuickTime File Format, "User data atoms").
    package mutating func nextBox() throws(ParseError) -> ChildBox? {
        guard !isAtEnd, !beginsWithZeros(BoxHeader.shortSize) else { return nil }
        let header = try BoxHeader(from: &self)
        return ChildBox(header, try reader(header.payloadSize ?? remaining, structure: header.type.description))
    }

    /// The boxes in the remaining bytes, which have to fill them completely, each with a type and a size.
    ///
    /// - Throws: also if there are more than `limit`.
    package func boxes(limit: Int) throws(ParseError) -> [ChildBox] {
        var reader = self
        var boxes: [ChildBox] = []
        while !reader.isAtEnd {
            let start = reader
            guard boxes.count < limit else { throw start.error(.overLimit, expected: "at most \(limit) boxes") }
            guard let box = try reader.nextBox(), box.type.rawValue != 0 else {
                throw start.error(.invalidValue, expected: "a box, found zeros")
            }
            // A box without a size would include everything that an edit appends (ISO/IEC 14496-12, 4.2).
            guard box.header.payloadSize != nil else {
                throw start.error(.invalidValue, expected: "a box with a size, which only a file's last box may omit")
            }
            boxes.append(box)
        }
        return boxes
    }

    /// Throws if bytes are left that are not padding: zeros or boxes of the types `free` and `skip`.
    package func finishPadded() throws(ParseError) {
        var padding = self
        while let box = (try? padding.nextBox()) ?? nil {
            guard box.type == "free" || box.type == "skip" else { return try finish() }
        }
        if !padding.rest().allSatisfy({ $0 == 0 }) { try finish() }
    }

    /// Whether the next `count` bytes are zeros, or all remaining ones if there are fewer.
    private func beginsWithZeros(_ count: Int) -> Bool {
        var copy = self
        guard let next = try? copy.bytes(min(count, remaining)) else { return false }
        return next.allSatisfy { $0 == 0 }
    }

    package func missing(_ type: FourCC) -> ParseError {
        error(.missing, expected: "a box of type \(type)")
    }
}
