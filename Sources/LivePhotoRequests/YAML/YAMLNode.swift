import MediaModel

/// A value of a YAML or JSON document with its place.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        /// An empty value, `null` or `~`.
        case null
        /// A quoted or plain scalar; `OptionValue` interprets it.
        case text(String)
        case list([YAMLNode])
        case mapping([Entry])
    }

    package struct Entry: Sendable {
        package let key: String
        package let place: LivePhotoError.Place
        package let value: YAMLNode

        /// An entry with a value that keeps its place.
        package init(key: String, _ value: YAMLNode) {
            (self.key, place, self.value) = (key, value.place, value)
        }

        init(key: String, place: LivePhotoError.Place, value: YAMLNode) {
            (self.key, self.place, self.value) = (key, place, value)
        }
    }

    package let content: Content
    /// The file's name, for errors.
    package let file: String
    package let place: LivePhotoError.Place
    let keys: YAMLPath

    /// The path of keys from the root, `jobs[2].video.crf`; empty for the root.
    package var path: String { keys.text }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// This mapping with other entries.
    package func replacingEntries(_ entries: [Entry]) -> YAMLNode {
        YAMLNode(content: .mapping(entries), file: file, place: place, keys: keys)
    }

    /// A new entry for this mapping, with `place` for errors in its value.
    package func entry(_ key: String, _ text: String, at place: LivePhotoError.Place?) -> Entry {
        let value = YAMLNode(
            content: .text(text), file: file, place: place ?? self.place, keys: .key(key, of: keys))
        return Entry(key: key, place: value.place, value: value)
    }

    /// An error at this node's place.
    package func error(_ code: LivePhotoError.Code, _ message: String) -> LivePhotoError {
        LivePhotoError(code, file: file, at: place, message)
    }

    /// An error at this node's place that starts with its path: `video.crf: …`.
    package func valueError(_ code: LivePhotoError.Code, _ message: String) -> LivePhotoError {
        let path = path
        return error(code, path.isEmpty ? message : "\(path): \(message)")
    }

    package func text() throws(LivePhotoError) -> String {
        guard case .text(let text) = content else { throw wrongType(expected: "a value") }
        return text
    }

    /// Non-empty text without line breaks and other control characters.
    package func line() throws(LivePhotoError) -> String {
        let text = try text()
        guard !text.isEmpty, !text.unicodeScalars.contains(where: isControl) else {
            throw valueError(.invalidValue, "\(quoted(text)) is not one line of text")
        }
        return text
    }

    package func option<Value: OptionValue>(_: Value.Type = Value.self) throws(LivePhotoError) -> Value {
        let text = try text()
        do {
            return try Value(text)
        } catch {
            throw valueError(.invalidValue, error.description)
        }
    }

    package func list() throws(LivePhotoError) -> [YAMLNode] {
        guard case .list(let elements) = content else { throw wrongType(expected: "a list") }
        return elements
    }

    package func wrongType(expected: String) -> LivePhotoError {
        let found =
            switch content {
            case .null: "nothing"
            case .text(let text): quoted(text)
            case .list: "a list"
            case .mapping: "keys with values"
            }
        return valueError(.wrongType, "expected \(expected), found \(found)")
    }
}
