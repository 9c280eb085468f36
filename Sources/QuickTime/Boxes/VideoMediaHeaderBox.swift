package import ISOBMFF

/// `vmhd`: how video is composited (QuickTime File Format, "Video media information header atoms"; ISO/IEC 14496-12,
/// 12.1.2). In `minf`.
package struct VideoMediaHeaderBox: Box {
    package static var type: FourCC { "vmhd" }

    /// 1 by specification.
    package var flags: UInt32 = 1
    package var compositing: Compositing = .ditherCopy
}

extension VideoMediaHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        flags = try reader.fullBoxHeader().flags
        compositing = try Compositing(from: &reader)
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader(flags: flags)
        compositing.write(to: &writer)
    }
}
