package import MediaModel

/// A content identifier as a person writes it: a UUID, in any case.
package struct ContentIdentifierOption: OptionValue {
    package let identifier: ContentIdentifier

    package init(_ text: String) throws(OptionError) {
        guard let identifier = ContentIdentifier(text) else {
            throw OptionError(text, isNot: "a UUID", write: "one as CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
        }
        self.identifier = identifier
    }

    /// In upper case.
    package var description: String { identifier.string }
}
