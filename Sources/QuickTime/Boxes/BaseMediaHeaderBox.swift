package import ISOBMFF

/// `gmhd`: the header of media that is neither video nor sound (QuickTime File Format, "Base media information
/// header atoms"). In `minf`.
package struct BaseMediaHeaderBox: Box {
    package static var type: FourCC { "gmhd" }

    package var information: BaseMediaInformationBox?
    /// Boxes particular to the media type, such as `tmcd`.
    package var others: [OpaqueBox] = []

    init(_ information: BaseMediaInformationBox) {
        self.information = information
    }
}

extension BaseMediaHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        while let child = try reader.nextBox() {
            switch child.type {
            case BaseMediaInformationBox.type where information == nil: information = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(information)
        writer.boxes(others)
    }
}
