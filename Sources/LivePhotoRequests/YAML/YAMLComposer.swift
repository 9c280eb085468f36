/// Builds the tree of a document from the parser's events. Each event is checked before anything is built from it, and
/// nodes share the keys that lead to them, so time and memory are proportional to the length of the text.
struct YAMLComposer {
    /// The maximum nesting depth; real documents have five levels.
    private static let depthLimit = 32
    private let parser: YAMLParser
    private let file: String
    private let linesBefore: Int

    /// - Parameters:
    ///   - file: the file's name, for errors.
    ///   - linesBefore: the number of lines of the file that precede the text.
    init(_ text: String, file: String, linesBefore: Int) throws(LivePhotoError) {
        (self.file, self.linesBefore) = (file, linesBefore)
        do {
            parser = try YAMLParser(text)
        } catch {
            throw LivePhotoError(.overLimit, file: file, Self.tooLargeForMemory)
        }
    }

    /// The only document's root; nil if there is no document.
    func root() throws(LivePhotoError) -> YAMLNode? {
        var event = try next()
        if case .streamStart = event.kind { event = try next() }
        guard case .documentStart = event.kind else { return nil }
        let root = try node(try next(), keys: .root, depth: 0)
        event = try next()
        if case .documentEnd = event.kind { event = try next() }
        guard case .streamEnd = event.kind else {
            throw error(.syntax, event, "a second document begins here; only one is read")
        }
        return root
    }

    /// The node that begins with `event`.
    private func node(_ event: YAMLEvent, keys: YAMLPath, depth: Int) throws(LivePhotoError) -> YAMLNode {
        guard depth < Self.depthLimit else { throw error(.overLimit, event, "nested too deeply") }
        try check(event)
        let content: YAMLNode.Content
        switch event.kind {
        case .scalar(let text, let isPlain): content = isPlain && Self.isNull(text) ? .null : .text(text)
        case .sequenceStart: content = .list(try elements(keys: keys, depth: depth))
        case .mappingStart: content = .mapping(try entries(keys: keys, depth: depth))
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd, .alias:
            throw error(.syntax, event, "not valid YAML: a value is missing")
        }
        return YAMLNode(content: content, file: file, place: place(event.place), keys: keys)
    }

    private func elements(keys: YAMLPath, depth: Int) throws(LivePhotoError) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try node(event, keys: .index(elements.count, of: keys), depth: depth + 1))
        }
    }

    private func entries(keys: YAMLPath, depth: Int) throws(LivePhotoError) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var places: [String: LivePhotoError.Place] = [:]
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { return entries }
            try check(event)
            guard case .scalar(let key, _) = event.kind else {
                throw error(.syntax, event, "a key has to be a word; quote this if it is text")
            }
            let place = place(event.place)
            if let first = places.updateValue(place, forKey: key) {
                throw LivePhotoError(.duplicateKey, file: file, at: first, "\(quoted(key)) given more than once")
            }
            let value = try node(try next(), keys: .key(key, of: keys), depth: depth + 1)
            entries.append(YAMLNode.Entry(key: key, place: place, value: value))
        }
    }

    private func check(_ event: YAMLEvent) throws(LivePhotoError) {
        if case .alias = event.kind { throw error(.syntax, event, Self.noAliases) }
        guard !event.hasAnchor else { throw error(.syntax, event, Self.noAliases) }
        guard !event.hasTag else { throw error(.syntax, event, "tags (!) are not read; leave it out") }
        if case .scalar(let text, _) = event.kind, FileText.hasLongChain(text.unicodeScalars) {
            throw error(.overLimit, event, "more than \(FileText.longestChain) combining characters in a row")
        }
    }

    private static let noAliases =
        "anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"

    /// Tag resolution of YAML's core schema (YAML 1.2.2, section 10.3.2).
    private static func isNull(_ text: String) -> Bool {
        ["", "~", "null", "Null", "NULL"].contains(text)
    }

    private func next() throws(LivePhotoError) -> YAMLEvent {
        do {
            return try parser.next()
        } catch {
            throw explained(error)
        }
    }

    private func explained(_ error: YAMLParserError) -> LivePhotoError {
        switch error {
        case .outOfMemory:
            return LivePhotoError(.overLimit, file: file, Self.tooLargeForMemory)
        case .invalid(_, _, let context?)
        where context.text == "while scanning an alias" || context.text == "while scanning an anchor":
            // A file pattern such as *.mp4 is an alias with a name that is not allowed.
            return LivePhotoError(.syntax, file: file, at: place(context.place), Self.noAliases)
        case .invalid(let problem, let position, let context):
            let began = context.map { context in
                let place = place(context.place)
                return " (\(context.text) that began at \(place.line):\(place.column))"
            }
            return LivePhotoError(
                .syntax, file: file, at: place(position), "not valid YAML: \(problem)\(began ?? "")")
        }
    }

    private static let tooLargeForMemory = "not valid YAML: too large for memory"

    private func error(_ code: LivePhotoError.Code, _ event: YAMLEvent, _ message: String) -> LivePhotoError {
        LivePhotoError(code, file: file, at: place(event.place), message)
    }

    private func place(_ place: YAMLPlace) -> LivePhotoError.Place {
        LivePhotoError.Place(line: place.line + linesBefore + 1, column: place.column + 1)
    }
}
