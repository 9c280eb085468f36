package import Bytes
package import MediaModel

/// The metadata outside of Exif that a newly encoded photo takes from the file whose picture it was made of: XMP, IPTC and
/// comments, without what is not true of the new picture.
package struct CarriedMetadata: Sendable {
    /// A packet in UTF-8; nil for none.
    package private(set) var xmp: [UInt8]?
    /// The contents of segments APP13, and of comments, for a JPEG.
    private var photoshop: [[UInt8]] = []
    private var comments: [[UInt8]] = []
    /// What the user may miss: nouns, such as `1 region of people or things`.
    package private(set) var leftOut: [String] = []

    /// None.
    package init() {}

    /// - Parameters:
    ///   - file: the complete file with the old picture. Only a JPEG, HEIC or AVIF has such metadata.
    ///   - change: how the picture is changed.
    ///   - statements: what does not stay.
    ///   - becomesHEIC: whether the new file is a HEIC, which cannot hold IPTC and comments.
    package init(
        _ file: [UInt8], _ change: PictureChange, without statements: KeptMetadata.Statements = [],
        becomesHEIC: Bool = false
    ) {
        switch PhotoMetadata.Format(of: file) {
        case .jpeg:
            guard let jpeg = try? JPEG(file) else { return }
            carryXMP(of: jpeg, change, statements, limit: becomesHEIC ? .max : JPEG.carriedXMPLimit)
            carryPhotoshopData(of: jpeg, change, statements, becomesHEIC)
            if !becomesHEIC {
                comments = jpeg.comments
            } else if !jpeg.comments.isEmpty {
                leftOut.append("the comment of a JPEG")
            }
        case .heic, .avif:
            guard let packet = try? HEIFEditor(file).xmp() else { return }
            carry(packet, change, statements)
        case nil: return
        }
    }

    private mutating func carryXMP(
        of jpeg: JPEG, _ change: PictureChange, _ statements: KeptMetadata.Statements, limit: Int
    ) {
        guard let packet = jpeg.xmpPacket?.packet else { return }
        do throws(ParseError) {
            if let merged = try jpeg.mergedXMP(packet) {
                carry(merged, change, statements)
                if let count = xmp?.count, count > limit {
                    leftOut = ["XMP that exceeds 64 kB"]
                    carry(packet, change, statements)
                }
                return
            }
        } catch {
            leftOut.append(Self.unreadable)
        }
        carry(packet, change, statements)
        if let count = xmp?.count, count > limit { (xmp, leftOut) = (nil, ["XMP"]) }
    }

    private mutating func carry(_ packet: [UInt8], _ change: PictureChange, _ statements: KeptMetadata.Statements) {
        do throws(ParseError) {
            let carried = try PictureXMP(packet, change, without: statements)
            xmp = carried.packet
            leftOut += carried.leftOut
        } catch {
            xmp = nil
            if !leftOut.contains(Self.unreadable) { leftOut.append(Self.unreadable) }
        }
    }

    private static let unreadable = "XMP that cannot be read"

    private mutating func carryPhotoshopData(
        of jpeg: JPEG, _ change: PictureChange, _ statements: KeptMetadata.Statements, _ becomesHEIC: Bool
    ) {
        do throws(ParseError) {
            guard let data = try jpeg.photoshopData() else { return }
            guard !becomesHEIC else {
                if data.hasIPTC { leftOut.append("IPTC, which a HEIC cannot hold") }
                return
            }
            photoshop = try data.segments(keepsPlaces: change.keepsPlaces, without: statements)
        } catch {
            leftOut.append("IPTC that cannot be read")
        }
    }

    /// A JPEG with the metadata; it has no XMP of its own.
    package func added(to jpeg: JPEG) throws(ParseError) -> JPEG {
        let described = try xmp.map { xmp throws(ParseError) in try jpeg.replacingXMP(with: XMP.wrapped(xmp)) } ?? jpeg
        return try described.adding(photoshop: photoshop, comments: comments)
    }
}
