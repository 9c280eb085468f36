/// Elements by their reasons, such as failed jobs. Reasons that differ only in numbers, such as the place of a fault, are one.
struct ReasonGroups<Reason: Sendable, Element: Sendable>: Sendable {
    /// Elements with one reason: that of the first.
    struct Group: Sendable {
        let reason: Reason
        fileprivate(set) var elements: [Element]
    }

    private var groups: [Group] = []
    private var indices: [String: Int] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// - Parameters:
    ///   - text: The reason as text.
    ///   - ignoresNumbers: Whether reasons that differ only in numbers are one.
    mutating func add(_ element: Element, _ reason: Reason, text: String, ignoresNumbers: Bool = true) {
        let key = ignoresNumbers ? text.replacing(/[0-9]+/, with: "0") : text
        if let index = indices[key] {
            groups[index].elements.append(element)
        } else {
            indices[key] = groups.count
            groups.append(Group(reason: reason, elements: [element]))
        }
    }

    /// The groups, the largest first; groups of one size in the order of their first elements.
    var sorted: [Group] {
        groups.enumerated().sorted {
            ($1.element.elements.count, $0.offset) < ($0.element.elements.count, $1.offset)
        }.map(\.element)
    }
}
