import LivePhotoRequests

extension PresetLibrary {
    /// The built-in presets and those of the user in `$XDG_CONFIG_HOME/livephoto/presets`.
    static var withOwnPresets: PresetLibrary {
        PresetLibrary(folder: UserFolder.configuration()?.appending("presets"))
    }
}
