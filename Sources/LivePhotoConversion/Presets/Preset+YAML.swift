import MediaModel

/// Each part of a preset reads itself from the mapping of its keys; what is not there comes from the preset that this
/// one extends, or is missing.
extension Preset {
    enum Key: String, CaseIterable {
        case name, description, extends, window, video, audio, photo
    }

    /// - Parameter base: the preset that this one extends. Its name is not inherited.
    init(_ mapping: YAMLMapping<Key>, base: Preset?) throws(ConfigurationError) {
        name = try mapping.line(.name, else: nil)
        description = try mapping.line(.description, else: base?.description)
        window = try mapping.section(.window, else: base?.window) { (window) throws(ConfigurationError) in
            try Window(window, base: base?.window)
        }
        video = try mapping.section(.video, else: base?.video) { (video) throws(ConfigurationError) in
            try Video(video, base: base?.video)
        }
        audio = try mapping.section(.audio, else: base?.audio) { (audio) throws(ConfigurationError) in
            try Audio(audio, base: base?.audio)
        }
        photo = try mapping.section(.photo, else: base?.photo) { (photo) throws(ConfigurationError) in
            try Photo(photo, base: base?.photo)
        }
    }
}

extension Preset.Window {
    enum Key: String, CaseIterable {
        case before, after
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        before = try mapping.option(.before, else: base.flatMap { WindowLength($0.before) }).time
        after = try mapping.option(.after, else: base.flatMap { WindowLength($0.after) }).time
        guard before > .zero || after > .zero else {
            throw mapping.node.valueError(.invalidValue, "before and after are both 0, so there is nothing to play")
        }
    }
}

extension Preset.Video {
    enum Key: String, CaseIterable {
        case codec, frameRate, maxSize, x264Preset, crf
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        codec = try mapping.option(.codec, else: base?.codec)
        frameRate = try mapping.option(.frameRate, else: base?.frameRate)
        maxSize = try mapping.option(.maxSize, else: base?.maxSize)
        x264Preset = try mapping.option(.x264Preset, else: base?.x264Preset)
        crf = try mapping.option(.crf, else: base?.crf)
    }
}

extension Preset.Audio {
    enum Key: String, CaseIterable {
        case mode, bitrate
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        mode = try mapping.option(.mode, else: base?.mode)
        bitrate = try mapping.option(.bitrate, else: base?.bitrate)
    }
}

extension Preset.Photo {
    enum Key: String, CaseIterable {
        case format, quality
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        format = try mapping.option(.format, else: base?.format)
        quality = try mapping.option(.quality, else: base?.quality)
    }
}
