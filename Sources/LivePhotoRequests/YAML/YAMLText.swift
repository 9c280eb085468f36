/// Decodes documents before they are parsed.
enum YAMLText {
    /// Decodes `bytes` and rejects characters that YAML does not allow (YAML 1.2.2, section 5.1).
    ///
    /// Lines that begin with `%TAG` are rejected too, at the start and after a document: libyaml compares each of these
    /// directives with all before it, which takes time that grows with the square of their number.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - file: the file's name, for errors.
    ///   - linesBefore: the number of lines of the file that precede these bytes.
    static func decode(_ bytes: [UInt8], file: String, linesBefore: Int = 0) throws(LivePhotoError) -> String {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var iterator = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0).makeIterator()
        var decoder = UTF8()
        var (line, column) = (linesBefore + 1, 1)
        var text = String.UnicodeScalarView()
        while true {
            let place = LivePhotoError.Place(line: line, column: column)
            switch decoder.decode(&iterator) {
            case .emptyInput:
                return String(text)
            case .error:
                throw LivePhotoError(.syntax, file: file, at: place, "the file is not text in UTF-8")
            case .scalarValue(let scalar):
                guard isAllowed(scalar) else {
                    let name = scalar.escaped(asASCII: true)
                    throw LivePhotoError(.syntax, file: file, at: place, "the character \(name) is not allowed")
                }
                if column == 4, scalar == "G", text.suffix(3).elementsEqual("%TA".unicodeScalars) {
                    throw LivePhotoError(
                        .syntax, file: file, at: LivePhotoError.Place(line: line, column: 1),
                        "%TAG is not read; leave the line out, or indent it if it is text")
                }
                let endsLine = isLineBreak(scalar)
                // A carriage return and a line feed are one line break.
                if endsLine, !(scalar == "\n" && text.last == "\r") { line += 1 }
                column = endsLine ? 1 : column + 1
                text.append(scalar)
            }
        }
    }

    /// Whether libyaml begins a new line after `scalar`, as YAML 1.1 does.
    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
