import Bytes
import ISOBMFF
import MediaModel

/// The gain map of a HEIF: an auxiliary picture of the photo (ISO/IEC 23008-12, 6.4.5), with its tiles and the metadata
/// that describe it.
struct HEIFGainMap: Sendable {
    struct Part: Sendable {
        let item: ItemInfoBox.Item
        let properties: [ItemPropertiesBox.Property]
        let data: [UInt8]
    }

    /// The first one is the gain map.
    let parts: [Part]
    /// From part to part, by the items' numbers in their file.
    let references: [ItemReferenceBox.Reference]

    /// Nil if the picture is not complete, or is cropped.
    ///
    /// - Parameter id: the number of the picture.
    init?(_ id: UInt32, of heif: HEIF, in file: [UInt8]) {
        func references(_ type: FourCC, where isWanted: (ItemReferenceBox.Reference) -> Bool) -> [UInt32] {
            heif.references.filter { $0.type == type && isWanted($0) }.flatMap { type == "dimg" ? $0.to : [$0.from] }
        }
        var seen: Set<UInt32> = []
        let ids =
            ([id] + references("dimg") { $0.from == id } + references("cdsc") { $0.to.contains(id) })
            .filter { seen.insert($0).inserted }
        guard ids.count <= HEIFLimits.gainMapParts else { return nil }
        var parts: [Part] = []
        var size = 0
        for id in ids {
            guard let item = heif.items.first(where: { $0.id == id }), item.type != nil,
                let location = heif.locations?.items.first(where: { $0.id == id }),
                let ranges = try? heif.ranges(of: location)
            else { return nil }
            let properties = heif.properties.properties(of: id)
            size += ranges.reduce(0) { $0 + $1.count }
            // Items may overlap, but a copy of them must not become larger than the file.
            guard size <= file.count, !properties.contains(where: { $0.type == "clap" }) else { return nil }
            parts.append(Part(item: item, properties: properties, data: ranges.flatMap { file[$0] }))
        }
        self.parts = parts
        self.references = heif.references.compactMap { reference in
            guard ["dimg", "cdsc"].contains(reference.type), seen.contains(reference.from) else { return nil }
            let to = reference.to.filter(seen.contains)
            return to.isEmpty ? nil : ItemReferenceBox.Reference(type: reference.type, from: reference.from, to: to)
        }
    }
}

extension HEIF {
    /// Auxiliary pictures of the photo, with their types (`auxC`), which are names of vendors or standards.
    var auxiliaryPictures: [(item: UInt32, type: String)] {
        references.filter { $0.type == "auxl" && $0.to.contains(primary) }.map { reference in
            let type = properties.properties(of: reference.from).first { $0.type == "auxC" }
            // Version and flags, then a string.
            let text = type.map { $0.content.dropFirst(4).prefix { $0 != 0 } } ?? []
            return (reference.from, String(decoding: text, as: UTF8.self))
        }
    }
}

extension HEIFEditor {
    /// The file with a gain map, whose data stay bit for bit.
    ///
    /// - Parameter orientation: how both pictures have to be turned for display.
    func adding(_ map: HEIFGainMap, _ orientation: Orientation) throws(ParseError) -> [UInt8] {
        guard let box = metaBox("iprp") else { throw heif.error(.missing, in: "meta", "a box iprp") }
        let first = try unusedNumbers(map.parts.count)
        let numbers = Dictionary(
            zip(map.parts.map(\.item.id), first...), uniquingKeysWith: { number, _ in number })
        let turns = ItemPropertiesBox.Property.turns(orientation)
        var properties = heif.properties
        properties.add(turns, of: heif.primary)
        var items: [ItemInfoBox.Item] = []
        var data: [(item: UInt32, bytes: [UInt8])] = []
        for (index, part) in map.parts.enumerated() {
            let number = first + UInt32(index)
            var item = part.item
            item.id = number
            items.append(item)
            data.append((number, part.data))
            let own = part.properties.filter { !$0.isTransformation } + (index == 0 ? turns : [])
            properties.add(own, of: number)
        }
        let references = map.references.map { reference in
            ItemReferenceBox.Reference(
                type: reference.type, from: numbers[reference.from] ?? first,
                to: reference.to.compactMap { numbers[$0] })
        }
        let auxiliary = ItemReferenceBox.Reference(type: "auxl", from: first, to: [heif.primary])
        var writer = ByteWriter()
        try properties.write(to: &writer)
        return try placing(data, listing(items, references + [auxiliary]) + [Splice(box.range, writer.bytes)])
    }
}
