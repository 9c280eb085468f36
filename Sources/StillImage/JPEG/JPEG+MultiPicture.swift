import Bytes

/// The list of further pictures in a JPEG, such as gain maps: a segment APP2 that begins with `MPF\0`, then a TIFF
/// (CIPA DC-007 5.1). The pictures follow the first one, at offsets from that TIFF's first byte.
extension JPEG {
    private static let multiPictureSignature = Array("MPF\0".utf8)
    private static let pictureList = TIFFTag(rawValue: 0xB002)
    /// Attributes, size, offset, and two numbers of other pictures (DC-007 5.2.3.3).
    private static let pictureSize = 16
    private static let pictureOffset = 8

    /// The segment with offsets reduced by a number of bytes; nil if nothing changes, if it is another segment, or if
    /// it cannot be read.
    func multiPictureSegment(_ segment: Segment, closerBy distance: Int) -> [UInt8]? {
        let content = bytes[segment.content]
        guard distance != 0, isSegment(segment, .app2, Self.multiPictureSignature) else { return nil }
        var tiff = Array(content.dropFirst(Self.multiPictureSignature.count))
        let reader = ByteReader(tiff, structure: "MPF")
        guard let (endianness, offset) = try? TIFF.header(of: reader),
            let list = try? RawIFD(from: reader, at: offset, endianness)[Self.pictureList],
            let range = list.valueRange(in: tiff.count, endianness)
        else { return nil }
        for picture in stride(from: range.lowerBound, to: range.upperBound - Self.pictureSize + 1, by: Self.pictureSize)
        {
            let place = picture + Self.pictureOffset..<picture + Self.pictureOffset + 4
            var field = ByteReader(Array(tiff[place]), structure: "MPF")
            // The offset 0 refers to the first picture, which contains the list.
            guard let old = try? field.integer(UInt32.self, endianness), old != 0,
                let new = UInt32(exactly: Int(old) - distance)
            else { continue }
            var writer = ByteWriter()
            writer.integer(new, endianness)
            tiff.replaceSubrange(place, with: writer.bytes)
        }
        return bytes[segment.range.lowerBound..<segment.content.lowerBound] + Self.multiPictureSignature + tiff
    }
}
