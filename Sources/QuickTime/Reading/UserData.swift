import Bytes
import ISOBMFF
import MediaModel

extension MovieBox {
    private static let userDataType: FourCC = "udta"

    /// The metadata in `moov/udta`. Texts such as `©nam` (QuickTime File Format, "User data atoms") get the name space
    /// `udta`. Items of `meta` in iTunes' form get the name space `mdir`. Unreadable values are left out.
    package var userData: [MetadataItem] {
        guard var reader = others.first(where: { $0.type == Self.userDataType })?.reader else { return [] }
        var items: [MetadataItem] = []
        while let child = (try? reader.nextBox()) ?? nil {
            if child.type == MetadataBox.type {
                if let metadata: MetadataBox = try? child.read() { items += metadata.items + metadata.iTunesItems }
            } else if child.type.rawValue >> 24 == 0xA9 {
                items += Self.texts(of: child)
            }
        }
        return items
    }

    /// Whether `moov/udta` says that the movie is to be played again and again (`LOOP`).
    package var isLooped: Bool {
        guard var reader = others.first(where: { $0.type == Self.userDataType })?.reader else { return false }
        while let child = (try? reader.nextBox()) ?? nil {
            if child.type == "LOOP" { return true }
        }
        return false
    }

    /// A list of [u16 size, u16 language, text]. The text of a Macintosh language code, below 0x400, is often not UTF-8.
    private static func texts(of child: ChildBox) -> [MetadataItem] {
        let key = MetadataKey(space: userDataType, FileText(child.type.description))
        var reader = child.payload
        var items: [MetadataItem] = []
        while let size = try? reader.integer(UInt16.self), let language = try? reader.integer(UInt16.self),
            let text = try? reader.bytes(Int(size))
        {
            items.append(
                MetadataItem(key: key, value: MetadataValue(type: .utf8, locale: UInt32(language), bytes: text)))
        }
        return items
    }
}

extension MetadataBox {
    private static let iTunesSpace: FourCC = "mdir"

    /// The values of a list without `keys`, whose items are named by four-character codes, or by a name in the boxes
    /// `mean` and `name`.
    fileprivate var iTunesItems: [MetadataItem] {
        guard keys == nil, let itemList else { return [] }
        return itemList.items.flatMap { item in
            let names = (["mean", "name"] as [FourCC]).compactMap { type in
                item.others.first { $0.type == type }.map { FileText($0.payload.dropFirst(4)) }
            }
            let name =
                names.isEmpty ? FileText(FourCC(rawValue: item.index).description) : names.joined(separator: ":")
            return item.values.map { MetadataItem(key: MetadataKey(space: Self.iTunesSpace, name), value: $0) }
        }
    }
}
