package import ISOBMFF

/// A box kept unchanged because its fields are unknown or not needed.
package struct OpaqueBox: Sendable {
    package var type: FourCC
    package var payload: [UInt8]
    /// The file offset of the payload, for errors; 0 in a new box.
    package private(set) var fileOffset = 0

    package init(type: FourCC, payload: [UInt8] = []) {
        self.type = type
        self.payload = payload
    }

    package init(_ child: ChildBox) {
        var reader = child.payload
        type = child.type
        fileOffset = reader.offset
        payload = reader.rest()
    }

    /// The same box with its fields written out.
    init(writing box: some Box) {
        var writer = ByteWriter()
        box.write(to: &writer)
        self.init(type: box.type, payload: writer.bytes)
    }

    package var reader: ByteReader { ByteReader(payload, structure: type.description, fileOffset: fileOffset) }

    /// Writes it with its header.
    package func write(to writer: inout ByteWriter) {
        writer.box(type) { $0.append(payload) }
    }
}

extension ByteWriter {
    package mutating func boxes(_ boxes: [OpaqueBox]) {
        for box in boxes { box.write(to: &self) }
    }
}

extension OpaqueBox: Equatable {
    package static func == (left: OpaqueBox, right: OpaqueBox) -> Bool {
        left.type == right.type && left.payload == right.payload
    }
}
