import Bytes
import ISOBMFF

/// Edits within a box that keep every other byte, in known and unknown boxes.
extension OpaqueBox {
    /// Changes the boxes in this box.
    ///
    /// - Parameter start: the number of bytes before them.
    /// - Throws: `ParseError` if the boxes cannot be read.
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

    /// Changes the fields of a box of a known type.
    mutating func edit<Value: Box>(as _: Value.Type, _ change: (inout Value) throws -> Void) throws {
        var reader = self.reader
        let before = try Value(from: &reader)
        var value = before
        try change(&value)
        if value != before { self = OpaqueBox(writing: value) }
    }
}

extension [OpaqueBox] {
    /// Changes the box at a path of types, the outermost first; takes the first of each type, as readers do. Does
    /// nothing if there is none.
    mutating func edit(_ path: [FourCC], _ change: (inout OpaqueBox) throws -> Void) throws {
        guard let type = path.first, let index = firstIndex(where: { $0.type == type }) else { return }
        if path.count == 1 {
            try change(&self[index])
        } else {
            try self[index].editBoxes { try $0.edit(Array<FourCC>(path.dropFirst()), change) }
        }
    }

    /// Changes the entries of `stsd` among the boxes in `trak`.
    mutating func editSampleEntries(_ change: (inout OpaqueBox) throws -> Void) throws {
        try edit([FourCC].sampleTable + [SampleDescriptionBox.type]) { box in
            // Version, flags and the number of entries.
            try box.editBoxes(after: 8) { entries in
                for index in entries.indices { try change(&entries[index]) }
            }
        }
    }

    /// Removes references to all other tracks from the boxes in `trak`.
    mutating func keepReferences(to ids: Set<UInt32>) throws {
        try edit([TrackReferenceBox.type]) { box in
            try box.edit(as: TrackReferenceBox.self) { tracks in
                tracks.references = tracks.references.compactMap { reference in
                    var reference = reference
                    reference.trackIDs.removeAll { !ids.contains($0) }
                    return reference.trackIDs.isEmpty ? nil : reference
                }
            }
        }
        if let index = firstIndex(of: TrackReferenceBox.type), self[index].payload.isEmpty { remove(at: index) }
    }

    func firstIndex(of type: FourCC) -> Int? { firstIndex { $0.type == type } }
}

extension [FourCC] {
    /// The path from `trak` to `stbl`.
    static var sampleTable: [FourCC] { [MediaBox.type, MediaInformationBox.type, SampleTableBox.type] }
}
