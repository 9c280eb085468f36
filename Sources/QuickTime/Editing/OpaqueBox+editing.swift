import ISOBMFF

/// Changes within a box that leave every byte as it is of what is not changed: of boxes we know as well as of others.
extension OpaqueBox {
    /// Changes the boxes in it.
    ///
    /// - Parameter start: how many bytes stand before them.
    /// - Throws: `ParseError` when the boxes cannot be told apart.
    mutating func editBoxes(after start: Int = 0, _ change: (inout [OpaqueBox]) throws -> Void) throws {
        var reader = self.reader
        var writer = ByteWriter()
        writer.append(try reader.bytes(start))
        var boxes: [OpaqueBox] = []
        while let child = try reader.nextBox() { boxes.append(OpaqueBox(child)) }
        let before = boxes
        try change(&boxes)
        guard boxes != before else { return }
        writer.boxes(boxes)
        writer.append(reader.rest())
        payload = writer.bytes
    }

    /// Changes it as what it is.
    mutating func edit<Value: Box>(as _: Value.Type, _ change: (inout Value) throws -> Void) throws {
        var reader = self.reader
        let before = try Value(from: &reader)
        var value = before
        try change(&value)
        if value != before { self = OpaqueBox(writing: value) }
    }
}

extension [OpaqueBox] {
    /// Changes the box that is found by the types of `path`, the outermost first: the first of each, as readers do.
    /// Nothing happens where there is none.
    mutating func edit(_ path: [FourCC], _ change: (inout OpaqueBox) throws -> Void) throws {
        guard let type = path.first, let index = firstIndex(where: { $0.type == type }) else { return }
        if path.count == 1 {
            try change(&self[index])
        } else {
            try self[index].editBoxes { try $0.edit(Array<FourCC>(path.dropFirst()), change) }
        }
    }

    func firstIndex(of type: FourCC) -> Int? { firstIndex { $0.type == type } }
}
