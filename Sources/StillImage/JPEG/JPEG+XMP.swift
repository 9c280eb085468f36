package import Bytes

/// XMP in a JPEG: a segment APP1 and more of them for what does not fit (XMP Specification Part 3, 1.1.3).
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

    /// The packet in the first segment of XMP, and its file offset; nil if there is none.
    var xmpPacket: (packet: [UInt8], offset: Int)? {
        contents(of: Self.xmpSignature).first.map { (Array(bytes[$0]), $0.lowerBound) }
    }

    /// The file up to the first scan's marker, with this packet in place of the one it has, if any. XMP in further
    /// segments stays.
    ///
    /// A new one goes after JFIF's header and Exif data, which have to be first, and so before the list of further
    /// pictures, whose offsets count from itself.
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
        var new = ByteWriter()
        new.integer(UInt16(0xFFE1))
        new.integer(UInt16(2 + content.count))
        new.append(content)
        let old = segments.firstIndex { $0.marker == .app1 && bytes[$0.content].starts(with: Self.xmpSignature) }
        let place = old ?? segments.prefix { isJFIF($0) || isExif($0) }.count
        let growth = new.count - (old.map { segments[$0].range.count } ?? 0)
        var writer = ByteWriter()
        writer.integer(UInt16(0xFFD8))
        for segment in segments[..<place] {
            writer.append(multiPictureSegment(segment, closerBy: -growth) ?? Array(bytes[segment.range]))
        }
        writer.append(new.bytes)
        for segment in segments[(old == nil ? place : place + 1)...] { writer.append(bytes[segment.range]) }
        return writer.bytes
    }

    /// The ranges of the contents of APP1 segments with this signature.
    private func contents(of signature: [UInt8]) -> [Range<Int>] {
        segments.filter { $0.marker == .app1 && bytes[$0.content].starts(with: signature) }.map {
            $0.content.dropFirst(signature.count)
        }
    }

    /// The parts with this identifier, joined: each holds the identifier, the total length, and its own offset.
    private func extendedXMP(_ guid: [UInt8]) throws(ParseError) -> [UInt8] {
        var parts: [(offset: Int, data: [UInt8])] = []
        var length: Int?
        for content in contents(of: Self.xmpExtensionSignature) {
            var reader = ByteReader(Array(bytes[content]), structure: "extended XMP", fileOffset: content.lowerBound)
            guard try reader.bytes(Self.guidSize) == guid else { continue }
            let whole = Int(try reader.integer(UInt32.self))
            guard length ?? whole == whole else {
                throw reader.error(.invalidValue, expected: "the same total length in all parts")
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
