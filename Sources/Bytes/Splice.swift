/// A range of bytes and its replacement.
package struct Splice: Sendable {
    package let range: Range<Int>
    package let replacement: [UInt8]
    package var growth: Int { replacement.count - range.count }

    package init(_ range: Range<Int>, _ replacement: [UInt8]) {
        self.range = range
        self.replacement = replacement
    }
}

extension [UInt8] {
    /// These bytes with all splices applied; splices at one place keep their order.
    ///
    /// - Throws: `ParseError` if two overlap, as for an item of a HEIF that is listed twice.
    package func applying(_ splices: [Splice], structure: String) throws(ParseError) -> [UInt8] {
        let order = splices.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }
        var writer = ByteWriter()
        writer.reserve(splices.reduce(count) { $0 + Swift.max($1.growth, 0) })
        var place = 0
        for (_, splice) in order {
            guard place <= splice.range.lowerBound else {
                throw ParseError(
                    .invalidValue, in: structure, at: splice.range.lowerBound, expected: "bytes that one item uses")
            }
            writer.append(self[place..<splice.range.lowerBound])
            writer.append(splice.replacement)
            place = splice.range.upperBound
        }
        writer.append(self[place...])
        return writer.bytes
    }
}
