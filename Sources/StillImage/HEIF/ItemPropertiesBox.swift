import Bytes
import ISOBMFF
import MediaModel

/// `iprp`: the properties of items (ISO/IEC 23008-12, 9.3).
struct ItemPropertiesBox: Sendable {
    struct Property: Hashable, Sendable {
        var type: FourCC
        /// The content of its box.
        var content: [UInt8]
        /// Whether readers that do not know it must not show the item.
        var isEssential: Bool

        /// Whether it turns, mirrors or crops the picture.
        var isTransformation: Bool { ["irot", "imir", "clap"].contains(type) }

        /// The properties that turn a picture: a rotation by 90 degrees counterclockwise, once or several times, and then
        /// an exchange of left and right.
        static func turns(_ orientation: Orientation) -> [Self] {
            var rotation = Orientation.upright
            for count: UInt8 in 0..<4 {
                let rotations = count == 0 ? [] : [Self(type: "irot", content: [count], isEssential: true)]
                if rotation == orientation { return rotations }
                if rotation.followed(by: .mirrored) == orientation {
                    return rotations + [Self(type: "imir", content: [1], isEssential: true)]
                }
                rotation = rotation.followed(by: .rotated90Counterclockwise)
            }
            return []
        }
    }

    /// The boxes in `ipco`.
    private var boxes: [(type: FourCC, payload: ByteReader)] = []
    /// The numbers of the properties of each item, from 1 on, in the order to apply them; 0 is none (9.3.3, `ipma`).
    private var associations: [(item: UInt32, indices: [(number: Int, isEssential: Bool)])] = []

    init(from reader: ByteReader) throws(ParseError) {
        let parts = try reader.boxes(limit: HEIFLimits.boxes)
        guard let container = parts.first(where: { $0.type == "ipco" }) else { return }
        boxes = try container.payload.boxes(limit: HEIFLimits.boxes).map { ($0.type, $0.payload) }
        for part in parts where part.type == "ipma" { try readAssociations(part.payload) }
    }

    private mutating func readAssociations(_ reader: ByteReader) throws(ParseError) {
        var reader = reader
        let (version, flags) = try reader.fullBoxHeader(latest: .max)
        let width = flags & 1 == 1 ? 2 : 1
        let count = Int(try reader.integer(UInt32.self))
        for _ in 0..<count {
            let item = try reader.itemID(isWide: version > 0)
            let count = Int(try reader.integer(UInt8.self))
            let indices = try reader.table(count: count, entrySize: width) { reader throws(ParseError) in
                let value = Int(try reader.bigEndian(width: width))
                let highestBit = width == 2 ? 0x8000 : 0x80
                return (number: value & (highestBit - 1), isEssential: value & highestBit != 0)
            }
            associations.append((item, indices))
        }
    }

    private func readers(of item: UInt32) -> [(type: FourCC, payload: ByteReader, isEssential: Bool)] {
        associations.filter { $0.item == item }.flatMap(\.indices).compactMap { index in
            guard boxes.indices.contains(index.number - 1) else { return nil }
            let box = boxes[index.number - 1]
            return (box.type, box.payload, index.isEssential)
        }
    }

    /// The properties of an item, in the order to apply them.
    func properties(of item: UInt32) -> [Property] { byItem([item])[item] ?? [] }

    /// The properties of each of some items, in the order to apply them.
    func byItem(_ items: Set<UInt32>) -> [UInt32: [Property]] {
        var properties: [UInt32: [Property]] = [:]
        // Items share the contents: a hostile file may associate a long one with all of them.
        var contents: [Int: [UInt8]] = [:]
        for (item, indices) in associations where items.contains(item) {
            for index in indices where boxes.indices.contains(index.number - 1) {
                let place = index.number - 1
                var payload = boxes[place].payload
                let content = contents[place] ?? payload.rest()
                contents[place] = content
                properties[item, default: []].append(
                    Property(type: boxes[place].type, content: content, isEssential: index.isEssential))
            }
        }
        return properties
    }

    /// What determines the display of an item.
    func display(of item: UInt32) throws(ParseError) -> ItemDisplay {
        var display = ItemDisplay()
        for property in readers(of: item) { try display.read(property.type, property.payload) }
        return display
    }

    /// The items that have a property for which `isWanted` is true.
    func items(where isWanted: (_ type: FourCC, _ payload: ByteReader) -> Bool) -> Set<UInt32> {
        let wanted = Set(boxes.indices.filter { isWanted(boxes[$0].type, boxes[$0].payload) }.map { $0 + 1 })
        guard !wanted.isEmpty else { return [] }
        return Set(associations.filter { $0.indices.contains { wanted.contains($0.number) } }.map(\.item))
    }

    /// The properties that a picture needs, of some items.
    ///
    /// Unknown ones that readers may ignore are left out.
    func keeping(_ items: Set<UInt32>) -> ItemPropertiesBox {
        var copy = ItemPropertiesBox()
        var numbers: [Int: Int] = [:]
        for (item, indices) in associations where items.contains(item) {
            var kept: [(number: Int, isEssential: Bool)] = []
            for index in indices where boxes.indices.contains(index.number - 1) {
                let box = boxes[index.number - 1]
                guard index.isEssential || Self.pictureTypes.contains(box.type) else { continue }
                if numbers[index.number] == nil {
                    copy.boxes.append(box)
                    numbers[index.number] = copy.boxes.count
                }
                if let number = numbers[index.number] { kept.append((number, index.isEssential)) }
            }
            copy.associations.append((item, kept))
        }
        return copy
    }

    private init() {}

    /// What determines how an item is decoded and shown: sizes, transformations, colours, and the settings of codecs.
    private static let pictureTypes: Set<FourCC> = [
        "ispe", "pixi", "pasp", "colr", "irot", "imir", "clap", "auxC", "hvcC", "lhvC", "av1C", "avcC", "vvcC", "evcC",
        "jpgC", "j2kH", "cmpd", "uncC", "lsel", "a1op",
    ]

    /// Adds properties after those that an item has; equal properties are stored once.
    mutating func add(_ properties: [Property], of item: UInt32) {
        guard !properties.isEmpty else { return }
        var contents = boxes.map { box in
            var payload = box.payload
            return payload.rest()
        }
        var indices: [(number: Int, isEssential: Bool)] = []
        for property in properties {
            let known = contents.indices.first { boxes[$0].type == property.type && contents[$0] == property.content }
            if known == nil {
                boxes.append((property.type, ByteReader(property.content, structure: "\(property.type)")))
                contents.append(property.content)
            }
            indices.append(((known ?? boxes.count - 1) + 1, property.isEssential))
        }
        if let place = associations.firstIndex(where: { $0.item == item }) {
            associations[place].indices += indices
        } else {
            associations.append((item, indices))
        }
    }

    /// Writes the box with one list of associations, in the order of the items' numbers.
    ///
    /// - Throws: if there are more properties than a file can number.
    func write(to writer: inout ByteWriter) throws(ParseError) {
        let isWide = associations.contains { $0.item > UInt16.max }
        let hasWideIndices = boxes.count > 0x7F
        guard boxes.count <= 0x7FFF, associations.allSatisfy({ $0.indices.count <= UInt8.max }) else {
            throw ParseError(.overLimit, in: "ipma", at: 0, expected: "at most \(0x7FFF) properties of items")
        }
        writer.box("iprp") { writer in
            writer.box("ipco") { writer in
                for box in boxes {
                    writer.box(box.type) { writer in
                        var payload = box.payload
                        writer.append(payload.rest())
                    }
                }
            }
            writer.box("ipma") { writer in
                writer.fullBoxHeader(version: isWide ? 1 : 0, flags: hasWideIndices ? 1 : 0)
                writer.integer(UInt32(associations.count))
                for association in associations.sorted(by: { $0.item < $1.item }) {
                    writer.itemID(association.item, isWide: isWide)
                    writer.integer(UInt8(association.indices.count))
                    for index in association.indices {
                        if hasWideIndices {
                            writer.integer(UInt16(index.number) | (index.isEssential ? 0x8000 : 0))
                        } else {
                            writer.integer(UInt8(index.number) | (index.isEssential ? 0x80 : 0))
                        }
                    }
                }
            }
        }
    }
}
