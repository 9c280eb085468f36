import ISOBMFF

/// A box with its header.
func box(_ type: FourCC, _ payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.box(type) { $0.append(payload) }
    return writer.bytes
}
