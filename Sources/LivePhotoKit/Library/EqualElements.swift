/// Finds elements that have the same key, by their indices. Most have no equal one, so that these take no list.
struct EqualElements<Key: Hashable> {
    /// The first element with each key.
    private(set) var firsts: [Key: Int32] = [:]
    /// All elements with the key of the first of them, where there are several.
    private(set) var groups: [Int32: [Int]] = [:]

    mutating func add(_ index: Int, key: Key) {
        if let first = firsts[key] {
            groups[first, default: [Int(first)]].append(index)
        } else {
            firsts[key] = Int32(index)
        }
    }
}
