import Bytes
import MediaModel

/// Metadata outside of Exif that are carried over to another picture.
extension JPEG {
    /// Photoshop's data, among them IPTC; nil if there are none.
    ///
    /// - Throws: `ParseError` for data that cannot be read.
    func photoshopData() throws(ParseError) -> PhotoshopData? {
        let parts = segments.filter { isSegment($0, .app13, PhotoshopData.signature) }
        guard !parts.isEmpty else { return nil }
        return try PhotoshopData(parts.flatMap { bytes[$0.content.dropFirst(PhotoshopData.signature.count)] })
    }

    /// The contents of comments, except those with which libraries name themselves as the encoder of the picture.
    var comments: [[UInt8]] {
        segments.filter { $0.marker == .comment }.map { Array(bytes[$0.content]) }.filter { comment in
            !comment.isEmpty && !Self.encoders.contains { comment.starts(with: $0.utf8) }
        }
    }

    private static let encoders = ["Lavc", "CREATOR: gd-jpeg"]

    /// A packet with the properties of another one that continues in other segments; nil if it does not.
    ///
    /// - Throws: `ParseError` for XMP that cannot be read, or cannot be merged.
    func mergedXMP(_ packet: [UInt8]) throws(ParseError) -> [UInt8]? {
        guard let guid = try XMP(packet)[XMLNamespace.xmpNote, "HasExtendedXMP"]?.text else { return nil }
        guard let merged = try XMLTree(packet).adding(nodesOf: XMLTree(extendedXMP(guid.bytes))) else {
            throw ParseError(.missing, in: "XMP", at: 0, expected: "a place for the properties in other segments")
        }
        return merged
    }

    /// The largest packet that is carried: it leaves room for the description of a gain map.
    static let carriedXMPLimit = contentLimit - xmpSignature.count - 2048

    /// The file with further metadata, after all others that precede tables.
    func adding(photoshop: [[UInt8]], comments: [[UInt8]]) throws(ParseError) -> JPEG {
        let new = photoshop.map { Self.segment(.app13, $0) } + comments.map { Self.segment(.comment, $0) }
        guard !new.isEmpty else { return self }
        let place = end(of: segments.prefix { $0.marker.isMetadata })
        return try JPEG(Array(bytes[..<place]) + new.joined() + bytes[place...])
    }
}
