import Bytes
import MediaModel

/// The gain map of a JPEG: a second picture at the end of the file, which the list of further pictures (`MPF`) and, for
/// Ultra HDR, the photo's XMP name.
struct JPEGGainMap: Sendable {
    /// A JPEG with its own metadata.
    let picture: [UInt8]
    /// The segments of the photo that announce it, with their markers: ISO 21496-1's version, and the list of pictures.
    let segments: [[UInt8]]
    /// The photo's XMP if it describes the gain map; nil if it does not, or if there is none.
    let xmp: [UInt8]?

    static let isoSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    /// Nil if the file's further pictures are not exactly one gain map, or if its XMP does not fit in a segment.
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
        guard let packet = jpeg.xmpPacket?.packet, let xmp = try? XMP(packet) else {
            self.xmp = nil
            return
        }
        guard xmp[XMLNamespace.xmpNote, "HasExtendedXMP"] == nil else { return nil }
        let namespaces = Set(xmp.properties.map(\.name.namespace))
        self.xmp = namespaces.isDisjoint(with: [XMLNamespace.googleContainer, XMLNamespace.gainMap]) ? nil : packet
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
        let jpeg = try map.xmp.map { xmp throws(ParseError) in try replacingXMP(with: xmp) } ?? self
        let place = jpeg.end(of: jpeg.segments.prefix { $0.marker.isMetadata })
        let photo = try JPEG(Array(jpeg.bytes[..<place]) + map.segments.joined() + jpeg.bytes[place...])
        return try photo.listing(map.picture.count) + map.picture
    }
}
