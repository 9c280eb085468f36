import Yams

/// Parses text with Yams in time proportional to its length.
///
/// Yams hashes every key while it parses. If keys are collections with aliases, a kilobyte of text can take forever.
/// Each text is therefore parsed first with the characters for aliases and such keys replaced by private-use ones.
/// If one of these has the original's role in the result, the text is rejected.
///
/// Yams' parser is recursive. libyaml's limit of 1,000 levels needs less than 2 MiB of stack.
enum YAMLComposer {
    /// The root node of `text`; nil if it has no document.
    ///
    /// - Parameter linesBefore: the number of lines of the file that precede the text; places do not include them.
    static func compose(_ text: String, file: String, linesBefore: Int) throws(LivePhotoError) -> Yams.Node? {
        do {
            let parser = try parser(withMarkers(text))
            // Nodes reference their anchors weakly; the parser owns them.
            try withExtendedLifetime(parser) {
                if let root = try parser.singleRoot() { try rejectMarkers(root, file: file) }
            }
            return try Self.parser(text).singleRoot()
        } catch let error as LivePhotoError {
            throw error
        } catch let error as YamlError {
            throw LivePhotoError(error, file: file, linesBefore: linesBefore)
        } catch {
            throw LivePhotoError(.syntax, file: file, "\(error)")
        }
    }

    /// Replaces `*` and `?`.
    private static let aliasMarker: Unicode.Scalar = "\u{10FFFC}"
    /// Replaces a `:` after `]` or `}`, which would make the collection a key.
    private static let keyMarker: Unicode.Scalar = "\u{10FFFD}"

    /// `text` with every character that could form an alias or a collection as key replaced, also inside scalars.
    private static func withMarkers(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterCollection = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "*", "?": result.append(aliasMarker)
            case ":" where isAfterCollection: result.append(keyMarker)
            default: result.append(scalar)
            }
            let isBlank = scalar == " " || scalar == "\t"
            isAfterCollection = scalar == "]" || scalar == "}" || (isAfterCollection && isBlank)
        }
        return String(result)
    }

    /// Throws if a marker is where the original has its role: `aliasMarker` at the start of a plain scalar, `keyMarker`
    /// anywhere in one.
    private static func rejectMarkers(_ node: Yams.Node, file: String) throws(LivePhotoError) {
        let plain = node.scalar.flatMap { $0.style == .plain ? $0.string.unicodeScalars : nil }
        guard node.anchor == nil, plain?.first != aliasMarker else {
            throw LivePhotoError(
                .syntax, file: file, at: LivePhotoError.Place(node.mark),
                "anchors (&), aliases (*) and explicit keys (?) are not read; "
                    + "write the value out, or quote it if it is text")
        }
        guard plain?.contains(keyMarker) != true else {
            throw LivePhotoError(
                .syntax, file: file, at: LivePhotoError.Place(node.mark),
                "a key has to be a word; quote this if it is text")
        }
        switch node {
        case .scalar, .alias: break
        case .sequence(let elements):
            for element in elements { try rejectMarkers(element, file: file) }
        case .mapping(let pairs):
            for (key, value) in pairs {
                try rejectMarkers(key, file: file)
                try rejectMarkers(value, file: file)
            }
        }
    }

    /// A parser that does not interpret scalars. Without an explicit encoding, Yams would read it from an environment
    /// variable and print a line about it.
    private static func parser(_ text: String) throws -> Parser {
        try Parser(yaml: text, resolver: .basic, encoding: .utf8)
    }
}

extension LivePhotoError.Place {
    /// The beginning of the file if Yams reports no place.
    init(_ mark: Mark?) {
        self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

extension LivePhotoError {
    static let tooDeep = "nested too deeply"

    fileprivate init(_ error: YamlError, file: String, linesBefore: Int) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            // libyaml's message for its limit of 1,000 levels names an internal function.
            guard !problem.hasPrefix("Maximum nesting level") else {
                self.init(.overLimit, file: file, at: Place(mark), Self.tooDeep)
                return
            }
            let began =
                context.map { " (\($0.text) that began at \($0.mark.line + linesBefore):\($0.mark.column))" } ?? ""
            self.init(.syntax, file: file, at: Place(mark), "not valid YAML: \(problem)\(began)")
        case .composer(_, _, let mark, _):
            // The other cause, an alias of an unknown anchor, has been rejected before.
            self.init(.syntax, file: file, at: Place(mark), "a second document begins here; only one is read")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = alternatives(keys.map(quoted), "and")
            self.init(.duplicateKey, file: file, at: Place(context.mark), "\(names) given more than once")
        case .memory:
            self.init(.overLimit, file: file, "not valid YAML: too large for memory")
        case .no, .reader, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            self.init(.syntax, file: file, "not valid YAML: \(error)")
        }
    }
}
