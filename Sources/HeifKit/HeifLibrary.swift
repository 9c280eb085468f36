import CHeif

/// The libheif that is linked.
package enum HeifLibrary {
    /// `1.15.1`
    package static var version: String { heif_get_version().map { String(cString: $0) } ?? "unknown" }

    /// Loads the decoders that are libraries of their own, which else happens with the first picture.
    package static func loadPlugins() { _ = heif_init(nil) }
}
