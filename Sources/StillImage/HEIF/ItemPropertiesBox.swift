import Bytes
import ISOBMFF
import MediaModel

/// `iprp`: the properties of items, here those that determine the display of one item (ISO/IEC 23008-12, 9.3 and 6.5).
struct ItemPropertiesBox: Sendable {
    /// The stored size, before any transformation.
    private(set) var size: PixelSize?
    /// `irot` and `imir`, applied in order.
    private(set) var orientation = Orientation.upright
    /// The size after cropping by `clap`.
    private(set) var cleanAperture: PixelSize?

    init(from reader: ByteReader, item: UInt32) throws(ParseError) {
        let boxes = try reader.boxes(limit: HEIFLimits.boxes)
        guard let container = boxes.first(where: { $0.type == "ipco" }) else { return }
        let properties = try container.payload.boxes(limit: HEIFLimits.boxes)
        for box in boxes where box.type == "ipma" {
            for index in try Self.associations(of: item, in: box.payload) where properties.indices.contains(index - 1) {
                try read(properties[index - 1])
            }
        }
    }

    /// The numbers of the item's properties, from 1 on, in the order to apply them; 0 is none (9.3.3, `ipma`).
    private static func associations(of item: UInt32, in reader: ByteReader) throws(ParseError) -> [Int] {
        var reader = reader
        let (version, flags) = try reader.fullBoxHeader(latest: .max)
        let width = flags & 1 == 1 ? 2 : 1
        let count = Int(try reader.integer(UInt32.self))
        var associations: [Int] = []
        for _ in 0..<count {
            let id = try reader.itemID(isWide: version > 0)
            let count = Int(try reader.integer(UInt8.self))
            let indices = try reader.table(count: count, entrySize: width) { reader throws(ParseError) in
                // The highest bit marks the property as essential.
                Int(try reader.bigEndian(width: width)) & (width == 2 ? 0x7FFF : 0x7F)
            }
            if id == item { associations += indices }
        }
        return associations
    }

    private mutating func read(_ box: ChildBox) throws(ParseError) {
        var content = box.payload
        switch box.type {
        case "ispe":
            try content.skip(4)  // version and flags
            size = PixelSize(
                width: Int(try content.integer(UInt32.self)), height: Int(try content.integer(UInt32.self)))
        case "irot":
            for _ in 0..<(try content.integer(UInt8.self) & 3) {
                orientation = orientation.then(.rotated90Counterclockwise)
            }
        case "imir":
            // 0 exchanges top and bottom, 1 left and right, as in the second edition, libheif and libavif.
            orientation = orientation.then(try content.integer(UInt8.self) & 1 == 0 ? .flipped : .mirrored)
        case "clap":
            let numbers = try content.table(count: 4, entrySize: 4) { reader throws(ParseError) in
                Int(try reader.integer(UInt32.self))
            }
            guard numbers.allSatisfy({ $0 > 0 }) else { return }
            cleanAperture = PixelSize(width: numbers[0] / numbers[1], height: numbers[2] / numbers[3])
        default:
            return
        }
    }
}

extension Orientation {
    /// This orientation followed by `next`.
    fileprivate func then(_ next: Orientation) -> Orientation {
        let (first, second) = (matrix, next.matrix)
        return Self(
            a: Double(second.a * first.a + second.c * first.b), b: Double(second.b * first.a + second.d * first.b),
            c: Double(second.a * first.c + second.c * first.d), d: Double(second.b * first.c + second.d * first.d))
            ?? self
    }
}
