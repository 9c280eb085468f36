package import Bytes
import ISOBMFF

/// `meta`: keys and values about the movie (QuickTime File Format, "Metadata"). In `moov`, `trak`, `udta`.
package struct MetadataBox: Box {
    package static var type: FourCC { "meta" }

    package enum Form: Sendable, Hashable {
        /// A plain box.
        case quickTime
        /// A full box, which begins with version and flags (ISO/IEC 14496-12, 8.11.1).
        case iso
    }

    package var form: Form
    package var handler: HandlerBox?
    package var keys: MetadataKeysBox?
    package var itemList: MetadataItemListBox?
    package var others: [OpaqueBox] = []

    /// A box in QuickTime's form with one value for each key.
    package init(items: [MetadataItem]) {
        form = .quickTime
        handler = .metadata
        keys = MetadataKeysBox(keys: items.map(\.key))
        itemList = MetadataItemListBox(
            items: zip(1..., items).map { MetadataItemListBox.Item(index: $0, values: [$1.value]) })
    }

    /// All values whose key is known, in the order of the file.
    package var items: [MetadataItem] {
        guard let keys, let itemList else { return [] }
        return itemList.items.flatMap { item -> [MetadataItem] in
            guard let key = keys[item.index] else { return [] }
            return item.values.map { MetadataItem(key: key, value: $0) }
        }
    }

    /// Replaces all values of a key by one.
    package mutating func set(_ item: MetadataItem) {
        handler = handler ?? .metadata
        var keys = self.keys ?? MetadataKeysBox(keys: [])
        var itemList = self.itemList ?? MetadataItemListBox(items: [])
        let index = keys.index(adding: item.key)
        itemList.items.removeAll { $0.index == index }
        itemList.items.append(MetadataItemListBox.Item(index: index, values: [item.value]))
        self.keys = keys
        self.itemList = itemList
    }

    /// Removes a key and its values, and renumbers the keys after it.
    mutating func remove(_ key: MetadataKey) {
        guard let all = keys?.keys, all.contains(key) else { return }
        var kept: [MetadataKey] = []
        let numbers = all.map { other -> UInt32? in
            guard other != key else { return nil }
            kept.append(other)
            return UInt32(kept.count)
        }
        keys?.keys = kept
        let items = itemList?.items ?? []
        itemList?.items = items.compactMap { item in
            // An item whose key does not exist keeps its number.
            guard item.index > 0, item.index <= numbers.count else { return item }
            guard let number = numbers[Int(item.index) - 1] else { return nil }
            var item = item
            item.index = number
            return item
        }
    }
}

extension MetadataBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        form = Self.form(of: reader)
        if form == .iso { _ = try reader.fullBoxHeader() }
        while let child = try reader.nextBox() {
            switch child.type {
            case HandlerBox.type where handler == nil: handler = try child.read()
            case MetadataKeysBox.type where keys == nil: keys = try child.read()
            case MetadataItemListBox.type where itemList == nil: itemList = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    /// A leading zero is the version and flags of ISO's form, since no first box has size 0. Four zero bytes alone are
    /// QuickTime's list terminator.
    static func form(of reader: ByteReader) -> Form {
        var reader = reader
        guard reader.remaining >= BoxHeader.shortSize, let first = try? reader.integer(UInt32.self) else {
            return .quickTime
        }
        return first == 0 ? .iso : .quickTime
    }

    package func write(to writer: inout ByteWriter) {
        if form == .iso { writer.fullBoxHeader() }
        writer.box(handler)
        writer.box(keys)
        writer.box(itemList)
        writer.boxes(others)
    }
}
