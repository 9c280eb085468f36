package import Bytes
import MediaModel

/// XMP in a JPEG: one segment APP1, and further ones for XMP that exceeds it (XMP Specification Part 3, 1.1.3).
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
            xmp.properties += try XMP(extendedXMP(guid.bytes)).properties
        } catch {
            xmp.unreadableExtension = error
        }
        return xmp
    }

    /// The packet in the first segment of XMP, and its file offset; nil if there is none.
    var xmpPacket: (packet: [UInt8], offset: Int)? {
        contents(of: Self.xmpSignature).first.map { (Array(bytes[$0]), $0.lowerBound) }
    }

    /// The file up to the first scan's marker, with this packet in place of an existing one. XMP in further segments
    /// stays.
    ///
    /// A new packet goes after the JFIF header and Exif data, which have to be first, and so before the list of further
    /// pictures, whose offsets count from its own position.
    ///
    /// - Throws: `ParseError` for a packet that does not fit in a segment.
    func head(withXMP packet: [UInt8]) throws(ParseError) -> [UInt8] {
        let content = Self.xmpSignature + packet
        guard content.count <= Self.contentLimit else {
            throw ParseError(
                .overLimit, in: "XMP", at: xmpPacket?.offset ?? 0,
                expected:
                    "at most \(Self.contentLimit - Self.xmpSignature.count) bytes in a JPEG, found \(packet.count)")
        }
        let new = Self.segment(.app1, content)
        let old = segments.firstIndex { isSegment($0, .app1, Self.xmpSignature) }
        let place = old ?? segments.prefix { isJFIF($0) || isExif($0) }.count
        let growth = new.count - (old.map { segments[$0].range.count } ?? 0)
        var head = Array(bytes[..<2])
        for segment in segments[..<place] {
            head += multiPictureSegment(segment, closerBy: -growth, growth: growth) ?? Array(bytes[segment.range])
        }
        head += new
        for segment in segments[(old == nil ? place : place + 1)...] {
            head += multiPictureSegment(segment, closerBy: 0, growth: growth) ?? Array(bytes[segment.range])
        }
        return head
    }

    /// The file with this packet in place of an existing one; everything else stays byte for byte.
    ///
    /// - Throws: `ParseError` for a packet that does not fit in a segment.
    package func replacingXMP(with packet: [UInt8]) throws(ParseError) -> JPEG {
        try JPEG(head(withXMP: packet) + bytes[headEnd...])
    }

    /// The ranges of the contents of APP1 segments with this signature.
    func contents(of signature: [UInt8]) -> [Range<Int>] {
        segments.filter { isSegment($0, .app1, signature) }.map { $0.content.dropFirst(signature.count) }
    }

    /// The parts with this identifier, joined: each holds the identifier, the total length, and its own offset.
    func extendedXMP(_ guid: [UInt8]) throws(ParseError) -> [UInt8] {
        var parts: [(offset: Int, data: [UInt8])] = []
        var length: Int?
        for content in contents(of: Self.xmpExtensionSignature) {
            var reader = ByteReader(Array(bytes[content]), structure: "extended XMP", fileOffset: content.lowerBound)
            guard try reader.bytes(Self.guidSize) == guid else { continue }
            let total = Int(try reader.integer(UInt32.self))
            guard length ?? total == total else {
                throw reader.error(.invalidValue, expected: "the same total length in all parts")
            }
            length = total
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
