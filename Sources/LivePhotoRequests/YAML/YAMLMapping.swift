import MediaModel

/// A mapping that has only known keys: the cases of an enum, and others from a table such as `Setting.all`.
package struct YAMLMapping<Key: RawRepresentable<String>> {
    private let values: [String: YAMLNode]
    package let node: YAMLNode

    /// - Throws: `LivePhotoError` if `node` is not a mapping or has a key that is not in `keys`.
    package init(_ node: YAMLNode, keys: [String]) throws(LivePhotoError) {
        guard case .mapping(let entries) = node.content else {
            throw node.wrongType(expected: "keys with values")
        }
        var values: [String: YAMLNode] = [:]
        for entry in entries {
            guard keys.contains(entry.key) else {
                throw LivePhotoError(
                    .unknownKey, file: node.file, at: entry.place,
                    "unknown key \(quoted(entry.key))\(suggestion(for: entry.key, among: keys))")
            }
            values[entry.key] = entry.value
        }
        self.values = values
        self.node = node
    }

    package subscript(key: Key) -> YAMLNode? { values[key.rawValue] }

    package subscript(key: String) -> YAMLNode? { values[key] }

    package func required(_ key: Key) throws(LivePhotoError) -> YAMLNode { try required(key.rawValue) }

    func required(_ key: String) throws(LivePhotoError) -> YAMLNode {
        if let value = values[key] { return value }
        throw node.error(.missingKey, "the key '\(YAMLPath.key(key, of: node.keys).text)' is missing")
    }

    /// The line of text at `key`, or `inherited` if the key is missing.
    func line(_ key: Key, or inherited: String?) throws(LivePhotoError) -> String {
        if let inherited, values[key.rawValue] == nil { return inherited }
        return try required(key).line()
    }
}
