import Bytes
import MediaModel

/// Rewrites XMP in the form that the strictest readers of motion photos expect, with the same properties.
///
/// They compare names as written, with the prefix `rdf`, and give up at an `rdf:Description` that does not describe the movie. So there is
/// `x:xmpmeta` around `rdf:RDF`, and in that only one `rdf:Description`: further ones are merged into the first, and
/// structures are written with `rdf:parseType` instead.
struct PlainXMP {
    private(set) var bytes: [UInt8]

    /// - Parameter document: in UTF-8.
    /// - Throws: `ParseError` for a document that cannot be written like this.
    init(_ document: [UInt8]) throws(ParseError) {
        bytes = try document.applying(Self.unnesting(document), structure: "XMP")
        bytes = try bytes.applying(Self.merging(bytes), structure: "XMP")
    }

    private static func unsupported(_ place: Int, _ expected: String) -> ParseError {
        ParseError(.unsupported, in: "XMP", at: place, expected: expected)
    }

    /// Of nodes and prefixes; real files have a few of each.
    private static let comparisonLimit = 1 << 22

    private static let rdf = XMLName(XMLNamespace.rdf, "RDF")
    private static let description = XMLName(XMLNamespace.rdf, "Description")

    /// A start tag.
    private struct Tag {
        let name: XMLName
        let range: Range<Int>
        let isEmpty: Bool
        let attributes: [XMLReader.Attribute]
        let bindings: XMLBindings
        let declaredPrefixes: Set<FileText>
        /// The end of the element, and of its last child.
        var contentEnd = 0
        var end = 0

        /// - Parameter reader: after this tag.
        init(_ name: XMLName, _ attributes: [XMLReader.Attribute], _ reader: XMLReader) {
            (self.name, self.attributes) = (name, attributes)
            range = reader.tagStart..<reader.position
            (isEmpty, bindings, declaredPrefixes) = (reader.isClosing, reader.bindings, reader.declaredPrefixes)
        }

        /// Where attributes can be added.
        var attributesEnd: Int { range.upperBound - (isEmpty ? 2 : 1) }

        /// The attributes that are properties.
        var properties: [XMLReader.Attribute] {
            attributes.filter {
                $0.name == XMLName(XMLNamespace.rdf, "value")
                    || ![XMLNamespace.rdf, XMLNamespace.xml, ""].contains($0.name.namespace)
            }
        }

        /// Declarations of prefixes in another tag.
        func declarations(in other: Tag) throws(ParseError) -> [UInt8] {
            var text: FileText = ""
            for prefix in declaredPrefixes.sorted() {
                guard let uri = bindings.uri(of: prefix), other.bindings.uri(of: prefix) != uri else { continue }
                guard !prefix.isEmpty, other.bindings.uri(of: prefix) == nil else {
                    throw unsupported(range.lowerBound, "one meaning of each prefix, found two of \(prefix)")
                }
                text += " xmlns:\(prefix)=\"\(XMLText.escaped(uri))\""
            }
            return text.bytes
        }
    }
}

extension PlainXMP {
    /// The changes that write structures without `rdf:Description`, and add `x:xmpmeta`.
    private static func unnesting(_ bytes: [UInt8]) throws(ParseError) -> [Splice] {
        var reader = try XMLReader(bytes)
        var splices: [Splice] = []
        var open: [Tag] = []
        while let token = try reader.next() {
            switch token {
            case .start(let name, let attributes):
                let tag = Tag(name, attributes, reader)
                if name == rdf { splices += try declaration(tag, isRoot: open.isEmpty) }
                if let parent = open.last, isStructure(tag, in: parent) {
                    splices += try resource(tag, in: parent, bytes)
                } else {
                    splices += renaming(tag, bytes)
                }
                open.append(tag)
            case .end:
                guard let tag = open.popLast() else { continue }
                if !tag.isEmpty, let parent = open.last, isStructure(tag, in: parent) {
                    splices.append(Splice(reader.tagStart..<reader.position, []))
                } else if !tag.isEmpty, tag.name.namespace == XMLNamespace.rdf {
                    splices += renaming(at: reader.tagStart + 2, bytes)
                }
                if open.isEmpty, tag.name == rdf {
                    splices.append(Splice(reader.position..<reader.position, Array("</x:xmpmeta>".utf8)))
                }
            case .text: continue
            }
        }
        return splices
    }

    /// The name space of the prefix `rdf` in the tag of `rdf:RDF`, and the start of the element around it.
    private static func declaration(_ tag: Tag, isRoot: Bool) throws(ParseError) -> [Splice] {
        var splices: [Splice] = []
        let bound = tag.bindings.uri(of: "rdf")
        guard bound == nil || bound == XMLNamespace.rdf else {
            throw unsupported(tag.range.lowerBound, "the prefix rdf for RDF, found it with another meaning")
        }
        if bound == nil {
            let text = (" xmlns:rdf=\"\(XMLNamespace.rdf)\"" as FileText).bytes
            splices.append(Splice(tag.attributesEnd..<tag.attributesEnd, text))
        }
        if isRoot {
            let text = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">".utf8)
            splices.append(Splice(tag.range.lowerBound..<tag.range.lowerBound, text))
        }
        return splices
    }

    /// The changes that write RDF's names in a tag with the prefix `rdf`.
    private static func renaming(_ tag: Tag, _ bytes: [UInt8]) -> [Splice] {
        var places = tag.attributes.filter { $0.name.namespace == XMLNamespace.rdf }.map(\.range.lowerBound)
        if tag.name.namespace == XMLNamespace.rdf { places.append(tag.range.lowerBound + 1) }
        return places.flatMap { renaming(at: $0, bytes) }
    }

    private static func renaming(at place: Int, _ bytes: [UInt8]) -> [Splice] {
        let name = bytes[place...].prefix(while: \.isXMLName)
        let prefix = name.firstIndex(of: UInt8(ascii: ":")).map { name[..<($0 + 1)] } ?? name.prefix(0)
        return prefix.elementsEqual("rdf:".utf8) ? [] : [Splice(place..<place + prefix.count, Array("rdf:".utf8))]
    }

    private static func isStructure(_ tag: Tag, in parent: Tag) -> Bool {
        tag.name == description && parent.name != rdf
    }

    /// The start of a structure in the form of `rdf:parseType`.
    private static func resource(_ tag: Tag, in parent: Tag, _ bytes: [UInt8]) throws(ParseError) -> [Splice] {
        let declarations = try tag.declarations(in: parent)
        let type = Array(" rdf:parseType=\"Resource\"".utf8)
        let fields = tag.properties.flatMap { attribute in
            let text = bytes[attribute.range]
            let isValue = attribute.name.namespace == XMLNamespace.rdf
            let name = isValue ? Array("rdf:value".utf8)[...] : text.prefix(while: \.isXMLName)
            // The value is between quotation marks of either kind, and escaped.
            let mark = text.last ?? 0
            let value = text.dropLast().drop { $0 != mark }.dropFirst()
            return [UInt8(ascii: "<")] + name + [UInt8(ascii: ">")] + value + Array("</".utf8) + name
                + [UInt8(ascii: ">")]
        }
        return [
            Splice(parent.attributesEnd..<parent.attributesEnd, declarations + type), Splice(tag.range, fields),
        ]
    }

    /// The changes that move the properties of further nodes into the first.
    private static func merging(_ bytes: [UInt8]) throws(ParseError) -> [Splice] {
        let nodes = try nodes(bytes)
        guard let first = nodes.first, nodes.count > 1 else { return [] }
        // All nodes are asked for the meaning of each prefix.
        let prefixes = nodes.dropFirst().reduce(0) { $0 + $1.declaredPrefixes.count }
        guard nodes.count * prefixes <= comparisonLimit else {
            throw unsupported(first.range.lowerBound, "fewer nodes, found \(nodes.count) with \(prefixes) prefixes")
        }
        var splices: [Splice] = []
        var (attributes, contents): ([UInt8], [UInt8]) = ([], [])
        var known = Set(first.properties.map(\.name))
        var declared: [FileText: FileText] = [:]
        var subject = about(first)
        for node in nodes.dropFirst() {
            // Windows names the photo in some nodes, and in others not.
            if subject.isEmpty { subject = about(node) }
            guard ["", subject].contains(about(node)) else {
                throw unsupported(node.range.lowerBound, "properties of one photo, found some of another resource")
            }
            for prefix in node.declaredPrefixes.sorted() {
                guard let uri = node.bindings.uri(of: prefix), declared[prefix] != uri else { continue }
                let isFree = nodes.allSatisfy { [nil, uri].contains($0.bindings.uri(of: prefix)) }
                guard !prefix.isEmpty, isFree else {
                    throw unsupported(node.range.lowerBound, "one meaning of each prefix, found two of \(prefix)")
                }
                declared[prefix] = uri
                guard first.bindings.uri(of: prefix) == nil else { continue }
                attributes += (" xmlns:\(prefix)=\"\(XMLText.escaped(uri))\"" as FileText).bytes
            }
            for attribute in node.properties where !known.contains(attribute.name) {
                known.insert(attribute.name)
                attributes += [UInt8(ascii: " ")] + bytes[attribute.range]
            }
            if !node.isEmpty { contents += bytes[node.range.upperBound..<node.contentEnd] }
            let space = bytes[..<node.range.lowerBound].reversed().prefix(while: \.isXMLSpace).count
            splices.append(Splice(node.range.lowerBound - space..<node.end, []))
        }
        let end = first.attributesEnd
        if first.isEmpty {
            let text = attributes + Array(">".utf8) + contents + Array("</rdf:Description>".utf8)
            splices.append(Splice(end..<first.range.upperBound, text))
        } else {
            splices.append(Splice(end..<end, attributes))
            splices.append(Splice(first.contentEnd..<first.contentEnd, contents))
        }
        return splices
    }

    private static func about(_ node: Tag) -> FileText {
        node.attributes.first { $0.name.local == "about" && [XMLNamespace.rdf, ""].contains($0.name.namespace) }?.value
            ?? ""
    }

    /// The descriptions in `rdf:RDF`.
    private static func nodes(_ bytes: [UInt8]) throws(ParseError) -> [Tag] {
        var reader = try XMLReader(bytes)
        var nodes: [Tag] = []
        var open: [Tag] = []
        while let token = try reader.next() {
            switch token {
            case .start(let name, let attributes): open.append(Tag(name, attributes, reader))
            case .end:
                guard var tag = open.popLast() else { continue }
                guard tag.name == description, open.last?.name == rdf else { continue }
                (tag.contentEnd, tag.end) = (tag.isEmpty ? tag.range.upperBound : reader.tagStart, reader.position)
                nodes.append(tag)
            case .text: continue
            }
        }
        return nodes
    }
}
