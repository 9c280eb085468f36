import Bytes
import MediaModel

/// Where and when a photo was taken, as XMP states it.
extension XMP {
    typealias Statements = KeptMetadata.Statements

    /// A document without any property.
    static let emptyPacket = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)

    /// Whether a packet has such statements. One that cannot be read counts if it is to be removed.
    static func mayHave(_ statements: Statements, _ packet: [UInt8]) -> Bool {
        guard let tree = try? XMLTree(packet) else { return statements.removesUnreadable }
        return tree.hasUnreadText && statements.removesUnreadable || !tree.ranges(of: statements).isEmpty
    }

    /// A packet without these statements.
    ///
    /// - Parameter keepsLink: whether the link to further properties in a JPEG stays.
    /// - Returns: An empty array if no property is left; nil if it cannot be told what the packet states.
    static func without(_ statements: Statements, _ packet: [UInt8], keepsLink: Bool = false) -> [UInt8]? {
        do throws(ParseError) {
            let tree = try XMLTree(packet)
            guard !tree.hasUnreadText || !statements.removesUnreadable else { return nil }
            let link = XMLName(XMLNamespace.xmpNote, "HasExtendedXMP")
            let removed = tree.ranges(of: statements) + (keepsLink ? [] : tree.ranges { $0 == link })
            let new = try tree.bytes.applying(removed.map { tree.removal(of: $0) }, structure: "XMP")
            let isEmpty = try XMP(new).properties.isEmpty
            return isEmpty ? [] : mayHave(statements, new) ? nil : new
        } catch {
            return nil
        }
    }
}

extension XMP {
    /// A packet with what stays of it, and spaces, so that its size is the same; nil if it stays as it is.
    ///
    /// - Parameter keepsLink: whether the link to further properties in a JPEG stays.
    static func overwritten(_ packet: [UInt8], keeping: KeptMetadata, keepsLink: Bool = false) -> [UInt8]? {
        var new: [UInt8] = []
        switch keeping {
        case .all: return nil
        case .nothing: break
        case .allBut(let statements):
            guard mayHave(statements, packet) else { return nil }
            // UTF-16 may be longer in UTF-8.
            let kept = without(statements, packet, keepsLink: keepsLink).flatMap { $0.count > packet.count ? nil : $0 }
            guard kept != nil || statements.removesUnreadable else { return nil }
            if let kept { new = kept.isEmpty && packet.count >= emptyPacket.count ? emptyPacket : kept }
        }
        return new + repeatElement(UInt8(ascii: " "), count: packet.count - new.count)
    }
}

extension XMLTree {
    /// The properties that state this. Programs also copy locations into structures, such as those of the documents that a
    /// picture was made of; the dates there are those of the documents.
    fileprivate func ranges(of statements: KeptMetadata.Statements) -> [Range<Int>] {
        let locations = statements.contains(.location) ? ranges(\.statesLocation) : []
        guard statements.contains(.date) else { return locations }
        let properties = nodes.flatMap { $0.attributes + $0.children.map(\.value) }
        return locations + properties.filter { XMP.dateNames.contains($0.name) }.map(\.range)
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
