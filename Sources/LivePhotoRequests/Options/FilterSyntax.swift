import MediaModel

/// The syntax of libavfilter's chains: libavfilter/graphparser.c, and av_get_token and av_opt_get_key_value of libavutil.
enum FilterSyntax {
    /// Why a text is no chain, and what to do, as a clause.
    struct Problem: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// An option; a value without a name is for the filter's next option.
    struct Option: Sendable, Hashable {
        let name: String?
        let value: String
    }

    /// The names of filters with their options.
    static func parse(_ text: String) throws(Problem) -> [(name: String, options: [Option])] {
        guard !text.unicodeScalars.contains(where: { isControl($0) && !" \n\t\r".unicodeScalars.contains($0) }) else {
            throw Problem("it has control characters; remove them")
        }
        var rest = Reader(text)
        var filters: [(name: String, options: [Option])] = []
        while true {
            rest.skipSpace()
            let name = rest.token(until: "=,;[")
            var options: [Option] = []
            if rest.next == UInt8(ascii: "=") {
                rest.skip()
                options = Self.options(rest.token(until: "[],;"))
            }
            rest.skipSpace()
            let end = rest.next
            guard end == nil || end == UInt8(ascii: ",") else {
                throw Problem(
                    end == UInt8(ascii: ";")
                        ? "it has several chains; write one, without ';'"
                        : "it has labels; write one chain, without '[' and ']', or put a backslash before them")
            }
            guard !name.isEmpty else { throw Problem("the name of a filter is missing; write \(FilterChain.allowed)") }
            filters.append((name, options))
            if end == nil { return filters }
            rest.skip()
        }
    }

    private static func options(_ text: String) -> [Option] {
        var rest = Reader(text)
        var options: [Option] = []
        while rest.next != nil {
            let name = rest.key()
            options.append(Option(name: name, value: rest.token(until: ":")))
            if rest.next != nil { rest.skip() }
        }
        return options
    }

    /// A filter in this syntax. All special characters are escaped, so that it can only be read in one way.
    static func text(_ name: String, _ options: [Option]) -> String {
        // By bytes: a character of Swift can consist of a special one and an accent.
        func escaped(_ text: String, _ special: String) -> String {
            let bytes = text.utf8.flatMap { byte in
                special.utf8.contains(byte) || " \n\t\r".utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let list = options.map { ($0.name.map { "\($0)=" } ?? "") + escaped($0.value, "\\':=") }.joined(separator: ":")
        return list.isEmpty ? name : "\(name)=\(escaped(list, "\\'[],;"))"
    }

    /// The bytes of a text that have not been read.
    private struct Reader {
        private var bytes: ArraySlice<UInt8>

        init(_ text: String) { bytes = Array(text.utf8)[...] }

        var next: UInt8? { bytes.first }

        mutating func skip() { bytes = bytes.dropFirst() }

        mutating func skipSpace() { bytes = bytes.drop { Self.isSpace($0) } }

        private static func isSpace(_ byte: UInt8) -> Bool { " \n\t\r".utf8.contains(byte) }

        /// av_get_token: a backslash quotes the next byte, single quotes all bytes between them. Spaces at both ends that are
        /// not quoted are left out.
        mutating func token(until ends: String) -> String {
            skipSpace()
            var token: [UInt8] = []
            /// The length up to the last quoted byte.
            var kept = 0
            while let byte = bytes.first, !ends.utf8.contains(byte) {
                skip()
                switch byte {
                case UInt8(ascii: "\\") where !bytes.isEmpty:
                    token += [bytes.removeFirst()]
                    kept = token.count
                case UInt8(ascii: "'"):
                    token += bytes.prefix { $0 != byte }
                    bytes = bytes.drop { $0 != byte }
                    if bytes.popFirst() != nil { kept = token.count }
                default: token.append(byte)
                }
            }
            while token.count > kept, let last = token.last, Self.isSpace(last) { token.removeLast() }
            return String(decoding: token, as: UTF8.self)
        }

        /// The name before an equals sign, as av_opt_get_key_value finds it; nil if there is none.
        mutating func key() -> String? {
            func isKeyByte(_ byte: UInt8) -> Bool {
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-_/.".utf8.contains(byte)
            }
            var rest = self
            rest.skipSpace()
            let name = rest.bytes.prefix { isKeyByte($0) }
            rest.bytes = rest.bytes.dropFirst(name.count)
            rest.skipSpace()
            guard rest.bytes.popFirst() == UInt8(ascii: "=") else { return nil }
            self = rest
            return String(decoding: name, as: UTF8.self)
        }
    }
}
