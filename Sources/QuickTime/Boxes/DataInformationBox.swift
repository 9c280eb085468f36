package import Bytes
import ISOBMFF

/// `dinf`: holds the data references (ISO/IEC 14496-12, 8.7.1). In `minf`.
package struct DataInformationBox: Box {
    package static var type: FourCC { "dinf" }

    package var references: DataReferenceBox?
    package var others: [OpaqueBox] = []
}

extension DataInformationBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        while let child = try reader.nextBox() {
            switch child.type {
            case DataReferenceBox.type where references == nil: references = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(references)
        writer.boxes(others)
    }
}
