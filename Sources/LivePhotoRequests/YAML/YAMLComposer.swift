import Yams

/// Has Yams read a text, safely.
///
/// Yams hashes every key while it reads: keys that are collections with all that they hold, aliases expanded. A kilobyte
/// can keep it busy for ever with that. So each text is read first with the signs that make such keys replaced by harmless
/// ones, and is rejected if it uses them. Any other text takes time in proportion to its length.
///
/// Yams' reader is recursive. libyaml stops at 1,000 levels, for which it takes less than 2 MiB of stack.
enum YAMLComposer {
    /// Yams' tree of `text`; nil for a text without a document.
    ///
    /// - Parameter linesBefore: how many lines of the file precede the text; places do not count them.
    static func compose(_ text: String, file: String, linesBefore: Int) throws(LivePhotoError) -> Yams.Node? {
        do {
            let parser = try parser(inert(text))
            // Nodes hold their anchors weakly, the parser holds them on.
            try withExtendedLifetime(parser) {
                if let root = try parser.singleRoot() { try refuseSigns(root, file: file) }
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

    /// Stands for `*` and `?`. A private-use character, like the next, which ordinary text does not have.
    private static let aliasSign: Unicode.Scalar = "\u{10FFFC}"
    /// Stands for a `:` that follows the end of a list or of a mapping in braces, which it would make a key.
    private static let keySign: Unicode.Scalar = "\u{10FFFD}"

    /// `text` with every sign that could make an alias or a key of more than a word changed for one that cannot, also
    /// where it is part of a text and makes nothing.
    private static func inert(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterCollection = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "*", "?": result.append(aliasSign)
            case ":" where isAfterCollection: result.append(keySign)
            default: result.append(scalar)
            }
            let isBlank = scalar == " " || scalar == "\t"
            isAfterCollection = scalar == "]" || scalar == "}" || (isAfterCollection && isBlank)
        }
        return String(result)
    }

    /// Throws if a sign is in `node` where it would have its meaning: at the beginning of a plain scalar, or, for the sign of a
    /// key, anywhere in one.
    private static func refuseSigns(_ node: Yams.Node, file: String) throws(LivePhotoError) {
        let plain = node.scalar.flatMap { $0.style == .plain ? $0.string.unicodeScalars : nil }
        guard node.anchor == nil, plain?.first != aliasSign else {
            throw LivePhotoError(
                .syntax, file: file, at: LivePhotoError.Place(node.mark),
                "anchors (&), aliases (*) and explicit keys (?) are not read; "
                    + "write the value out, or quote it if it is text")
        }
        guard plain?.contains(keySign) != true else {
            throw LivePhotoError(
                .syntax, file: file, at: LivePhotoError.Place(node.mark),
                "a key has to be a word; quote this if it is text")
        }
        switch node {
        case .scalar, .alias: break
        case .sequence(let elements):
            for element in elements { try refuseSigns(element, file: file) }
        case .mapping(let pairs):
            for (key, value) in pairs {
                try refuseSigns(key, file: file)
                try refuseSigns(value, file: file)
            }
        }
    }

    /// A parser that leaves the meaning of scalars to us. With an encoding left to its choice it would heed, and print a
    /// line about, an environment variable.
    private static func parser(_ text: String) throws -> Parser {
        try Parser(yaml: text, resolver: .basic, encoding: .utf8)
    }
}

extension LivePhotoError.Place {
    /// The beginning of the file when Yams knows no place.
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
            // The other thing that Yams calls so is an alias of an unknown anchor, which has been refused before.
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
