package import Bytes

/// XMP in a JPEG: a segment APP1 and, for what does not fit there, more of them (XMP Specification Part 3, 1.1.3).
extension JPEG {
    static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let xmpExtensionSignature = Array("http://ns.adobe.com/xmp/extension/\0".utf8)

    /// Characters of the identifier of an extension.
    private static let guidSize = 32

    /// The photo's XMP; nil when there is none.
    package func xmp() throws(ParseError) -> XMP? {
        guard let main = contents(of: Self.xmpSignature).first else { return nil }
        var xmp = try XMP(Array(bytes[main]), fileOffset: main.lowerBound)
        guard let guid = xmp[XMLNamespace.xmpNote, "HasExtendedXMP"]?.text else { return xmp }
        do throws(ParseError) {
            xmp.properties += try XMP(extendedXMP(Array(guid.utf8))).properties
        } catch {
            xmp.unreadableExtension = error
        }
        return xmp
    }

    /// Where the contents of the segments APP1 of this signature stand.
    private func contents(of signature: [UInt8]) -> [Range<Int>] {
        segments.filter { $0.marker == .app1 && bytes[$0.content].starts(with: signature) }.map {
            $0.content.dropFirst(signature.count)
        }
    }

    /// The parts with this identifier, put together: each has it, the length of the whole, and its own place there.
    private func extendedXMP(_ guid: [UInt8]) throws(ParseError) -> [UInt8] {
        var parts: [(offset: Int, data: [UInt8])] = []
        var length: Int?
        for content in contents(of: Self.xmpExtensionSignature) {
            var reader = ByteReader(Array(bytes[content]), structure: "extended XMP", fileOffset: content.lowerBound)
            guard try reader.bytes(Self.guidSize) == guid else { continue }
            let whole = Int(try reader.integer(UInt32.self))
            guard length ?? whole == whole else {
                throw reader.error(.invalidValue, expected: "the same length of the whole in all parts")
            }
            length = whole
            parts.append((Int(try reader.integer(UInt32.self)), reader.rest()))
        }
        parts.sort { $0.offset < $1.offset }
        var joined: [UInt8] = []
        for part in parts where part.offset == joined.count { joined += part.data }
        guard let length, joined.count == length else {
            throw ParseError(
                .missing, in: "extended XMP", at: segments.last?.range.upperBound ?? 0,
                expected: "\(length ?? 0) bytes of it in the segments before this, found \(joined.count)")
        }
        return joined
    }
}
