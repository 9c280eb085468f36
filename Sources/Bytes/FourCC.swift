/// A four-character code: the type of a box, a codec, a brand or a handler (QuickTime File Format, "Atom type").
package struct FourCC: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// A literal of exactly four Latin-1 characters; another length is a programmer's error and stops the program.
    package init(stringLiteral literal: StaticString) {
        let scalars = literal.description.unicodeScalars
        precondition(scalars.count == 4 && scalars.allSatisfy { $0.value < 256 }, "a FourCC has four characters")
        self.rawValue = scalars.reduce(0) { $0 << 8 | $1.value }
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters, those that do not print as `\xNN`.
    package var description: String {
        (0..<4).reversed().map { index in
            let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32(index)))
            let scalar = Unicode.Scalar(byte)
            if (0x20..<0x7F).contains(byte) || byte == 0xA9 { return String(scalar) }
            let digits = String(byte, radix: 16)
            return "\\x" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
