import Bytes
import MediaModel

/// The prefixes in scope at one place of a document, and their name spaces (Namespaces in XML 1.0).
struct XMLBindings: Sendable {
    /// For each prefix, its name spaces, inner ones last.
    private var uris: [FileText: [FileText]] = ["xml": [XMLNamespace.xml]]
    /// In the order of their declarations.
    private var prefixes: [FileText] = ["xml"]

    var count: Int { prefixes.count }

    /// The prefix that an attribute of this name declares, empty for the default name space; nil for other attributes.
    static func declaredPrefix(_ written: ArraySlice<UInt8>) -> FileText? {
        let (prefix, local) = parts(written)
        if prefix == "xmlns" { return local }
        return prefix.isEmpty && local == "xmlns" ? "" : nil
    }

    mutating func declare(_ prefix: FileText, as uri: FileText, at offset: Int) throws(ParseError) {
        guard count < XMLLimits.namespaces else {
            throw ParseError(
                .overLimit, in: "XML", at: offset, expected: "at most \(XMLLimits.namespaces) name spaces")
        }
        guard uri.bytes.count <= XMLLimits.namespaceName else {
            throw ParseError(
                .overLimit, in: "XML", at: offset,
                expected: "a name space of at most \(XMLLimits.namespaceName) bytes, found \(uri.bytes.count)")
        }
        prefixes.append(prefix)
        uris[prefix, default: []].append(uri)
    }

    /// The name space of a prefix; nil if it is undeclared.
    func uri(of prefix: FileText) -> FileText? { uris[prefix]?.last }

    /// A prefix of the name space `uri`, which is not empty, so that attributes can use it; nil if there is none.
    func prefix(of uri: FileText) -> FileText? { prefixes.last { !$0.isEmpty && self.uri(of: $0) == uri } }

    /// Ends the scope of all but the first `count`.
    mutating func forget(downTo count: Int) {
        while prefixes.count > count, let prefix = prefixes.popLast() { _ = uris[prefix]?.popLast() }
    }

    /// Resolves a written name. Attributes without a prefix are in no name space.
    ///
    /// - Parameter fileOffset: what to add to an index of `written` for its file offset.
    func name(
        _ written: ArraySlice<UInt8>, isAttribute: Bool, fileOffset: Int
    ) throws(ParseError) -> XMLName {
        let (prefix, local) = Self.parts(written)
        if prefix.isEmpty { return XMLName(isAttribute ? "" : uri(of: "") ?? "", local) }
        guard let uri = uri(of: prefix) else {
            throw ParseError(
                .invalidValue, in: "XML", at: fileOffset + written.startIndex,
                expected: "a declared prefix, found \(prefix)")
        }
        return XMLName(uri, local)
    }

    /// The parts before and after the colon.
    private static func parts(_ written: ArraySlice<UInt8>) -> (prefix: FileText, local: FileText) {
        guard let colon = written.firstIndex(of: UInt8(ascii: ":")) else {
            return ("", FileText(written))
        }
        return (FileText(written[..<colon]), FileText(written[(colon + 1)...]))
    }
}
