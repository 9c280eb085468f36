import Bytes
import ISOBMFF

/// The header of `mdat`, whose size is known only at the end: an empty `wide` box before it reserves space for a 64-bit
/// size (QuickTime File Format, "Wide atom").
package enum MediaDataHeader {
    private static let type: FourCC = "mdat"

    /// `wide` and a header to patch, to write before the data.
    package static var placeholder: [UInt8] {
        var writer = ByteWriter()
        writer.box("wide") { _ in }
        writer.box(type) { _ in }
        return writer.bytes
    }

    /// The bytes to overwrite for data of `payloadSize` bytes, at an offset from the start of the placeholder.
    package static func patch(payloadSize: Int) -> (offset: Int, bytes: [UInt8]) {
        let header = BoxHeader(type, payloadSize: payloadSize)
        return (BoxHeader.longSize - header.size, header.bytes)
    }
}
