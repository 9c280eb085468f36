import Bytes
import ISOBMFF
import MediaModel

/// The gain map of a HEIF: an auxiliary picture of the photo (ISO/IEC 23008-12, 6.4.5), with its tiles and the metadata
/// that describe it; with ISO 21496-1 also the item `tmap`, the HDR picture that a reader derives from photo and gain map.
struct HEIFGainMap: Sendable {
    struct Part: Sendable {
        let item: ItemInfoBox.Item
        let properties: [ItemPropertiesBox.Property]
        let data: [UInt8]

        init(item: ItemInfoBox.Item, properties: [ItemPropertiesBox.Property], data: [UInt8]) {
            (self.item, self.properties, self.data) = (item, properties, data)
        }

        /// Nil if the item is not complete, or is cropped.
        fileprivate init?(_ id: UInt32, of heif: HEIF, in file: [UInt8]) {
            guard let item = heif.items.first(where: { $0.id == id }), item.type != nil,
                let location = heif.locations?.items.first(where: { $0.id == id }),
                let ranges = try? heif.ranges(of: location), ranges.reduce(0, { $0 + $1.count }) <= file.count
            else { return nil }
            let properties = heif.properties.properties(of: id)
            guard !properties.contains(where: { $0.type == "clap" }) else { return nil }
            self.init(item: item, properties: properties, data: ranges.flatMap { file[$0] })
        }
    }

    /// The first one is the gain map. That of the item `tmap` is among them if it is another one.
    let parts: [Part]
    /// From part to part, by the items' numbers in their file.
    let references: [ItemReferenceBox.Reference]
    /// The item `tmap`, and the number of the gain map that it is derived from; nil if there is none.
    let toneMap: (part: Part, gainMap: UInt32)?

    static let type = "urn:com:apple:photo:2020:aux:hdrgainmap"

    /// Nil if the picture is not complete, or is cropped.
    ///
    /// - Parameter id: the number of the picture.
    init?(_ id: UInt32, of heif: HEIF, in file: [UInt8]) {
        func references(_ type: FourCC, where isWanted: (ItemReferenceBox.Reference) -> Bool) -> [UInt32] {
            heif.references.filter { $0.type == type && isWanted($0) }.flatMap { type == "dimg" ? $0.to : [$0.from] }
        }
        func items(of picture: UInt32) -> [UInt32] {
            [picture] + references("dimg") { $0.from == picture } + references("cdsc") { $0.to.contains(picture) }
        }
        let derived = heif.toneMap
        var seen: Set<UInt32> = []
        let ids = (items(of: id) + (derived.map { items(of: $0.gainMap) } ?? [])).filter { seen.insert($0).inserted }
        guard ids.count <= HEIFLimits.gainMapParts else { return nil }
        var parts: [Part] = []
        var size = 0
        for id in ids {
            guard let part = Part(id, of: heif, in: file) else { return nil }
            size += part.data.count
            // Items may overlap, but a copy of them must not become larger than the file.
            guard size <= file.count else { return nil }
            parts.append(part)
        }
        toneMap = derived.flatMap { derived in
            Part(derived.item, of: heif, in: file).map { ($0, derived.gainMap) }
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
    /// The item of type `tmap` that is derived from the photo, and its gain map; nil if there is none.
    var toneMap: (item: UInt32, gainMap: UInt32)? {
        let derived = Set(items.filter { $0.type == "tmap" }.map(\.id))
        for reference in references where reference.type == "dimg" && derived.contains(reference.from) {
            if reference.to.count == 2, reference.to[0] == primary { return (reference.from, reference.to[1]) }
        }
        return nil
    }

    /// Auxiliary pictures of the photo, with their types (`auxC`), which are names of vendors or standards.
    var auxiliaryPictures: [(item: UInt32, type: FileText)] {
        let items = references.filter { $0.type == "auxl" && $0.to.contains(primary) }.map(\.from)
        let properties = properties.byItem(Set(items))
        return items.map { item in
            let type = properties[item]?.first { $0.type == "auxC" }
            // Version and flags, then a string.
            let text = type.map { $0.content.dropFirst(4).prefix { $0 != 0 } } ?? []
            return (item, FileText(text))
        }
    }
}

extension HEIFEditor {
    /// The file with a gain map, whose data stay bit for bit.
    ///
    /// - Parameter orientation: how both pictures have to be turned for display.
    func adding(_ map: HEIFGainMap, _ orientation: Orientation) throws(ParseError) -> [UInt8] {
        guard let box = metaBox("iprp") else { throw heif.error(.missing, in: "meta", "a box iprp") }
        let parts = map.parts + [map.toneMap?.part].compactMap(\.self)
        let first = try unusedNumbers(parts.count + 1)
        let numbers = Dictionary(
            zip(map.parts.map(\.item.id), first...), uniquingKeysWith: { number, _ in number })
        let turns = ItemPropertiesBox.Property.turns(orientation)
        var properties = heif.properties
        properties.add(turns, of: heif.primary)
        var items: [ItemInfoBox.Item] = []
        var data: [(item: UInt32, bytes: [UInt8])] = []
        for (index, part) in parts.enumerated() {
            let number = first + UInt32(index)
            var item = part.item
            item.id = number
            items.append(item)
            data.append((number, part.data))
            let isWhole = index == 0 || index == map.parts.count || part.item.id == map.toneMap?.gainMap
            let own = part.properties.filter { !$0.isTransformation } + (isWhole ? turns : [])
            properties.add(own, of: number)
        }
        var references = map.references.map { reference in
            ItemReferenceBox.Reference(
                type: reference.type, from: numbers[reference.from] ?? first,
                to: reference.to.compactMap { numbers[$0] })
        }
        references.append(ItemReferenceBox.Reference(type: "auxl", from: first, to: [heif.primary]))
        var splices: [Splice] = []
        if let source = map.toneMap?.gainMap {
            let derived = first + UInt32(map.parts.count)
            references.append(
                ItemReferenceBox.Reference(type: "dimg", from: derived, to: [heif.primary, numbers[source] ?? first]))
            splices = try grouping([derived, heif.primary], number: derived + 1) + addingBrand("tmap")
        }
        var writer = ByteWriter()
        try properties.write(to: &writer)
        return try placing(
            data, listing(items, references, areOfPhoto: false) + splices + [Splice(box.range, writer.bytes)])
    }
}

extension HEIFGainMap {
    /// A new gain map, in Apple's form and that of ISO 21496-1, each with a picture of its own.
    ///
    /// - Parameters:
    ///   - apple: a HEIC with one monochrome picture.
    ///   - iso: the same.
    ///   - photo: the stored size of the photo.
    /// - Throws: `ParseError` if a picture cannot be read.
    init(apple: [UInt8], iso: [UInt8], _ parameters: GainMapParameters, photo: PixelSize) throws(ParseError) {
        var parts: [Part] = []
        var references: [ItemReferenceBox.Reference] = []
        func add(_ file: [UInt8], _ properties: [ItemPropertiesBox.Property]) throws(ParseError) -> UInt32 {
            let heif = try HEIF(file)
            guard let picture = HEIFGainMap(heif.primary, of: heif, in: file) else {
                throw heif.error(.missing, in: "meta", "a complete picture that is not cropped")
            }
            let first = UInt32(parts.count + 1)
            let numbers = Dictionary(
                zip(picture.parts.map(\.item.id), first...), uniquingKeysWith: { number, _ in number })
            let color = ItemPropertiesBox.Property.color(.unspecified, .unspecified, .unspecified)
            for (index, part) in picture.parts.enumerated() {
                var item = part.item
                (item.id, item.isHidden) = (first + UInt32(index), true)
                let own = part.properties.filter { $0.type != "colr" }
                parts.append(
                    Part(item: item, properties: index == 0 ? own + properties + [color] : own, data: part.data))
            }
            references += picture.references.map { reference in
                ItemReferenceBox.Reference(
                    type: reference.type, from: numbers[reference.from] ?? first,
                    to: reference.to.compactMap { numbers[$0] })
            }
            return first
        }
        let auxiliary = try add(apple, [.auxiliary(Self.type)])
        let xmp = ItemInfoBox.Item.xmp(UInt32(parts.count + 1))
        parts.append(Part(item: xmp, properties: [], data: parameters.appleXMP))
        references.append(ItemReferenceBox.Reference(type: "cdsc", from: xmp.id, to: [auxiliary]))
        let source = try add(iso, [])
        // The version of this form, and the parameters; BT.709 with PQ, in ten bits.
        let derived = Part(
            item: ItemInfoBox.Item(id: UInt32(parts.count + 1), type: "tmap", isHidden: false),
            properties: [.size(photo), .depth(10, channels: 3), .color(1, 16, 6)], data: [0] + parameters.bytes)
        (self.parts, self.references, toneMap) = (parts, references, (derived, source))
    }
}

extension ItemPropertiesBox.Property {
    fileprivate static func auxiliary(_ type: String) -> Self {
        Self(type: "auxC", content: [0, 0, 0, 0] + Array(type.utf8) + [0], isEssential: true)
    }

    /// The code points of H.273 for primaries, transfer function and matrix, with full range.
    fileprivate static func color(_ primaries: UInt16, _ transfer: UInt16, _ matrix: UInt16) -> Self {
        var writer = ByteWriter()
        writer.text("nclx")
        for code in [primaries, transfer, matrix] { writer.integer(code) }
        writer.integer(UInt8(0x80))
        return Self(type: "colr", content: writer.bytes, isEssential: false)
    }

    fileprivate static func size(_ size: PixelSize) -> Self {
        var writer = ByteWriter()
        writer.zeros(4)
        writer.integer(UInt32(clamping: size.width))
        writer.integer(UInt32(clamping: size.height))
        return Self(type: "ispe", content: writer.bytes, isEssential: false)
    }

    fileprivate static func depth(_ bits: UInt8, channels: Int) -> Self {
        Self(
            type: "pixi", content: [0, 0, 0, 0, UInt8(clamping: channels)] + Array(repeating: bits, count: channels),
            isEssential: false)
    }
}

extension UInt16 {
    fileprivate static var unspecified: UInt16 { ColorDescription.unspecified }
}
