package import Bytes
import ISOBMFF

/// `wave`: the parameters for decoding compressed sound (QuickTime File Format, "siDecompressionParam atom"). In an
/// audio sample entry of a QuickTime movie.
package struct SoundWaveBox: Box {
    package static var type: FourCC { "wave" }

    /// `frma`: the format, which is the sample entry's.
    package var format: FourCC?
    package var streamDescriptor: ESDescriptorBox?
    /// The other boxes in order, without the terminator.
    package var others: [OpaqueBox] = []
}

extension SoundWaveBox {
    private static let formatType: FourCC = "frma"
    /// An empty box of type 0, which ends the list.
    private static let terminator = OpaqueBox(type: FourCC(rawValue: 0))

    /// The boxes of MPEG-4 audio.
    init(mpeg4 streamDescriptor: ESDescriptorBox) {
        format = "mp4a"
        self.streamDescriptor = streamDescriptor
        others = [OpaqueBox(type: "mp4a", payload: [0, 0, 0, 0])]
    }

    package init(from reader: inout ByteReader) throws(ParseError) {
        while let child = try reader.nextBox() {
            switch child.type {
            case Self.formatType where format == nil:
                var payload = child.payload
                format = try payload.fourCC()
                try payload.finishPadded()
            case ESDescriptorBox.type where streamDescriptor == nil: streamDescriptor = try child.read()
            case Self.terminator.type: return
            default: others.append(OpaqueBox(child))
            }
        }
    }

    /// In the order of Apple's writers.
    package func write(to writer: inout ByteWriter) {
        if let format { writer.box(Self.formatType) { $0.fourCC(format) } }
        writer.boxes(others)
        writer.box(streamDescriptor)
        Self.terminator.write(to: &writer)
    }
}
