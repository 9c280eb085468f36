package import Bytes
package import ISOBMFF

/// A box kept as bytes because nothing reads its fields.
package struct OpaqueBox: Sendable {
    package var type: FourCC
    package var payload: [UInt8]
    /// The file offset of the payload, for errors; 0 in a new box.
    private var fileOffset = 0

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

    /// A new box with the payload that `content` writes.
    init(_ type: FourCC, _ content: (inout ByteWriter) -> Void) {
        var writer = ByteWriter()
        content(&writer)
        self.init(type: type, payload: writer.bytes)
    }

    init(writing box: some Box) {
        self.init(box.type) { box.write(to: &$0) }
    }

    package var reader: ByteReader { ByteReader(payload, structure: type.description, fileOffset: fileOffset) }

    /// The complete box, with its header.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes it with its header.
    package func write(to writer: inout ByteWriter) {
        writer.box(type) { $0.append(payload) }
    }
}

extension ByteWriter {
    package mutating func box(_ box: OpaqueBox?) {
        box?.write(to: &self)
    }

    package mutating func boxes(_ boxes: [OpaqueBox]) {
        for box in boxes { box.write(to: &self) }
    }
}

extension OpaqueBox: Equatable {
    package static func == (left: OpaqueBox, right: OpaqueBox) -> Bool {
        left.type == right.type && left.payload == right.payload
    }
}
