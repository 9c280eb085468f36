import MediaModel

/// Each part of a preset reads itself from the mapping of its keys; what is not there comes from the preset that this
/// one extends, or is missing.
extension Preset {
    package enum Key: String, CaseIterable {
        case name, description, extends, window, picture, video, audio, photo, metadata, limits
    }

    /// - Parameters:
    ///   - base: the preset that this one extends. Its name is not inherited.
    ///   - name: of a preset that may go without.
    init(_ mapping: YAMLMapping<Key>, base: Preset?, name: String? = nil) throws(ConfigurationError) {
        self.name = try mapping.line(.name, else: name)
        description = try mapping.line(.description, else: base?.description)
        window = try mapping.section(.window, else: base?.window) { (window) throws(ConfigurationError) in
            try Window(window, base: base?.window)
        }
        picture = try mapping.section(.picture, else: base?.picture) { (picture) throws(ConfigurationError) in
            try Picture(picture, base: base?.picture)
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
        metadata = try mapping.option(.metadata, else: base?.metadata)
        limits = try mapping.section(.limits, else: base?.limits) { (limits) throws(ConfigurationError) in
            try Limits(limits, base: base?.limits)
        }
    }
}

extension Preset.Window {
    package enum Key: String, CaseIterable {
        case still, start, end, duration, before, after
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        still = try mapping.optional(.still, else: base?.still)
        start = try mapping.optional(.start, else: base?.start)
        end = try mapping.optional(.end, else: base?.end)
        duration = try mapping.optional(.duration, else: base?.duration.flatMap { WindowLength($0) })?.time
        before = try mapping.option(.before, else: base.flatMap { WindowLength($0.before) }).time
        after = try mapping.option(.after, else: base.flatMap { WindowLength($0.after) }).time
        guard before > .zero || after > .zero else {
            throw mapping.node.valueError(.invalidValue, "before and after are both 0, so there is nothing to play")
        }
        guard duration != .zero else {
            throw (mapping[.duration] ?? mapping.node).valueError(
                .invalidValue, "a movie of 0 seconds has nothing to play")
        }
        guard start == nil || end == nil || duration == nil else {
            throw mapping.node.valueError(
                .invalidValue, "start, end and duration cannot all be given; leave one out, or set it to null")
        }
    }
}

extension Preset.Picture {
    package enum Key: String, CaseIterable {
        case crop, fill, fit, toneMap, background
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        framing = Framing(
            crop: try mapping.optional(.crop, else: base?.framing.crop),
            shape: try Self.shape(mapping, base: base?.framing.shape))
        toneMapping = try mapping.option(.toneMap, else: base?.toneMapping)
        background = try mapping.option(.background, else: base?.background)
    }

    /// A shape takes the place of the inherited one, whichever of the two ways it is made in.
    private static func shape(
        _ mapping: YAMLMapping<Key>, base: Framing.Shape?
    ) throws(ConfigurationError) -> Framing.Shape? {
        if let shape = try mapping.shape(fill: .fill, fit: .fit) { return shape }
        switch base {
        case .fill: return mapping[.fill] == nil ? base : nil
        case .fit: return mapping[.fit] == nil ? base : nil
        case nil: return nil
        }
    }
}

extension Preset.Video {
    package enum Key: String, CaseIterable {
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
    package enum Key: String, CaseIterable {
        case mode, bitrate
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        mode = try mapping.option(.mode, else: base?.mode)
        bitrate = try mapping.option(.bitrate, else: base?.bitrate)
    }
}

extension Preset.Photo {
    package enum Key: String, CaseIterable {
        case format, quality
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        format = try mapping.option(.format, else: base?.format)
        quality = try mapping.option(.quality, else: base?.quality)
    }
}

extension Preset.Limits {
    package enum Key: String, CaseIterable {
        case timeout, memory
    }

    init(_ mapping: YAMLMapping<Key>, base: Self?) throws(ConfigurationError) {
        timeout = try mapping.option(.timeout, else: base?.timeout)
        memory = try mapping.optional(.memory, else: base?.memory)
    }
}
