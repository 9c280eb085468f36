/// What stays of the metadata outside of Exif, which may repeat Exif: XMP, Photoshop's data such as IPTC in a JPEG, makers' trailers,
/// and all of these in further pictures.
package enum KeptMetadata: Sendable, Hashable {
    case all
    /// Everything but these statements, and copies of other metadata in Photoshop's data. With the location, also what cannot be
    /// read and pictures in Photoshop's data go.
    case allBut(Statements)
    /// Only what is needed to show the picture, and its gain map.
    case nothing

    /// Whether the location goes.
    var removesLocation: Bool {
        switch self {
        case .all: false
        case .allBut(let statements): statements.contains(.location)
        case .nothing: true
        }
    }

    /// What stays of the XMP of a further picture in the file: of a gain map, at least what its readers need.
    func ofFurtherXMP(_ packet: [UInt8]) -> KeptMetadata {
        guard self == .nothing, let xmp = try? XMP(packet) else { return self }
        return xmp.properties.contains(where: \.name.describesGainMap) ? .allBut([.location, .date]) : self
    }

    /// What XMP and IPTC may state as Exif does.
    package struct Statements: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Where the photo was taken, in numbers and names.
        package static let location = Self(rawValue: 1)
        /// When the photo was taken.
        package static let date = Self(rawValue: 2)

        /// Whether what cannot be read goes too: a location is removed to keep it private.
        var removesUnreadable: Bool { contains(.location) }
    }
}
