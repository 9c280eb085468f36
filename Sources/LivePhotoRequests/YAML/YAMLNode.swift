import MediaModel

/// A value of a YAML or JSON document with its place.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        /// Nothing at all, `null` or `~`.
        case null
        /// A scalar's text, whether it was quoted or not: what it means is for the option to say.
        case text(String)
        case list([YAMLNode])
        case mapping([Entry])
    }

    package struct Entry: Sendable {
        package let key: String
        package let place: LivePhotoError.Place
        package let value: YAMLNode

        package init(key: String, place: LivePhotoError.Place, value: YAMLNode) {
            self.key = key
            self.place = place
            self.value = value
        }
    }

    package let content: Content
    /// The file's name, for errors.
    package let file: String
    package let place: LivePhotoError.Place
    /// The keys that lead here: `jobs[2].video.crf`; empty for the document itself.
    package let path: String

    package init(content: Content, file: String, place: LivePhotoError.Place, path: String) {
        (self.content, self.file, self.place, self.path) = (content, file, place, path)
    }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// An error at this node's place.
    package func error(_ code: LivePhotoError.Code, _ message: String) -> LivePhotoError {
        LivePhotoError(code, file: file, at: place, message)
    }

    /// An error about this node's value: `video.crf: …`.
    package func valueError(_ code: LivePhotoError.Code, _ message: String) -> LivePhotoError {
        error(code, path.isEmpty ? message : "\(path): \(message)")
    }

    /// The scalar's text.
    package func text() throws(LivePhotoError) -> String {
        guard case .text(let text) = content else { throw wrongType(expected: "a value") }
        return text
    }

    /// Text that is not empty and holds no line break or other control character.
    package func line() throws(LivePhotoError) -> String {
        let text = try text()
        guard !text.isEmpty, !text.unicodeScalars.contains(where: isControl) else {
            throw valueError(.invalidValue, "\(quoted(text)) is not one line of text")
        }
        return text
    }

    /// The scalar as an option.
    package func option<Value: OptionValue>(_: Value.Type = Value.self) throws(LivePhotoError) -> Value {
        let text = try text()
        do {
            return try Value(text)
        } catch {
            throw valueError(.invalidValue, error.description)
        }
    }

    /// The elements of a list.
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
