package import Bytes
import ISOBMFF

extension HEIF {
    /// A HEIF file with only what its primary picture needs: the item, what it is derived from, their transparency, and the
    /// properties of these items. Their data stay unchanged.
    ///
    /// Decoders reject a whole file for what they do not know of other items: libheif 1.15 for an auxiliary picture of two
    /// pictures, as in photos of iOS 18, and for references to items of unknown types.
    ///
    /// - Throws: `ParseError` for a file that cannot be read, or whose picture needs more than its bytes.
    package static func pictureAlone(_ file: [UInt8]) throws(ParseError) -> [UInt8] {
        try HEIF(file).pictureAlone(of: file)
    }

    func pictureAlone(of file: [UInt8]) throws(ParseError) -> [UInt8] {
        let needed = try PictureItems(self)
        let data = try needed.data(in: self, limit: file.count)
        // The size of this box does not depend on the offset.
        let size = try description(of: needed, data, dataOffset: 0, file).count
        var writer = ByteWriter()
        if let type = boxes.first(where: { $0.type == "ftyp" }) {
            writer.append(Self.brandsOfPicture(file[type.range]))
        }
        let start = writer.count + size + BoxHeader.shortSize
        writer.append(try description(of: needed, data, dataOffset: start, file))
        writer.box("mdat") { writer in
            for part in data { for range in part.ranges { writer.append(file[range]) } }
        }
        return writer.bytes
    }

    /// A box `ftyp` without the brands of image sequences, for which libheif 1.20 and newer expects a box `moov`.
    private static func brandsOfPicture(_ box: ArraySlice<UInt8>) -> [UInt8] {
        let pictures = ["avis": "avif", "msf1": "mif1", "hevc": "heic", "hevx": "heix"]
        var bytes = Array(box)
        // The major brand, its version, and the compatible brands.
        for offset in stride(from: BoxHeader.shortSize, to: bytes.count - 3, by: 4) {
            let brand = bytes[offset..<offset + 4]
            guard let (_, picture) = pictures.first(where: { brand.elementsEqual($0.key.utf8) }) else { continue }
            bytes.replaceSubrange(offset..<offset + 4, with: picture.utf8)
        }
        return bytes
    }

    /// The box `meta`.
    private func description(
        of needed: PictureItems, _ data: [PictureItems.Data], dataOffset: Int, _ file: [UInt8]
    ) throws(ParseError) -> [UInt8] {
        var properties = ByteWriter()
        try self.properties.keeping(needed.numbers).write(to: &properties)
        let isWide = needed.numbers.contains { $0 > UInt16.max }
        var writer = ByteWriter()
        writer.box("meta") { writer in
            writer.fullBoxHeader()
            for box in metaBoxes where box.type == "hdlr" { writer.append(file[box.range]) }
            writer.box("pitm") { writer in
                writer.fullBoxHeader(version: isWide ? 1 : 0)
                writer.itemID(primary, isWide: isWide)
            }
            ItemInfoBox.write(needed.items, to: &writer)
            ItemLocationBox.write(data, from: dataOffset, isWide: isWide, to: &writer)
            ItemReferenceBox.write(needed.references, isWide: isWide, to: &writer)
            writer.append(properties.bytes)
        }
        return writer.bytes
    }
}

/// The items that the primary picture of a file needs.
struct PictureItems {
    /// Where an item's data are.
    struct Data {
        var item: UInt32
        var ranges: [Range<Int>]
        var count: Int { ranges.reduce(0) { $0 + $1.count } }
    }

    /// In the order of the file.
    let items: [ItemInfoBox.Item]
    let numbers: Set<UInt32>
    /// Between these items.
    let references: [ItemReferenceBox.Reference]

    /// Names of auxiliary pictures with transparency, of HEVC and of ISO/IEC 23000-22.
    private static let alphaTypes = [
        "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
    ]

    init(_ heif: HEIF) throws(ParseError) {
        var sources: [UInt32: [UInt32]] = [:]
        for reference in heif.references where reference.type == "dimg" {
            sources[reference.from, default: []] += reference.to
        }
        var numbers: Set<UInt32> = [heif.primary]
        func add(_ first: [UInt32]) throws(ParseError) {
            var open = first
            while let item = open.popLast() {
                for source in sources[item] ?? [] where numbers.insert(source).inserted { open.append(source) }
                guard numbers.count <= HEIFLimits.pictureItems else {
                    throw heif.error(.overLimit, in: "iref", "a picture of at most \(HEIFLimits.pictureItems) items")
                }
            }
        }
        try add([heif.primary])
        let alpha = heif.items(withAuxiliaryType: Self.alphaTypes)
        var references: [ItemReferenceBox.Reference] = []
        let auxiliaries = heif.references.filter { $0.type == "auxl" && alpha.contains($0.from) }
        for auxiliary in auxiliaries {
            guard let picture = auxiliary.to.first(where: numbers.contains), numbers.insert(auxiliary.from).inserted
            else { continue }
            // Old versions of libheif accept one picture alone.
            references.append(ItemReferenceBox.Reference(type: "auxl", from: auxiliary.from, to: [picture]))
            try add([auxiliary.from])
        }
        for reference in heif.references where ["dimg", "prem"].contains(reference.type) {
            guard numbers.contains(reference.from), reference.to.allSatisfy(numbers.contains) else { continue }
            references.append(reference)
        }
        items = heif.items.filter { numbers.contains($0.id) && $0.type != nil }
        self.numbers = numbers
        self.references = references
    }

    /// - Parameter limit: bytes of all data together; ranges may overlap.
    func data(in heif: HEIF, limit: Int) throws(ParseError) -> [Data] {
        var rest = limit
        var data: [Data] = []
        for location in heif.locations?.items ?? [] where numbers.contains(location.id) {
            data.append(Data(item: location.id, ranges: try heif.ranges(of: location)))
            rest -= data[data.count - 1].count
            guard rest >= 0 else {
                throw heif.error(.overLimit, in: "iloc", "data of at most \(limit) bytes for the picture")
            }
        }
        return data
    }
}

extension HEIF {
    /// The items that are auxiliary pictures of one of these types.
    fileprivate func items(withAuxiliaryType types: [String]) -> Set<UInt32> {
        properties.items { type, payload in
            guard type == "auxC" else { return false }
            var payload = payload
            // Version and flags, then a string.
            let text = payload.rest().dropFirst(4).prefix { $0 != 0 }
            return types.contains { text.elementsEqual($0.utf8) }
        }
    }
}
