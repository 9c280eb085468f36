import Bytes
import MediaModel

/// Reads the parts of XML 1.0 that metadata use, token by token.
///
/// Comments, processing instructions and the XML declaration are skipped, and so is everything after the root element,
/// such as the padding of XMP packets. A document type declaration, whose entities could expand without limit, is rejected.
struct XMLReader: Sendable {
    struct Attribute {
        var name: XMLName
        var value: FileText
        /// The range in `bytes`.
        var range: Range<Int>
    }

    enum Token {
        case start(XMLName, [Attribute])
        /// Text between two other tokens, or a part of it: comments and the ends of CDATA divide it.
        case text(FileText)
        case end
    }

    /// The document, assumed to be UTF-8.
    let bytes: [UInt8]
    /// The index in `bytes` of the next token.
    private(set) var position = 0
    /// The index in `bytes` of the last tag.
    private(set) var tagStart = 0
    private let fileOffset: Int
    /// The elements that are not closed yet: the name as written, and the number of bindings before it.
    private var open: [(name: Range<Int>, bindings: Int)] = []
    /// The bindings in the last start tag.
    private(set) var bindings = XMLBindings()
    /// The prefixes that the last start tag declares.
    private(set) var declaredPrefixes: Set<FileText> = []
    private var nodes = 0
    /// Whether the last tag begins and ends an element.
    private(set) var isClosing = false
    private var isAfterRoot = false

    /// - Parameters:
    ///   - document: in UTF-8, or in UTF-16 with a byte order mark.
    ///   - fileOffset: its file offset, for errors.
    init(_ document: [UInt8], fileOffset: Int = 0) throws(ParseError) {
        guard document.count <= XMLLimits.size else {
            throw ParseError(
                .overLimit, in: "XML", at: fileOffset,
                expected: "at most \(XMLLimits.size) bytes, found \(document.count)")
        }
        self.fileOffset = fileOffset
        switch document.prefix(2) {
        case [0xFE, 0xFF], [0xFF, 0xFE]:
            let shift: UInt16 = document[0] == 0xFE ? 8 : 0
            let units = (1..<max(document.count / 2, 1)).lazy.map { index in
                UInt16(document[2 * index]) << shift | UInt16(document[2 * index + 1]) << (8 - shift)
            }
            bytes = FileText(utf16: units).bytes
        default:
            bytes = document
            if document.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        }
    }

    /// Nil after the root element, and if there is none.
    mutating func next() throws(ParseError) -> Token? {
        if isClosing { return try close() }
        while !isAfterRoot {
            guard position < bytes.count else {
                guard open.isEmpty else { throw error(.truncated, "the end of the element that began last") }
                return nil
            }
            guard bytes[position] == UInt8(ascii: "<") else {
                if let token = try text() { return token }
                continue
            }
            if try content("<!--", to: "-->") != nil { continue }
            if try content("<?", to: "?>") != nil { continue }
            if let content = try content("<![CDATA[", to: "]]>") {
                guard !open.isEmpty else { throw error(.invalidValue, "an element before text") }
                return .text(FileText(content))
            }
            guard !isNext("<!") else {
                throw error(.unsupported, "an element, not a declaration of a document type")
            }
            return isNext("</") ? try endTag() : try startTag()
        }
        return nil
    }

    private mutating func text() throws(ParseError) -> Token? {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        guard open.isEmpty else { return .text(try decoded(start..<position, isAttribute: false)) }
        // Some writers end their text with NULs.
        guard let other = bytes[start..<position].firstIndex(where: { !$0.isXMLSpace && $0 != 0 }) else { return nil }
        position = other
        throw error(.invalidValue, "an element before text")
    }

    // MARK: Tags

    private mutating func startTag() throws(ParseError) -> Token {
        guard open.count < XMLLimits.depth else {
            throw error(.overLimit, "at most \(XMLLimits.depth) nested elements")
        }
        let outerBindings = bindings.count
        declaredPrefixes = []
        tagStart = position
        position += 1
        let written = try name()
        try countNode()
        var attributes: [(name: Range<Int>, end: Int, value: FileText)] = []
        while true {
            let hasSpace = skipSpace()
            if isNext("/>") {
                position += 2
                isClosing = true
                break
            }
            if isNext(">") {
                position += 1
                break
            }
            guard hasSpace else { throw error(.invalidValue, "white space, > or />") }
            guard attributes.count < XMLLimits.attributes else {
                throw error(.overLimit, "at most \(XMLLimits.attributes) attributes")
            }
            try countNode()
            let name = try name()
            let value = try attributeValue()
            if let prefix = XMLBindings.declaredPrefix(bytes[name]) {
                try bindings.declare(prefix, as: value, at: fileOffset + name.lowerBound)
                declaredPrefixes.insert(prefix)
            } else {
                attributes.append((name, position, value))
            }
        }
        // The declarations of a tag apply to all of it.
        let element = try bindings.name(bytes[written], isAttribute: false, fileOffset: fileOffset)
        var names: Set<XMLName> = []
        let resolvedAttributes = try attributes.map { attribute throws(ParseError) in
            let name = try bindings.name(bytes[attribute.name], isAttribute: true, fileOffset: fileOffset)
            guard names.insert(name).inserted else { throw error(.invalidValue, "no attribute twice before this") }
            return Attribute(name: name, value: attribute.value, range: attribute.name.lowerBound..<attribute.end)
        }
        open.append((written, outerBindings))
        return .start(element, resolvedAttributes)
    }

    private mutating func endTag() throws(ParseError) -> Token {
        tagStart = position
        position += 2
        let written = try name()
        guard let last = open.last, bytes[last.name] == bytes[written] else {
            position = tagStart
            throw error(.invalidValue, "the end of the element that began last")
        }
        skipSpace()
        guard isNext(">") else { throw error(.invalidValue, ">") }
        position += 1
        return try close()
    }

    private mutating func close() throws(ParseError) -> Token {
        isClosing = false
        guard let element = open.popLast() else { throw error(.invalidValue, "an element to end") }
        bindings.forget(downTo: element.bindings)
        isAfterRoot = open.isEmpty
        return .end
    }

    private mutating func attributeValue() throws(ParseError) -> FileText {
        skipSpace()
        guard isNext("=") else { throw error(.invalidValue, "=") }
        position += 1
        skipSpace()
        guard isNext("\"") || isNext("'") else { throw error(.invalidValue, "a quotation mark") }
        let mark = bytes[position]
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: mark) else {
            throw error(.truncated, "the other quotation mark")
        }
        position = start
        if let bracket = bytes[start..<end].firstIndex(of: UInt8(ascii: "<")) {
            position = bracket
            throw error(.invalidValue, "the value of an attribute without <")
        }
        position = end + 1
        return try decoded(start..<end, isAttribute: true)
    }

    // MARK: Names

    /// The next name, with at most one colon in it.
    private mutating func name() throws(ParseError) -> Range<Int> {
        let start = position
        position = bytes[start...].firstIndex { !$0.isXMLName } ?? bytes.count
        guard position < bytes.count else { throw error(.truncated, "the end of the tag") }
        let name = start..<position
        guard let first = bytes[name].first, !first.isXMLNameLater, first != UInt8(ascii: ":"),
            bytes[position - 1] != UInt8(ascii: ":"),
            bytes[name].count(where: { $0 == UInt8(ascii: ":") }) <= 1
        else {
            position = start
            throw error(.invalidValue, "a name")
        }
        guard name.count <= XMLLimits.name else { throw error(.overLimit, "a name of at most \(XMLLimits.name) bytes") }
        return name
    }

    // MARK: Bytes

    private mutating func countNode() throws(ParseError) {
        nodes += 1
        guard nodes <= XMLLimits.nodes else {
            throw error(.overLimit, "at most \(XMLLimits.nodes) elements and attributes")
        }
    }

    private func decoded(_ range: Range<Int>, isAttribute: Bool) throws(ParseError) -> FileText {
        try XMLText.decode(bytes[range], isAttribute: isAttribute, fileOffset: fileOffset)
    }

    private func error(_ code: ParseError.Code, _ expected: String) -> ParseError {
        ParseError(code, in: "XML", at: fileOffset + position, expected: expected)
    }

    private func isNext(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        position = bytes[start...].firstIndex { !$0.isXMLSpace } ?? bytes.count
        return position > start
    }

    /// The content between two marks, if the first comes next.
    private mutating func content(_ start: String, to end: String) throws(ParseError) -> ArraySlice<UInt8>? {
        guard isNext(start) else { return nil }
        let first = position + start.utf8.count
        let mark = Array(end.utf8)
        var place = first
        while let found = bytes[place...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) {
                position = found + mark.count
                return bytes[first..<found]
            }
            place = found + 1
        }
        throw error(.truncated, "\(end) after this")
    }
}

/// Limits that keep the cost of a hostile document proportional to its size.
package enum XMLLimits {
    /// Bytes of a document. XMP with a depth map in it has a few million.
    package static let size = 1 << 24
    /// Nesting of elements; XMP has some ten levels.
    package static let depth = 64
    /// Elements and attributes of one document: each becomes a value of about 100 bytes.
    package static let nodes = 1 << 16
    /// Attributes of one element.
    package static let attributes = 1024
    /// Declarations of name spaces in scope at one place.
    package static let namespaces = 256
    /// Bytes of a name, including its prefix.
    package static let name = 256
    /// Bytes of the URI of a name space; known ones have less than 100.
    package static let namespaceName = 1024
}
