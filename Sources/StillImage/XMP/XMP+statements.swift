import Bytes
import MediaModel

/// Where and when a photo was taken, as XMP states it. Programs also copy such properties into structures, such as those of the
/// documents that a picture was made of.
extension XMP {
    typealias Statements = KeptMetadata.Statements

    /// Whether a packet has such statements, or may have them if they are secret.
    static func mayHave(_ statements: Statements, _ packet: [UInt8]) -> Bool {
        guard let tree = try? XMLTree(packet) else { return statements.areSecret }
        return tree.hasUnreadText && statements.areSecret
            || !tree.ranges { $0.isAmong(statements) }.isEmpty
    }

    /// A packet without these statements, and without the link to further properties in a JPEG.
    ///
    /// - Returns: Nothing if no property is left; nil if it cannot be told what the packet states.
    static func without(_ statements: Statements, _ packet: [UInt8]) -> [UInt8]? {
        do throws(ParseError) {
            let tree = try XMLTree(packet)
            guard !tree.hasUnreadText || !statements.areSecret else { return nil }
            let removed = tree.ranges {
                $0.isAmong(statements) || $0 == XMLName(XMLNamespace.xmpNote, "HasExtendedXMP")
            }
            let new = try tree.bytes.applying(removed.map { tree.removal(of: $0) }, structure: "XMP")
            let isEmpty = try XMP(new).properties.isEmpty
            return isEmpty ? [] : mayHave(statements, new) ? nil : new
        } catch {
            return nil
        }
    }
}

extension XMLName {
    /// The names of properties that state a photo's coordinates, in small letters, except those of Exif, which begin with `GPS`:
    /// of WGS84 and vendors.
    private static let coordinateNames: Set<FileText> = ["lat", "long", "lat_long", "latitude", "longitude"]
    /// The names of others that state where a photo was taken: of XMP and IPTC (XMP Specification Part 2; IPTC Core and
    /// Extension), Dublin Core and PRISM.
    private static let placeNames: Set<FileText> = [
        "location", "sublocation", "city", "state", "provincestate", "country", "countrycode", "countryname",
        "locationcreated", "locationshown", "shotlocation", "coverage",
    ]
    /// The properties that state when a photo was taken (XMP Specification Part 2, and the guidelines of the Metadata Working
    /// Group, which map them to Exif's).
    private static let dateNames: Set<XMLName> = [
        XMLName(XMLNamespace.exif, "DateTimeOriginal"), XMLName(XMLNamespace.exif, "DateTimeDigitized"),
        XMLName(XMLNamespace.photoshop, "DateCreated"), XMLName(XMLNamespace.xmp, "CreateDate"),
    ]

    /// Whether the property is one of these statements.
    fileprivate func isAmong(_ statements: KeptMetadata.Statements) -> Bool {
        let name = local.lowercasedASCII
        let isPlace = statements.contains(.location) && Self.placeNames.contains(name)
        return isPlace || statements.contains(.date) && Self.dateNames.contains(self)
            || !statements.isDisjoint(with: [.location, .coordinates])
                && (name.hasPrefix("gps") || Self.coordinateNames.contains(name))
    }
}
