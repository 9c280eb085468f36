import LivePhotoRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PresetLibrary {
    /// The shipped presets and the user's own, which stand in `$XDG_CONFIG_HOME/livephoto/presets`.
    static var withOwnPresets: PresetLibrary { PresetLibrary(folder: ownFolder(ProcessInfo.processInfo.environment)) }

    /// XDG Base Directory Specification 0.8: relative paths are to be ignored, and `~/.config` stands in.
    private static func ownFolder(_ environment: [String: String]) -> FilePath? {
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : FilePath($0) }
        return (configuration ?? home?.appending(".config"))?.appending("livephoto").appending("presets")
    }
}
