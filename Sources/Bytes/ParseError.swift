/// Why bytes could not be parsed, and where.
@usableFromInline
package struct ParseError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// The bytes end before the value does.
        case truncated
        /// A field has a value that its specification does not allow.
        case invalidValue
        /// A required part is missing.
        case missing
        /// Valid, but not supported by this program.
        case unsupported
        /// Bytes are left over after the last field.
        case leftOver
        /// More of something than a real file of this kind has.
        case overLimit
    }

    package var code: Code
    /// What was being read: a box type, a TIFF tag, a JPEG segment.
    package var structure: String
    /// In bytes from the start of the file, or of the bytes given.
    package var offset: Int
    /// What was expected there: the end of the sentence "expected …".
    package var expected: String

    package init(_ code: Code, in structure: String, at offset: Int, expected: String) {
        self.code = code
        self.structure = structure
        self.offset = offset
        self.expected = expected
    }
}

extension ParseError: CustomStringConvertible {
    @usableFromInline
    package var description: String {
        let what =
            switch code {
            case .truncated: "is cut off"
            case .invalidValue: "holds a value that is not allowed"
            case .missing: "lacks a part"
            case .unsupported: "has a form that is not supported"
            case .leftOver: "has bytes left over"
            case .overLimit: "is larger than any real one"
            }
        return "\(structure) \(what) at byte \(offset) (expected \(expected))"
    }
}
