package import Bytes
import ISOBMFF
package import MediaModel

/// The primary picture of a HEIF as decoders of video need it: one coded image, or a grid of images (ISO/IEC 23008-12,
/// 6.6.2.3).
package struct HEIFTiles: Sendable {
    package enum Codec: Sendable, Hashable {
        case hevc, av1
    }

    package struct Tile: Sendable, Hashable {
        /// The content of `hvcC` or `av1C`.
        package let configuration: [UInt8]
        /// The ranges of its data in the file, in order.
        package let ranges: [Range<Int>]
    }

    package enum Transformation: Sendable, Hashable {
        case crop(PixelRectangle)
        case turn(Orientation)
    }

    package let codec: Codec
    /// Row by row.
    package let tiles: [Tile]
    package let columns: Int
    /// Of the picture before the transformations; nil for that of its one tile.
    package let size: PixelSize?
    /// In the order to apply them.
    package let transformations: [Transformation]
    /// The code points of `colr`; nil if there are none.
    package let color: ColorDescription?
    package let iccProfile: [UInt8]?

    /// - Throws: `ParseError`, of code `unsupported` for pictures of other kinds, and those with transparency.
    package init(_ file: [UInt8]) throws(ParseError) {
        let heif = try HEIF(file)
        let needed = try PictureItems(heif)
        guard needed.references.allSatisfy({ $0.type == "dimg" && $0.from == heif.primary }) else {
            throw heif.error(.unsupported, in: "iref", "a picture without transparency, derived once at most")
        }
        // A file cannot have more than this many tiles (`PictureItems`), so their lists stay small.
        let locations = Dictionary(
            (heif.locations?.items ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func ranges(of item: UInt32) throws(ParseError) -> [Range<Int>] {
            guard let location = locations[item] else {
                throw heif.error(.missing, in: "iloc", "the location of item \(item)")
            }
            return try heif.ranges(of: location)
        }
        // The data of all tiles together are not larger than the file.
        _ = try needed.data(in: heif, limit: file.count)
        let types = Dictionary(
            needed.items.map { ($0.id, $0.type) }, uniquingKeysWith: { first, _ in first })
        let numbers: [UInt32]
        if types[heif.primary] == "grid" {
            let data = try ranges(of: heif.primary).flatMap { file[$0] }
            let grid = try Grid(data)
            numbers = needed.references.flatMap(\.to)
            guard numbers.count == grid.columns * grid.rows else {
                throw heif.error(
                    .invalidValue, in: "iref", "\(grid.columns * grid.rows) tiles, found \(numbers.count)")
            }
            (columns, size) = (grid.columns, grid.size)
        } else {
            (numbers, columns, size) = ([heif.primary], 1, nil)
        }
        let codecs = Set(numbers.map { types[$0] ?? nil })
        switch codecs {
        case ["hvc1"]: codec = .hevc
        case ["av01"]: codec = .av1
        default: throw heif.error(.unsupported, in: "iinf", "a picture of HEVC or AV1, or a grid of them")
        }
        let settings: FourCC = codec == .hevc ? "hvcC" : "av1C"
        let properties = heif.properties.byItem(needed.numbers)
        tiles = try numbers.map { number throws(ParseError) in
            let own = properties[number] ?? []
            guard let configuration = own.first(where: { $0.type == settings }) else {
                throw heif.error(.missing, in: "iprp", "a property \(settings) of item \(number)")
            }
            // A tile of a grid is not turned by itself.
            guard number == heif.primary || !own.contains(where: \.isTransformation) else {
                throw heif.error(.unsupported, in: "iprp", "tiles that are neither turned nor cropped")
            }
            return Tile(configuration: configuration.content, ranges: try ranges(of: number))
        }
        let own = properties[heif.primary] ?? []
        let known: Set<FourCC> = ["ispe", "pixi", "pasp", "colr", "irot", "imir", "clap", settings]
        if let other = own.first(where: { $0.isEssential && !known.contains($0.type) }) {
            throw heif.error(.unsupported, in: "iprp", "a picture without the essential property \(other.type)")
        }
        transformations = try heif.transformations(own)
        (color, iccProfile) = try Self.color(own)
    }

    /// A rectangular grid: the item's data (6.6.2.3.2).
    private struct Grid {
        let rows: Int
        let columns: Int
        let size: PixelSize

        init(_ data: [UInt8]) throws(ParseError) {
            var reader = ByteReader(data, structure: "grid")
            guard try reader.integer(UInt8.self) == 0 else {
                throw reader.error(.unsupported, expected: "version 0")
            }
            let isWide = try reader.integer(UInt8.self) & 1 == 1
            rows = Int(try reader.integer(UInt8.self)) + 1
            columns = Int(try reader.integer(UInt8.self)) + 1
            func length() throws(ParseError) -> Int {
                isWide ? Int(try reader.integer(UInt32.self)) : Int(try reader.integer(UInt16.self))
            }
            size = PixelSize(width: try length(), height: try length())
        }
    }

    private static func color(
        _ properties: [ItemPropertiesBox.Property]
    ) throws(ParseError) -> (ColorDescription?, icc: [UInt8]?) {
        var icc: [UInt8]?
        var color: ColorDescription?
        for property in properties where property.type == "colr" {
            var reader = ByteReader(property.content, structure: "colr")
            switch try reader.fourCC() {
            case "prof", "rICC": icc = icc ?? reader.rest()
            case "nclx" where color == nil:
                color = try ItemDisplay.color(ByteReader(property.content, structure: "colr"))
            default: continue
            }
        }
        return (color, icc)
    }
}

extension HEIF {
    /// The transformations of the primary picture, in the order to apply them.
    fileprivate func transformations(
        _ properties: [ItemPropertiesBox.Property]
    ) throws(ParseError) -> [HEIFTiles.Transformation] {
        var size = size
        var found: [HEIFTiles.Transformation] = []
        for property in properties where property.isTransformation {
            let payload = ByteReader(property.content, structure: "\(property.type)")
            if property.type == "clap" {
                guard let rectangle = try ItemDisplay.crop(payload, of: size) else {
                    throw error(.invalidValue, in: "clap", "a rectangle within the picture of \(size)")
                }
                size = rectangle.size
                found.append(.crop(rectangle))
            } else {
                let turn = try ItemDisplay.orientation(property.type, payload)
                if turn.swapsAxes { size = size.transposed }
                found.append(.turn(turn))
            }
        }
        return found
    }
}
