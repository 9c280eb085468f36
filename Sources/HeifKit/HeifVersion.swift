import CHeif

/// The libheif that is linked.
package enum HeifVersion {
    /// `1.15.1`
    package static var linked: String { heif_get_version().map { String(cString: $0) } ?? "unknown" }
}
