package import Bytes
import ISOBMFF

/// `edts`: holds the edit list (ISO/IEC 14496-12, 8.6.5). In `trak`.
package struct EditBox: Box {
    package static var type: FourCC { "edts" }

    package var list: EditListBox?
    package var others: [OpaqueBox] = []

    package init(_ list: EditListBox) {
        self.list = list
    }
}

extension EditBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        while let child = try reader.nextBox() {
            switch child.type {
            case EditListBox.type where list == nil: list = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(list)
        writer.boxes(others)
    }
}
