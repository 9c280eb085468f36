import Bytes
import MediaModel

/// The parts of an XMP packet that describe a motion photo's movie, and the positions for new ones.
struct MotionPhotoPlaces: Sendable {
    /// The first node with properties, which describes the photo.
    struct Node: Sendable {
        let name: FileText
        /// The end of its tag.
        let content: Int
        /// Whether the tag ends the element as well.
        let isEmpty: Bool
        let bindings: XMLBindings
        /// The prefixes that its tag declares.
        let declaredPrefixes: Set<FileText>
    }

    private(set) var node: Node?
    /// The ranges that describe a movie outside of lists of items, each with the white space before it, as all ranges.
    private(set) var properties: [Range<Int>] = []
    /// The lists of items.
    private(set) var directories: [Range<Int>] = []
    /// The parts of the lists that describe a movie: complete lists if they hold nothing else but the photo.
    private(set) var movieItems: [Range<Int>] = []
    /// The end of the tag `rdf:RDF` if it has this prefix and does not declare it itself.
    private(set) var rdfTagEnd: Int?
    /// The end of the root element.
    private(set) var rootEnd = 0

    /// Depths below `rdf:RDF`.
    private static let (nodes, properties, arrays, items) = (1, 2, 3, 4)

    private static func describesMovie(_ name: XMLName) -> Bool {
        let isGoogles =
            name.namespace == XMLNamespace.googleCamera
            && (["MotionPhoto", "MicroVideo"] as [FileText]).contains { name.local.hasPrefix($0) }
        return isGoogles || name == MotionPhotoXMP.identifier || MotionPhotoAddition.describesMovie(name)
    }

    private static let directory = XMLName(XMLNamespace.googleContainer, "Directory")
    private static let semantic = XMLName(XMLNamespace.googleContainerItem, "Semantic")

    /// A `Container:Directory` that is being read.
    private struct Directory {
        var items: [(range: Range<Int>, semantic: FileText)] = []
        var semantic: FileText = ""
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
                if rdf == nil, name == XMLName(XMLNamespace.rdf, "RDF") {
                    rdf = open.count
                    let isUsual = reader.bytes[(reader.tagStart + 1)...].starts(with: "rdf:".utf8)
                    if isUsual, !reader.declaredPrefixes.contains("rdf") { rdfTagEnd = reader.position - 1 }
                }
                let depth = open.count - (rdf ?? open.count)
                if depth == Self.nodes { add(node: attributes, reader) }
                if depth == Self.properties, name == Self.directory { directory = Directory() }
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
                case Self.properties:
                    if let read = directory, name == Self.directory { add(read, element, reader.bytes) }
                    directory = nil
                    if Self.describesMovie(name) { properties.append(Self.range(element, reader.bytes)) }
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
                name: FileText(name), content: reader.position, isEmpty: reader.isClosing,
                bindings: reader.bindings, declaredPrefixes: reader.declaredPrefixes)
        for attribute in attributes where Self.describesMovie(attribute.name) {
            properties.append(Self.range(attribute.range, reader.bytes))
        }
    }

    private mutating func add(_ directory: Directory, _ element: Range<Int>, _ bytes: [UInt8]) {
        let range = Self.range(element, bytes)
        // Readers use the first list.
        let isUsed = directories.isEmpty
        directories.append(range)
        if isUsed, directory.items.contains(where: { !["MotionPhoto", "Primary"].contains($0.semantic) }) {
            movieItems += directory.items.filter { $0.semantic == "MotionPhoto" }.map { Self.range($0.range, bytes) }
        } else {
            movieItems.append(range)
        }
    }

    /// With the white space before it.
    private static func range(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        let space = bytes[..<range.lowerBound].reversed().prefix(while: \.isXMLSpace).count
        return range.lowerBound - space..<range.upperBound
    }
}
