import SystemPackage

/// Photos or movies of which more and more are taken, because it is known where they belong.
struct RemainingItems {
    /// Which of them.
    enum Part {
        case all
        /// Those with a content identifier.
        case identified
    }

    private(set) var items: [PairFinder.Item]
    /// The place of each among all.
    private var places: [Int32]
    private var isTaken: [Bool]

    init(_ items: [PairFinder.Item]) {
        self.items = items
        places = Array(0..<Int32(items.count))
        isTaken = Array(repeating: false, count: items.count)
    }

    subscript(index: Int32) -> PairFinder.Item { items[Int(index)] }

    func place(of index: Int32) -> Int32 { places[Int(index)] }

    mutating func take(_ index: Int32) { isTaken[Int(index)] = true }

    /// Changes the indices of the others, but not their places.
    mutating func removeTaken() {
        guard isTaken.contains(true) else { return }
        let rest = items.indices.filter { !isTaken[$0] }
        items = rest.map { items[$0] }
        places = rest.map { places[$0] }
        isTaken = Array(repeating: false, count: rest.count)
    }

    func indices(_ part: Part) -> [Int32] {
        (0..<Int32(items.count)).filter { part == .all || self[$0].identifier != nil }
    }

    /// The indices of the files in each folder.
    ///
    /// - Throws: `CancellationError`.
    func folders(_ part: Part) throws -> [FilePath: [Int32]] {
        var folders: [FilePath: [Int32]] = [:]
        for index in indices(part) {
            try Task.checkCancellation()
            folders[self[index].path.removingLastComponent(), default: []].append(index)
        }
        return folders
    }
}
