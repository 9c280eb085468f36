/// A name of XML: it is the URI of its name space that counts, not the prefix that stands for that in a file
/// (Namespaces in XML 1.0, section 2.1).
package struct XMLName: Hashable, Sendable {
    /// Empty for a name in none.
    package var namespace: String
    package var local: String

    package init(_ namespace: String, _ local: String) {
        self.namespace = namespace
        self.local = local
    }
}

/// The name spaces that are read here.
package enum XMLNamespace {
    package static let xml = "http://www.w3.org/XML/1998/namespace"
    package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    /// Where XMP that goes on in other segments says so (XMP Specification Part 3, 1.1.3.1).
    package static let xmpNote = "http://ns.adobe.com/xmp/note/"
    /// Motion photos, and what came before them.
    package static let googleCamera = "http://ns.google.com/photos/1.0/camera/"
    /// What a file of more than a picture holds.
    package static let googleContainer = "http://ns.google.com/photos/1.0/container/"
    package static let googleContainerItem = "http://ns.google.com/photos/1.0/container/item/"
}

extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Digits, hyphen and full stop, which do not begin a name.
    var isXMLNameLater: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// Of the letters beyond ASCII all are let pass.
    var isXMLName: Bool {
        isXMLNameLater || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
