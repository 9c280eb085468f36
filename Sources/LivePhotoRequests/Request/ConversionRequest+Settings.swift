import MediaModel

extension ConversionRequest {
    /// How the pair is made: the preset with the request's own values in place of its own.
    package var settings: Preset {
        get throws(ConfigurationError) {
            var settings =
                if let preset { preset } else { try PresetLibrary().preset(named: PresetLibrary.defaultName) }
            settings.window = window(over: settings.window)
            settings.picture.framing.crop = framing.crop ?? settings.picture.framing.crop
            settings.picture.framing.shape = framing.shape ?? settings.picture.framing.shape
            settings.picture.toneMapping = toneMapping ?? settings.picture.toneMapping
            settings.picture.background = background ?? settings.picture.background
            settings.video.frameRate = frameRate ?? settings.video.frameRate
            settings.video.maxSize = maxSize ?? settings.video.maxSize
            settings.audio.mode = audio ?? settings.audio.mode
            let keepsMetadata = includesMetadata ?? (settings.metadata != .discard)
            let keepsLocation = includesLocation ?? (settings.metadata == .keep)
            settings.metadata = keepsMetadata ? (keepsLocation ? .keep : .withoutLocation) : .discard
            return settings
        }
    }

    private func window(over preset: Preset.Window) -> Preset.Window {
        var window = preset
        window.still = still ?? preset.still
        window.start = start ?? preset.start
        window.end = end ?? preset.end
        window.duration = duration ?? (before == nil && after == nil ? preset.duration : nil)
        window.before = before ?? preset.before
        window.after = after ?? preset.after
        // Two of these say where the movie lies. A third that only the preset says gives way.
        if window.start != nil, window.end != nil, window.duration != nil {
            if duration == nil {
                window.duration = nil
            } else if end == nil {
                window.end = nil
            } else if start == nil {
                window.start = nil
            }
        }
        return window
    }
}
