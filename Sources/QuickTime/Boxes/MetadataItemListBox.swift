package import Bytes
import ISOBMFF

/// `ilst`: the values of the keys (QuickTime File Format, "Metadata item list atom"). In `meta`.
package struct MetadataItemListBox: Box {
    package static var type: FourCC { "ilst" }

    package struct Item: Sendable, Equatable {
        /// The number of the key in `keys`, counted from 1. In iTunes' form of the list, which has no keys, a
        /// four-character code.
        package var index: UInt32
        package var values: [MetadataValue]
        package var others: [OpaqueBox] = []
    }

    package var items: [Item]
}

extension MetadataItemListBox {
    private static let valueType: FourCC = "data"

    package init(from reader: inout ByteReader) throws(ParseError) {
        items = []
        while let child = try reader.nextBox() {
            var item = Item(index: child.type.rawValue, values: [])
            var payload = child.payload
            while let part = try payload.nextBox() {
                if part.type == Self.valueType {
                    var value = part.payload
                    item.values.append(try MetadataValue(from: &value))
                } else {
                    item.others.append(OpaqueBox(part))
                }
            }
            try payload.finishPadded()
            items.append(item)
        }
    }

    package func write(to writer: inout ByteWriter) {
        for item in items {
            writer.box(FourCC(rawValue: item.index)) { box in
                for value in item.values {
                    box.box(Self.valueType) { value.write(to: &$0) }
                }
                box.boxes(item.others)
            }
        }
    }
}
