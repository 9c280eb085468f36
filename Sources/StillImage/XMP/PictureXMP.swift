import Bytes
import MediaModel

/// The XMP of a picture that became another one: everything that stays true, with the changes that this needs.
struct PictureXMP {
    /// In UTF-8; nil if no property is left.
    let packet: [UInt8]?
    /// What was left out: nouns, such as `1 region`.
    private(set) var leftOut: [String] = []

    /// - Throws: `ParseError` for a document that cannot be read.
    init(_ packet: [UInt8], _ change: PictureChange, without statements: KeptMetadata.Statements) throws(ParseError) {
        let tree = try XMLTree(packet)
        var splices: [Splice] = []
        var removedRegions = 0
        for node in tree.nodes {
            for property in node.children where PictureRegions.names.contains(property.name) {
                let regions = PictureRegions(property, in: tree, change)
                splices += regions.splices
                removedRegions += regions.removed
            }
            let properties = node.attributes + node.children.map(\.value)
            for property in properties where !PictureRegions.names.contains(property.name) {
                switch Self.action(on: property.name, change) {
                case .keep: continue
                case .set(let number): splices += tree.change(of: property, to: "\(number)")
                case .remove(let what):
                    splices.append(tree.removal(of: property.range))
                    if let what, !leftOut.contains(what) { leftOut.append(what) }
                }
            }
        }
        if removedRegions > 0 { leftOut.append(counted(removedRegions, "region") + " of people or things") }
        let new = try tree.bytes.applying(splices, structure: "XMP")
        let isEmpty = try XMP(new).properties.isEmpty
        let unreadable: [UInt8] = statements.removesUnreadable ? [] : new
        let rest = statements.isEmpty ? new : XMP.without(statements, new) ?? unreadable
        self.packet = isEmpty || rest.isEmpty ? nil : rest
    }

    private enum Action {
        case keep
        case set(Int)
        /// - Parameter what: what the user misses; nil if nothing.
        case remove(what: String?)
    }

    private static let crs: FileText = "http://ns.adobe.com/camera-raw-settings/1.0/"
    private static let panorama: FileText = "http://ns.google.com/photos/1.0/panorama/"
    /// A depth map, or the focus that was made with it.
    private static let depth: [FileText] = [
        "http://ns.google.com/photos/1.0/depthmap/", "http://ns.google.com/photos/1.0/image/",
        "http://ns.google.com/photos/1.0/focus/",
    ]
    private static let places: [(namespaces: [FileText], prefix: FileText, what: String?)] = [
        ([XMLNamespace.exif], "SubjectArea", nil), ([XMLNamespace.exif], "SubjectLocation", nil),
        ([crs], "Crop", "the crop of a raw photo"), ([crs], "HasCrop", nil),
        ([panorama], "", "the description of a panorama"), (depth, "", "a depth map"),
    ]

    private static func action(on name: XMLName, _ change: PictureChange) -> Action {
        switch (name.namespace, name.local) {
        case (XMLNamespace.tiff, "Orientation"): return .set(change.new.orientation.rawValue)
        case (XMLNamespace.tiff, "ImageWidth"), (XMLNamespace.exif, "PixelXDimension"):
            return .set(change.new.size.width)
        case (XMLNamespace.tiff, "ImageLength"), (XMLNamespace.exif, "PixelYDimension"):
            return .set(change.new.size.height)
        case (XMLNamespace.xmp, "Thumbnails"), (XMLNamespace.xmpNote, "HasExtendedXMP"): return .remove(what: nil)
        default: break
        }
        if name.describesFile { return .remove(what: nil) }
        guard !change.keepsPlaces else { return .keep }
        let place = places.first { $0.namespaces.contains(name.namespace) && name.local.hasPrefix($0.prefix) }
        return place.map { .remove(what: $0.what) } ?? .keep
    }
}

extension XMLName {
    /// Whether the property describes a gain map in the file.
    var describesGainMap: Bool {
        [XMLNamespace.googleContainer, XMLNamespace.gainMap, XMLNamespace.appleGainMap].contains(namespace)
    }

    /// Whether the property describes what else is in the file, such as a gain map or a movie, rather than the picture.
    fileprivate var describesFile: Bool {
        let isMovie =
            namespace == XMLNamespace.googleCamera && (local.hasPrefix("MotionPhoto") || local.hasPrefix("MicroVideo"))
        return describesGainMap || isMovie || namespace == XMLNamespace.livePhoto
    }
}
