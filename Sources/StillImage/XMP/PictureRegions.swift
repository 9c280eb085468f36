import Bytes
import MediaModel

/// Regions of a picture in XMP, such as people's faces: those of the Metadata Working Group, which iPhones write too
/// (Guidelines for Handling Image Metadata 2.0, 5.9), and Microsoft's (People Tagging Overview).
struct PictureRegions {
    static let names = [
        XMLName("http://www.metadataworkinggroup.com/schemas/regions/", "Regions"),
        XMLName("http://ns.microsoft.com/photo/1.2/", "RegionInfo"),
    ]
    private static let rectangle = XMLName("http://ns.microsoft.com/photo/1.2/t/Region#", "Rectangle")
    private static let item = XMLName(XMLNamespace.rdf, "li")
    private static let area: FileText = "http://ns.adobe.com/xmp/sType/Area#"
    private static let dimensions: FileText = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"
    private static let appleFaces: FileText = "http://ns.apple.com/faceinfo/1.0/"

    private(set) var splices: [Splice] = []
    /// Number of regions that the new picture does not show, or whose new place is not known.
    private(set) var removed = 0

    /// - Parameter regions: the property.
    init(_ regions: XMLTree.Element, in tree: XMLTree, _ change: PictureChange) {
        let size = regions.descendants { $0.local == "AppliedToDimensions" }.first
        let isUpright = size.map { Self.isUpright($0, change) } ?? false
        let items = regions.descendants { $0 == Self.item }
        guard let map = isUpright ? change.map : change.storedMap else {
            (splices, removed) = ([tree.removal(of: regions.range)], items.count)
            return
        }
        let sizes =
            isUpright ? (change.old.uprightSize, change.new.uprightSize) : (change.old.size, change.new.size)
        for item in items {
            if let changes = Self.changes(of: item, map, sizes, tree) {
                splices += changes
            } else {
                splices.append(tree.removal(of: item.range))
                removed += 1
            }
        }
        if removed == items.count, removed > 0 {
            splices = [tree.removal(of: regions.range)]
            return
        }
        for value in size.map(Self.allValues) ?? [] where value.name.namespace == Self.dimensions {
            if value.name.local == "w" { splices += tree.change(of: value, to: "\(sizes.1.width)") }
            if value.name.local == "h" { splices += tree.change(of: value, to: "\(sizes.1.height)") }
        }
    }

    /// Whether the coordinates are those of the picture as displayed, which some writers use: then the size that the regions
    /// are for has its shape. Otherwise they are those of the stored picture.
    private static func isUpright(_ size: XMLTree.Element, _ change: PictureChange) -> Bool {
        let values = allValues(size)
        func length(_ name: FileText) -> Double? {
            values.first { $0.name == XMLName(dimensions, name) }?.text.trimmed.number
        }
        guard change.old.orientation.swapsAxes, let width = length("w"), let height = length("h") else { return false }
        let upright = change.old.uprightSize
        return (width > height) == (upright.width > upright.height)
    }

    /// The attributes of an element and of those in it, and the elements that hold text.
    private static func allValues(_ element: XMLTree.Element) -> [XMLTree.Value] {
        element.attributes + (element.children.isEmpty ? [element.value] : element.children.flatMap(allValues))
    }

    /// The changes of one region; nil if it is not in the new picture.
    private static func changes(
        of item: XMLTree.Element, _ map: UnitMap, _ sizes: (old: PixelSize, new: PixelSize), _ tree: XMLTree
    ) -> [Splice]? {
        guard !map.isIdentity else { return [] }
        let values = allValues(item)
        // Faces are turned with the picture.
        let angles =
            map.turns ? values.filter { $0.name.namespace == appleFaces && $0.name.local.hasPrefix("Angle") } : []
        let removals = angles.map { tree.removal(of: $0.range) }
        if let rectangle = values.first(where: { $0.name == Self.rectangle }) {
            return changes(ofMicrosoft: rectangle, map, tree).map { removals + $0 }
        }
        func field(_ name: FileText) -> XMLTree.Value? { values.first { $0.name == XMLName(area, name) } }
        // A region without a place.
        guard let x = field("x"), let y = field("y") else { return removals }
        guard ["normalized", nil].contains(field("unit")?.text.trimmed), let centreX = x.text.trimmed.number,
            let centreY = y.text.trimmed.number
        else { return nil }
        let (width, height, diameter) = (field("w"), field("h"), field("d"))
        func number(_ value: XMLTree.Value?) -> Double { value?.text.trimmed.number ?? 0 }
        // The diameter of a circle is a part of the shorter edge.
        let circle = number(diameter) * Double(sizes.old.shortEdge)
        let half = (
            max(number(width), circle / Double(max(sizes.old.width, 1)), 1e-5) / 2,
            max(number(height), circle / Double(max(sizes.old.height, 1)), 1e-5) / 2
        )
        let box = UnitBox(
            left: centreX - half.0, top: centreY - half.1, right: centreX + half.0, bottom: centreY + half.1)
        guard let new = map.place(box).insidePicture else { return nil }
        let newCircle = max(new.width * Double(sizes.new.width), new.height * Double(sizes.new.height))
        let numbers = [
            (x, (new.left + new.right) / 2), (y, (new.top + new.bottom) / 2), (width, new.width), (height, new.height),
            (diameter, newCircle / Double(max(sizes.new.shortEdge, 1))),
        ]
        return removals
            + numbers.flatMap { value, number in
                value.map { tree.change(of: $0, to: decimal(number, places: 6)) } ?? []
            }
    }

    /// - Parameter rectangle: left, top, width and height, with commas between.
    private static func changes(
        ofMicrosoft rectangle: XMLTree.Value, _ map: UnitMap, _ tree: XMLTree
    ) -> [Splice]? {
        let numbers = rectangle.text.bytes.split(separator: UInt8(ascii: ",")).compactMap {
            FileText($0).trimmed.number
        }
        guard numbers.count == 4 else { return nil }
        let box = UnitBox(
            left: numbers[0], top: numbers[1], right: numbers[0] + numbers[2], bottom: numbers[1] + numbers[3])
        guard let new = map.place(box).insidePicture else { return nil }
        let text = [new.left, new.top, new.width, new.height].map { decimal($0, places: 6) }
        return tree.change(of: rectangle, to: text.joined(separator: ", "))
    }
}
