/// What the names of a photo and its movie have in common.
struct NameKey: Hashable {
    let base: String
    let number: Int?
    let version: Int?
    /// Nil if an edited photo may belong to the movie of the original.
    let isEdited: Bool?

    /// - Returns: Nil without a name.
    init?(_ name: ExportedName?, ignoringEdits: Bool = false) {
        guard let name else { return nil }
        (base, number, version) = (name.base, name.number, name.version)
        isEdited = ignoringEdits ? nil : name.isEdited
    }
}

/// Two keys in one.
struct BothKeys<First: Hashable, Second: Hashable>: Hashable {
    let first: First
    let second: Second

    /// - Returns: Nil without one of them.
    init?(_ first: First?, _ second: Second?) {
        guard let first, let second else { return nil }
        (self.first, self.second) = (first, second)
    }
}
