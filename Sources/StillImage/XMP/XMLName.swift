package import MediaModel

/// A name in XML, identified by the URI of its name space rather than by the prefix in a file (Namespaces in XML 1.0,
/// section 2.1).
package struct XMLName: Hashable, Sendable {
    /// Empty for a name without name space.
    package var namespace: FileText
    package var local: FileText

    package init(_ namespace: FileText, _ local: FileText) {
        self.namespace = namespace
        self.local = local
    }
}

/// The name spaces that this module reads.
package enum XMLNamespace {
    package static let xml: FileText = "http://www.w3.org/XML/1998/namespace"
    package static let rdf: FileText = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    /// XMP that continues in other segments (XMP Specification Part 3, 1.1.3.1).
    package static let xmpNote: FileText = "http://ns.adobe.com/xmp/note/"
    /// Motion photos and MicroVideo.
    package static let googleCamera: FileText = "http://ns.google.com/photos/1.0/camera/"
    /// The items of a file with other data besides a picture.
    package static let googleContainer: FileText = "http://ns.google.com/photos/1.0/container/"
    package static let googleContainerItem: FileText = "http://ns.google.com/photos/1.0/container/item/"
    /// This project's own.
    package static let livePhoto: FileText = "urn:x-livephoto:1.0/"
    /// Adobe's gain maps of HDR pictures.
    package static let gainMap: FileText = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// Apple's gain maps.
    package static let appleGainMap: FileText = "http://ns.apple.com/HDRGainMap/1.0/"
    package static let tiff: FileText = "http://ns.adobe.com/tiff/1.0/"
    package static let exif: FileText = "http://ns.adobe.com/exif/1.0/"
    package static let photoshop: FileText = "http://ns.adobe.com/photoshop/1.0/"
    package static let xmp: FileText = "http://ns.adobe.com/xap/1.0/"
}

extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Digits, hyphen and full stop, which cannot begin a name.
    var isXMLNameLater: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// All characters beyond ASCII are accepted.
    var isXMLName: Bool {
        isXMLNameLater || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
