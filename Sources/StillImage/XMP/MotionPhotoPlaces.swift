import Bytes

/// The parts of an XMP packet that describe a motion photo's movie, and the positions for new ones.
struct MotionPhotoPlaces: Sendable {
    /// The first node with properties, which describes the photo.
    struct Node: Sendable {
        let name: String
        /// The end of its tag.
        let content: Int
        /// Whether the tag ends the element as well.
        let isEmpty: Bool
        let bindings: XMLBindings
    }

    private(set) var node: Node?
    /// The ranges that describe a movie, each with the white space before it.
    private(set) var removals: [Range<Int>] = []
    /// The end of the list of items once movies are removed; nil if only the photo is left in it.
    private(set) var itemsEnd: (place: Int, bindings: XMLBindings)?
    /// The end of the root element.
    private(set) var rootEnd = 0

    /// Depths below `rdf:RDF`.
    private static let (nodes, properties, arrays, items) = (1, 2, 3, 4)
    private static let motionProperties = Set(
        [
            "MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs", "MicroVideo",
            "MicroVideoVersion", "MicroVideoOffset", "MicroVideoPresentationTimestampUs",
        ].map { XMLName(XMLNamespace.googleCamera, $0) })
    private static let directory = XMLName(XMLNamespace.googleContainer, "Directory")
    private static let semantic = XMLName(XMLNamespace.googleContainerItem, "Semantic")

    /// A `Container:Directory` that is being read.
    private struct Directory {
        var items: [(range: Range<Int>, semantic: String)] = []
        var semantic = ""
        var bindings: XMLBindings?
        var end: Int?
    }

    /// - Parameter reader: at the packet's beginning.
    init(_ reader: inout XMLReader) throws(ParseError) {
        var open: [(name: XMLName, start: Int)] = []
        var rdf: Int?
        var directory: Directory?
        while let token = try reader.next() {
            switch token {
            case .start(let name, let attributes):
                open.append((name, reader.tagStart))
                if rdf == nil, name == XMLName(XMLNamespace.rdf, "RDF") { rdf = open.count }
                let depth = open.count - (rdf ?? open.count)
                if depth == Self.nodes { add(node: attributes, reader) }
                if depth == Self.properties, name == Self.directory { directory = Directory() }
                if depth == Self.arrays { directory?.bindings = reader.bindings }
                if depth == Self.items { directory?.semantic = "" }
                for attribute in attributes where attribute.name == Self.semantic {
                    directory?.semantic = attribute.value
                }
            case .text(let text):
                if open.last?.name == Self.semantic { directory?.semantic += text }
            case .end:
                guard let (name, start) = open.popLast() else { continue }
                let depth = open.count + 1 - (rdf ?? open.count + 1)
                let element = start..<reader.position
                switch depth {
                case Self.items:
                    let semantic = directory?.semantic ?? ""
                    directory?.items.append((element, semantic))
                case Self.arrays: directory?.end = reader.tagStart
                case Self.properties:
                    if let read = directory, name == Self.directory { add(read, element, reader.bytes) }
                    directory = nil
                    if Self.motionProperties.contains(name) { remove(element, reader.bytes) }
                case 0: rdf = nil
                default: break
                }
                rootEnd = reader.position
            }
        }
    }

    private mutating func add(node attributes: [XMLReader.Attribute], _ reader: XMLReader) {
        let name = reader.bytes[(reader.tagStart + 1)...].prefix(while: \.isXMLName)
        node =
            node
            ?? Node(
                name: String(decoding: name, as: UTF8.self), content: reader.position, isEmpty: reader.isClosing,
                bindings: reader.bindings)
        for attribute in attributes where Self.motionProperties.contains(attribute.name) {
            remove(attribute.range, reader.bytes)
        }
    }

    private mutating func add(_ directory: Directory, _ element: Range<Int>, _ bytes: [UInt8]) {
        let others = directory.items.contains { !["MotionPhoto", "Primary"].contains($0.semantic) }
        guard others, itemsEnd == nil, let end = directory.end, let bindings = directory.bindings else {
            remove(element, bytes)
            return
        }
        itemsEnd = (end, bindings)
        for item in directory.items where item.semantic == "MotionPhoto" { remove(item.range, bytes) }
    }

    private mutating func remove(_ range: Range<Int>, _ bytes: [UInt8]) {
        let space = bytes[..<range.lowerBound].reversed().prefix(while: \.isXMLSpace).count
        removals.append(range.lowerBound - space..<range.upperBound)
    }
}
