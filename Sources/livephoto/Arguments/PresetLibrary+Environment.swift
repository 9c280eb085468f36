import LivePhotoKit
import LivePhotoRequests

extension PresetLibrary {
    /// The built-in presets and those of the user in `$XDG_CONFIG_HOME/livephoto/presets`.
    ///
    /// XDG Base Directory Specification 0.8: relative paths are ignored, and the default is `~/.config`.
    static var withOwnPresets: PresetLibrary {
        let environment = CurrentProcess.environment
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : FilePath($0) }
        return PresetLibrary(
            folder: (configuration ?? home?.appending(".config"))?.appending("livephoto").appending("presets"))
    }
}
