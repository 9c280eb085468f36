import ISOBMFF

/// The header of `mdat`, whose size is known only at the end: an empty `wide` box before it keeps room for a 64-bit
/// size (QuickTime File Format, "Wide atom").
package enum MediaDataHeader {
    private static let type: FourCC = "mdat"

    /// `wide` and a header to be patched, for the start of the data.
    package static var placeholder: [UInt8] {
        var writer = ByteWriter()
        writer.box("wide") { _ in }
        writer.box(type) { _ in }
        return writer.bytes
    }

    /// What has to be overwritten, counted from the start of the placeholder, for data of `payloadSize` bytes.
    package static func patch(payloadSize: Int) -> (offset: Int, bytes: [UInt8]) {
        let header = BoxHeader(type, payloadSize: payloadSize)
        return (BoxHeader.longSize - header.size, header.bytes)
    }
}
