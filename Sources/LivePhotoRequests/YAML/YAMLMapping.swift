import MediaModel

/// The keys that a mapping may have are the cases of an enum: one that is not declared cannot be read, and one that is
/// not declared cannot be written either.
package typealias YAMLKey = CaseIterable & Hashable & RawRepresentable<String>

/// A mapping all of whose keys are known.
package struct YAMLMapping<Key: YAMLKey> {
    private let values: [Key: YAMLNode]
    package let node: YAMLNode

    /// - Throws: `ConfigurationError` when `node` is no mapping or has a key that is not of `Key`.
    package init(_ node: YAMLNode) throws(ConfigurationError) {
        guard case .mapping(let entries) = node.content else {
            throw node.wrongType(expected: "keys with values")
        }
        var values: [Key: YAMLNode] = [:]
        for entry in entries {
            guard let key = Key(rawValue: entry.key) else {
                let hint = suggestion(for: entry.key, among: Key.allCases.map(\.rawValue))
                throw ConfigurationError(
                    .unknownKey, file: node.file, at: entry.place, "unknown key \(quoted(entry.key))\(hint)")
            }
            values[key] = entry.value
        }
        self.values = values
        self.node = node
    }

    /// The value of `key`; nil when the key is not there.
    package subscript(key: Key) -> YAMLNode? { values[key] }

    /// The value of `key`, which has to be there.
    package func required(_ key: Key) throws(ConfigurationError) -> YAMLNode {
        guard let value = values[key] else {
            let path = node.path.isEmpty ? key.rawValue : "\(node.path).\(key.rawValue)"
            throw node.error(.missingKey, "the key '\(path)' is missing")
        }
        return value
    }

    /// The option at `key`, or `inherited` when the key is not there.
    ///
    /// - Throws: `ConfigurationError` when there is neither, or the option cannot be read.
    package func option<Value: OptionValue>(
        _ key: Key, else inherited: Value?
    ) throws(ConfigurationError) -> Value {
        if let inherited, values[key] == nil { return inherited }
        return try required(key).option()
    }

    /// The option at `key`, nil where it is null, or `inherited` when the key is not there.
    ///
    /// - Throws: `ConfigurationError` when the option cannot be read.
    package func optional<Value: OptionValue>(
        _ key: Key, else inherited: Value? = nil
    ) throws(ConfigurationError) -> Value? {
        guard let value = values[key] else { return inherited }
        return value.isNull ? nil : try value.option()
    }

    /// The shape at one of two keys, of which one at most says something.
    package func shape(fill: Key, fit: Key) throws(ConfigurationError) -> Framing.Shape? {
        let (filled, fitted): (AspectRatio?, AspectRatio?) = (try optional(fill), try optional(fit))
        do {
            return try Framing.Shape(fill: filled, fit: fitted)
        } catch {
            throw (self[fit] ?? node).valueError(.invalidValue, error.description)
        }
    }

    /// The line of text at `key`, or `inherited` when the key is not there.
    package func line(_ key: Key, else inherited: String?) throws(ConfigurationError) -> String {
        if let inherited, values[key] == nil { return inherited }
        return try required(key).line()
    }

    /// What `read` makes of the mapping at `key`, or `inherited` when the key is not there.
    package func section<Value, Inner: YAMLKey>(
        _ key: Key, else inherited: Value?, _ read: (YAMLMapping<Inner>) throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> Value {
        if let inherited, values[key] == nil { return inherited }
        return try read(YAMLMapping<Inner>(required(key)))
    }
}
