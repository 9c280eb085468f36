import Bytes
import MediaModel

/// An XML document as a tree of elements with their ranges, for changes of single values.
struct XMLTree {
    /// A value in the document: that of an attribute, or the text of an element.
    struct Value {
        let name: XMLName
        let text: FileText
        /// What is removed with it: the attribute or the element.
        let range: Range<Int>
        /// The text as written; nil for an element without an end tag, which cannot hold any.
        let textRange: Range<Int>?
    }

    /// An element; its attributes do not include those that declare name spaces.
    struct Element {
        let name: XMLName
        let attributes: [Value]
        /// The name spaces that it declares, by prefix.
        fileprivate let declarations: [(prefix: FileText, uri: FileText)]
        fileprivate(set) var children: [Element] = []
        fileprivate var text: FileText = ""
        fileprivate(set) var range: Range<Int>
        fileprivate let tagEnd: Int
        /// Nil for an element without an end tag.
        fileprivate var contentRange: Range<Int>?

        /// The element as a value, for one without others in it.
        var value: Value { Value(name: name, text: text, range: range, textRange: contentRange) }

        /// The outermost elements in it with such a name.
        func descendants(_ isWanted: (XMLName) -> Bool) -> [Element] {
            children.flatMap { isWanted($0.name) ? [$0] : $0.descendants(isWanted) }
        }

        fileprivate func ranges(_ isWanted: (XMLName) -> Bool) -> [Range<Int>] {
            attributes.filter { isWanted($0.name) }.map(\.range)
                + children.flatMap { isWanted($0.name) ? [$0.range] : $0.ranges(isWanted) }
        }
    }

    /// In UTF-8.
    let bytes: [UInt8]
    /// Nil for a document without elements.
    private(set) var root: Element?

    /// - Throws: `ParseError` as `XMLReader`, whose limits bound the depth.
    init(_ document: [UInt8]) throws(ParseError) {
        var reader = try XMLReader(document)
        var open: [Element] = []
        while let token = try reader.next() {
            switch token {
            case .start(let name, let attributes): open.append(Element(name, attributes, reader))
            case .text(let text): if let last = open.indices.last { open[last].text += text }
            case .end:
                guard var element = open.popLast() else { continue }
                if let content = element.contentRange {
                    element.contentRange = content.lowerBound..<reader.tagStart
                    element.range = element.range.lowerBound..<reader.position
                }
                if let last = open.indices.last { open[last].children.append(element) } else { root = element }
            }
        }
        bytes = reader.bytes
    }
}

extension XMLTree.Element {
    /// - Parameter reader: after the start tag.
    fileprivate init(_ name: XMLName, _ attributes: [XMLReader.Attribute], _ reader: XMLReader) {
        self.name = name
        self.attributes = attributes.map { attribute in
            XMLTree.Value(
                name: attribute.name, text: attribute.value, range: attribute.range,
                textRange: Self.text(of: attribute.range, reader.bytes))
        }
        declarations = reader.declaredPrefixes.sorted().compactMap { prefix in
            reader.bindings.uri(of: prefix).map { (prefix, $0) }
        }
        (range, tagEnd) = (reader.tagStart..<reader.position, reader.position)
        contentRange = reader.isClosing ? nil : reader.position..<reader.position
    }

    /// The text between the quotation marks of an attribute.
    private static func text(of range: Range<Int>, _ bytes: [UInt8]) -> Range<Int>? {
        let attribute = bytes[range]
        guard let mark = attribute.last, let first = attribute.firstIndex(of: mark) else { return nil }
        return first + 1..<max(range.upperBound - 1, first + 1)
    }
}

// MARK: All of the document

extension XMLTree {
    /// Attributes and elements with such names at any depth, the outermost ones.
    func ranges(_ isWanted: (XMLName) -> Bool) -> [Range<Int>] { root?.ranges(isWanted) ?? [] }

    /// Whether it has text that readers of XML pass over: a comment, or anything after the root element but the end of XMP's
    /// wrapper.
    var hasUnreadText: Bool {
        if bytes.firstRange(of: Array("<!--".utf8)) != nil { return true }
        func rest(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.drop { $0.isXMLSpace || $0 == 0 } }
        var end = rest(bytes[(root?.range.upperBound ?? bytes.count)...])
        if end.starts(with: Array("<?xpacket ".utf8)), let close = end.firstRange(of: Array("?>".utf8)) {
            end = rest(end[close.upperBound...])
        }
        return !end.isEmpty
    }
}

// MARK: Changes

extension XMLTree {
    /// The removal of a value or an element, with the white space before it.
    func removal(of range: Range<Int>) -> Splice {
        let space = bytes[..<range.lowerBound].reversed().prefix(while: \.isXMLSpace).count
        return Splice(range.lowerBound - space..<range.upperBound, [])
    }

    /// The change of a value to a number; none where it is that already, or cannot hold a text.
    func change(of value: Value, to text: String) -> [Splice] {
        guard value.text != FileText(text), let range = value.textRange else { return [] }
        return [Splice(range, Array(text.utf8))]
    }
}

// MARK: RDF

extension XMLTree {
    private static let rdf = XMLName(XMLNamespace.rdf, "RDF")

    private var rdf: Element? {
        root.flatMap { $0.name == Self.rdf ? $0 : $0.descendants { $0 == Self.rdf }.first }
    }

    /// The elements of `rdf:RDF`, whose attributes and elements are the properties.
    var nodes: [Element] { rdf?.children ?? [] }

    /// The document with the nodes of another one after its own; nil if it has no place for them.
    func adding(nodesOf other: XMLTree) throws(ParseError) -> [UInt8]? {
        guard let end = rdf?.contentRange?.upperBound else { return nil }
        var added: [UInt8] = []
        let outer = [other.root, other.rdf].compactMap(\.self).flatMap(\.declarations)
        for node in other.nodes {
            var declared = Set(node.declarations.map(\.prefix))
            // The innermost declaration of a prefix applies.
            let missing = outer.reversed().filter { declared.insert($0.prefix).inserted }
            let start = other.bytes[node.range.lowerBound + 1..<node.tagEnd]
            let name = start.prefix { !$0.isXMLSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            let declarations = missing.map { prefix, uri in
                let attribute: FileText = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
                return " \(attribute)=\"\(XMLText.escaped(uri))\"" as FileText
            }
            added += other.bytes[node.range.lowerBound..<name.endIndex] + declarations.joined().bytes
            added += other.bytes[name.endIndex..<node.range.upperBound]
        }
        return try bytes.applying([Splice(end..<end, added)], structure: "XMP")
    }

    /// The document without the properties with such names.
    func removing(_ isRemoved: (XMLName) -> Bool) throws(ParseError) -> [UInt8] {
        let values = nodes.flatMap { $0.attributes + $0.children.map(\.value) }
        let removed = values.filter { isRemoved($0.name) }
        return removed.isEmpty
            ? bytes : try bytes.applying(removed.map { removal(of: $0.range) }, structure: "XMP")
    }
}
