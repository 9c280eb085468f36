package import Bytes

/// A box (ISO/IEC 14496-12, 4.2; QuickTime calls it an atom) that can be read and written field by field.
package protocol Box: Sendable, Equatable {
    static var type: FourCC { get }
    /// The type of this value; it differs between values of a box that has several types.
    var type: FourCC { get }

    /// Reads the payload, everything after size and type. The reader ends at the end of the box.
    init(from reader: inout ByteReader) throws(ParseError)
    /// Writes the payload.
    func write(to writer: inout ByteWriter)
}

extension Box {
    package var type: FourCC { Self.type }
}

extension ByteWriter {
    /// Writes a box: 32-bit size, type, and everything that `content` writes.
    package mutating func box(_ type: FourCC, _ content: (inout ByteWriter) -> Void) {
        let start = count
        integer(UInt32(0))
        fourCC(type)
        content(&self)
        patch(UInt32(count - start), at: start)
    }

    package mutating func box(_ box: some Box) {
        self.box(box.type) { box.write(to: &$0) }
    }

    package mutating func box(_ box: (some Box)?) {
        if let box { self.box(box) }
    }

    package mutating func boxes(_ boxes: [some Box]) {
        for box in boxes { self.box(box) }
    }
}
