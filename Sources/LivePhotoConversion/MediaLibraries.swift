import HeifKit

/// The libraries that decode.
package enum MediaLibraries {
    /// Loads what they would load later, when no file can be opened any more: libheif's plugins.
    package static func load() { HeifLibrary.loadPlugins() }
}
