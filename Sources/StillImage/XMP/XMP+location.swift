import Bytes
import MediaModel

/// Where a photo was taken, as XMP states it. Programs also copy such properties into structures, such as those of the documents
/// that a picture was made of.
extension XMP {
    /// Whether a packet states, or may state, where the photo was taken.
    static func mayStateLocation(_ packet: [UInt8]) -> Bool {
        guard let tree = try? XMLTree(packet) else { return true }
        return tree.hasUnreadText || !tree.ranges(\.statesLocation).isEmpty
    }

    /// A packet without where the photo was taken, and without the link to further properties in a JPEG; nil if nothing else is
    /// left, or if that cannot be told.
    static func withoutLocation(_ packet: [UInt8]) -> [UInt8]? {
        do throws(ParseError) {
            let tree = try XMLTree(packet)
            guard !tree.hasUnreadText else { return nil }
            let removed = tree.ranges { $0.statesLocation || $0 == XMLName(XMLNamespace.xmpNote, "HasExtendedXMP") }
            let new = try tree.bytes.applying(removed.map { tree.removal(of: $0) }, structure: "XMP")
            let isEmpty = try XMP(new).properties.isEmpty
            return isEmpty || mayStateLocation(new) ? nil : new
        } catch {
            return nil
        }
    }
}

extension XMLName {
    /// The names of properties that state a photo's location, in small letters: of XMP and IPTC (XMP Specification Part 2; IPTC
    /// Core and Extension), Dublin Core, PRISM and WGS84, except those of Exif, which begin with `GPS`.
    private static let locationNames: Set<FileText> = [
        "location", "sublocation", "city", "state", "provincestate", "country", "countrycode", "countryname",
        "locationcreated", "locationshown", "shotlocation", "coverage", "lat", "long", "lat_long", "latitude",
        "longitude",
    ]

    /// Whether the property states the photo's location.
    fileprivate var statesLocation: Bool {
        let name = local.lowercasedASCII
        return name.hasPrefix("gps") || Self.locationNames.contains(name)
    }
}
