/// A four-character code: the type of a box, a codec, a brand or a handler (QuickTime File Format, "Atom type").
package struct FourCC: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// A literal of exactly four Latin-1 characters; anything else stops the program.
    package init(stringLiteral literal: StaticString) {
        if literal.isASCII, literal.utf8CodeUnitCount == 4 {
            rawValue = literal.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
            return
        }
        let scalars = literal.description.unicodeScalars
        precondition(scalars.count == 4 && scalars.allSatisfy { $0.value < 256 }, "a FourCC has four characters")
        self.rawValue = scalars.reduce(0) { $0 << 8 | $1.value }
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters, with non-printable ones as `\xNN`.
    package var description: String {
        withUnsafeBytes(of: rawValue.bigEndian) { bytes in
            bytes.allSatisfy { (0x20..<0x7F).contains($0) }
                ? bytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
                : bytes.map(Self.printable).joined()
        }
    }

    private static func printable(_ byte: UInt8) -> String {
        if (0x20..<0x7F).contains(byte) || byte == 0xA9 { return String(Unicode.Scalar(byte)) }
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
