import Bytes

/// The prefixes in scope at one place of a document, and their name spaces (Namespaces in XML 1.0).
struct XMLBindings: Sendable {
    /// Inner ones last.
    private var bindings: [(prefix: String, uri: String)] = [("xml", XMLNamespace.xml)]

    var count: Int { bindings.count }

    /// The prefix that an attribute of this name declares, empty for the default name space; nil for other attributes.
    static func declaredPrefix(_ written: ArraySlice<UInt8>) -> String? {
        let (prefix, local) = parts(written)
        if prefix == "xmlns" { return local }
        return prefix.isEmpty && local == "xmlns" ? "" : nil
    }

    mutating func declare(_ prefix: String, as uri: String, at offset: Int) throws(ParseError) {
        guard count < XMLLimits.namespaces else {
            throw ParseError(
                .overLimit, in: "XML", at: offset, expected: "at most \(XMLLimits.namespaces) name spaces")
        }
        bindings.append((prefix, uri))
    }

    /// The name space of a prefix; nil if it is undeclared.
    func uri(of prefix: String) -> String? { bindings.last { $0.prefix == prefix }?.uri }

    /// A prefix of the name space `uri`, which is not empty, so that attributes can use it; nil if there is none.
    func prefix(of uri: String) -> String? {
        bindings.last { $0.uri == uri && !$0.prefix.isEmpty && self.uri(of: $0.prefix) == uri }?.prefix
    }

    /// Ends the scope of all but the first `count`.
    mutating func forget(downTo count: Int) {
        bindings.removeSubrange(count...)
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
    private static func parts(_ written: ArraySlice<UInt8>) -> (prefix: String, local: String) {
        guard let colon = written.firstIndex(of: UInt8(ascii: ":")) else {
            return ("", String(decoding: written, as: UTF8.self))
        }
        return (
            String(decoding: written[..<colon], as: UTF8.self), String(decoding: written[(colon + 1)...], as: UTF8.self)
        )
    }
}
