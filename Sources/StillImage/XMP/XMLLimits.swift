/// What keeps a hostile document from costing more than its size, or more time than that.
package enum XMLLimits {
    /// Bytes of a document. XMP with a depth map in it has a few million.
    package static let size = 1 << 24
    /// Elements in one another; XMP has some ten.
    package static let depth = 64
    /// Elements and attributes of one document: each becomes a value of some 100 bytes.
    package static let nodes = 1 << 16
    /// Attributes of one element.
    package static let attributes = 1024
    /// Name spaces that are declared at one place.
    package static let namespaces = 256
    /// Bytes of a name, prefix included.
    package static let name = 256
}
