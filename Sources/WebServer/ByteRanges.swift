/// The part of a file that a client asks for: the header field Range (RFC 9110, 14.2).
package enum ByteRanges {
    package enum Answer: Equatable {
        /// All of it: there is no range, none that is understood, or several, which a server may ignore.
        case whole
        case part(Range<Int>)
        /// There are no such bytes.
        case unsatisfiable
    }

    /// - Parameters:
    ///   - field: The field's value, such as `bytes=0-1`, `bytes=500-` or `bytes=-500`; nil if there is none.
    ///   - count: The size of the whole in bytes.
    package static func answer(to field: String?, of count: Int) -> Answer {
        guard let field, let equal = field.firstIndex(of: "="), field[..<equal].lowercased() == "bytes" else {
            return .whole
        }
        let specification = field[field.index(after: equal)...].trimmingSpaces
        guard let dash = specification.firstIndex(of: "-") else { return .whole }
        let (first, last) = (specification[..<dash], specification[specification.index(after: dash)...])
        if first.isEmpty {
            guard let length = number(last) else { return .whole }
            return length > 0 && count > 0 ? .part(max(count - length, 0)..<count) : .unsatisfiable
        }
        guard let start = number(first) else { return .whole }
        if last.isEmpty { return start < count ? .part(start..<count) : .unsatisfiable }
        guard let end = number(last), start <= end else { return .whole }
        return start < count ? .part(start..<min(end, count - 1) + 1) : .unsatisfiable
    }

    /// A number written in digits. One that no integer holds is as good as the largest, less one so that 1 can be added.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(text) ?? .max - 1
    }
}

extension StringProtocol {
    /// Without spaces and tabs at both ends.
    var trimmingSpaces: Substring {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        var text = self[...].drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return Substring(text)
    }
}
