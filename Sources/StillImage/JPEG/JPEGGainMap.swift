import Bytes
import MediaModel

/// The gain map of a JPEG: a second picture at the end of the file, which the list of further pictures (`MPF`) and, for
/// Ultra HDR, the photo's XMP name.
struct JPEGGainMap: Sendable {
    /// A JPEG with its own metadata.
    let picture: [UInt8]
    /// The segments of the photo that announce it, with their markers: ISO 21496-1's version, and the list of pictures.
    let segments: [[UInt8]]
    /// XMP of the photo that announces the gain map, and has no other properties; nil if the file's does not announce it.
    let xmp: [UInt8]?

    static let isoSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    /// Nil if the file's further pictures are not exactly one gain map.
    init?(_ jpeg: JPEG) {
        let pictures = jpeg.furtherPictures
        guard pictures.count == 1, let range = pictures.first, range.lowerBound > jpeg.headEnd,
            range.upperBound <= jpeg.bytes.count, GainMapName.isIn(jpeg.bytes[range]),
            (try? JPEG(Array(jpeg.bytes[range]))) != nil
        else { return nil }
        picture = Array(jpeg.bytes[range])
        segments = jpeg.segments.filter {
            jpeg.isSegment($0, .app2, Self.isoSignature) || jpeg.isPictureList($0)
        }.map { Array(jpeg.bytes[$0.range]) }
        let xmp = try? jpeg.xmp()
        let isAnnounced = xmp?.properties.contains { $0.name.describesGainMap } == true
        self.xmp = isAnnounced ? XMP.wrapped(GainMapParameters.photoXMP(gainMapSize: picture.count)) : nil
    }
}

extension JPEGGainMap {
    /// A new gain map, in Ultra HDR's form and that of ISO 21496-1.
    ///
    /// - Parameter picture: a JPEG.
    /// - Throws: `ParseError` if it is none.
    init(_ picture: [UInt8], _ parameters: GainMapParameters) throws(ParseError) {
        let map = try JPEG(picture).replacingXMP(with: XMP.wrapped(parameters.adobeXMP))
        let place = map.end(of: map.segments.prefix { $0.marker.isMetadata })
        self.picture =
            map.bytes[..<place] + JPEG.segment(.app2, Self.isoSignature + parameters.bytes) + map.bytes[place...]
        // The photo states only the versions, of readers and of the writer.
        segments = [JPEG.segment(.app2, Self.isoSignature + [0, 0, 0, 0]), JPEG.listOfTwoPictures]
        xmp = XMP.wrapped(GainMapParameters.photoXMP(gainMapSize: self.picture.count))
    }
}

extension JPEG {
    /// The file with a gain map, which stays bit for bit.
    ///
    /// - Throws: `ParseError` for XMP that does not fit in a segment.
    func adding(_ map: JPEGGainMap) throws(ParseError) -> [UInt8] {
        let jpeg = try map.xmp.map { xmp throws(ParseError) in try announcing(xmp) } ?? self
        let place = jpeg.end(of: jpeg.segments.prefix { $0.marker.isMetadata })
        let photo = try JPEG(Array(jpeg.bytes[..<place]) + map.segments.joined() + jpeg.bytes[place...])
        return try photo.listing(map.picture.count) + map.picture
    }

    /// The file with XMP that announces a gain map in place of what its own states about one; its other properties stay.
    private func announcing(_ announcement: [UInt8]) throws(ParseError) -> JPEG {
        guard let packet = xmpPacket?.packet else { return try replacingXMP(with: announcement) }
        let own = try XMLTree(XMLTree(packet).removing(\.describesGainMap))
        guard let merged = try own.adding(nodesOf: XMLTree(announcement)) else {
            return try replacingXMP(with: announcement)
        }
        // Strict readers expect all properties in one node.
        return try replacingXMP(with: XMP.wrapped((try? PlainXMP(merged).bytes) ?? merged))
    }
}
