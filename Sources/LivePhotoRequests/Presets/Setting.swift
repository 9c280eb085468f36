/// A setting of a conversion: its names in presets, in job files and on the command line, what it does, how its values are
/// written, and where `Preset` has it. Presets, job files, their JSON Schema, the tables of the documents and the help of
/// the command line all go by `all`.
package struct Setting: Sendable {
    /// The section of presets that has it; nil for a key outside of all sections.
    package let section: String?
    /// Its key there.
    package let key: String
    /// Its key in job files; nil for what only presets can set.
    package let jobKey: String?
    /// Its option on the command line with a name for the value, as `max-size <WxH>`; nil where there is none.
    package let option: String?
    /// What it does, in one sentence.
    package let help: String
    /// What it is without the option, for the help.
    package let fallback: String
    /// What is allowed, as the end of the sentence "write …".
    package let allowed: String
    /// The members of a JSON Schema for its values, null left out.
    package let jsonSchema: String
    /// Whether null unsets it.
    package let isOptional: Bool
    /// Its value in a preset, as it is written; nil for null.
    package let text: @Sendable (Preset) -> String?
    /// Reads its value from text into a preset; nil is null, and only for optional settings.
    fileprivate let read: @Sendable (inout Preset, String?) throws(OptionError) -> Void

    /// `picture.toneMap`
    package var path: String { section.map { "\($0).\(key)" } ?? key }
    /// `tone-map`
    package var optionName: String { String(option?.prefix { $0 != " " } ?? key[...]) }
    /// `operator`
    package var valueName: String? { option?.drop { $0 != "<" }.dropFirst().dropLast().description }

    private init(
        _ path: String, job: String? = nil, option: String? = nil, fallback: String = "", _ help: String,
        _ values: (allowed: String, jsonSchema: String), isOptional: Bool = false,
        text: @escaping @Sendable (Preset) -> String?,
        read: @escaping @Sendable (inout Preset, String?) throws(OptionError) -> Void
    ) {
        let names = path.split(separator: ".").map(String.init)
        (section, key) = (names.count == 2 ? names[0] : nil, names[names.count - 1])
        (jobKey, self.option, self.fallback, self.help, self.isOptional) = (job, option, fallback, help, isOptional)
        ((allowed, jsonSchema), self.text, self.read) = (values, text, read)
    }

    /// A setting that always has a value.
    private init<Value: OptionValue>(
        _ path: String, _ place: any WritableKeyPath<Preset, Value> & Sendable, job: String? = nil,
        option: String? = nil, fallback: String = "the preset's", _ help: String
    ) {
        self.init(
            path, job: job, option: option, fallback: fallback, help, (Value.allowed, Value.jsonSchema),
            text: { $0[keyPath: place].optionText },
            read: { (preset, text) throws(OptionError) in preset[keyPath: place] = try Value(text ?? "") })
    }

    /// A setting that may be null.
    private init<Value: OptionValue>(
        _ path: String, _ place: any WritableKeyPath<Preset, Value?> & Sendable, job: String? = nil,
        option: String? = nil, fallback: String = "the preset's", _ help: String
    ) {
        self.init(
            path, job: job, option: option, fallback: fallback, help, (Value.allowed, Value.jsonSchema),
            isOptional: true, text: { $0[keyPath: place]?.optionText },
            read: { (preset, text) throws(OptionError) in
                preset[keyPath: place] = if let text { try Value(text) } else { nil }
            })
    }

    /// A key of presets that has one value only, so that `Preset` need not keep it.
    private init(_ path: String, always word: String, kind: String, _ help: String) {
        self.init(
            path, help, (word, "\"enum\": [\"\(word)\"]"), text: { _ in word },
            read: { (_, text) throws(OptionError) in
                if text != word { throw LivePhotoError.invalidValue(text ?? "", isNot: kind, write: word) }
            })
    }
}

extension Setting: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.path == right.path }
    package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension Setting {
    package static let still = Setting(
        "window.still", \.window.still, job: "still", option: "still <time>", fallback: "the preset's, or the middle",
        "The moment that becomes the key photo.")
    package static let start = Setting(
        "window.start", \.window.start, job: "start", option: "start <time>", "Where in the clip the movie starts.")
    package static let end = Setting(
        "window.end", \.window.end, job: "end", option: "end <time>", "Where in the clip the movie ends.")
    package static let duration = Setting(
        "window.duration", \.window.duration, job: "duration", option: "duration <length>", "How long the movie lasts.")
    package static let before = Setting(
        "window.before", \.window.before, job: "before", option: "before <length>",
        "From the movie's start to the still.")
    package static let after = Setting(
        "window.after", \.window.after, job: "after", option: "after <length>", "From the still to the movie's end.")
    package static let crop = Setting(
        "picture.crop", \.picture.framing.crop, job: "crop", option: "crop <x,y,w,h>",
        "Take only this part of the upright picture, in pixels.")
    package static let fill = Setting(
        "picture.fill", \.picture.framing.fill, job: "fill", option: "fill <w:h>",
        "Crop to this shape, from the middle, as 3:4.")
    package static let fit = Setting(
        "picture.fit", \.picture.framing.fit, job: "fit", option: "fit <w:h>",
        "Bring to this shape with black bars, as 3:4.")
    package static let toneMap = Setting(
        "picture.toneMap", \.picture.toneMapping, job: "toneMap", option: "tone-map <operator>",
        "How HDR becomes SDR: \(ToneMapping.allowed).")
    package static let background = Setting(
        "picture.background", \.picture.background, job: "background", option: "background <colour>",
        "Fill the transparent parts with this colour, as white or 1E90FF.")
    package static let frameRate = Setting(
        "video.frameRate", \.video.frameRate, job: "fps", option: "fps <lo-hi>", "Frames a second.")
    package static let maxSize = Setting(
        "video.maxSize", \.video.maxSize, job: "maxSize", option: "max-size <WxH>", "The largest picture of the movie.")
    package static let audio = Setting(
        "audio.mode", \.audio.mode, job: "audio", "Whether the movie has sound, where the clip has some.")
    package static let metadata = Setting(
        "metadata", \.metadata, job: "metadata", "Whether the pair has the clip's date, place and camera.")
    package static let timeout = Setting(
        "limits.timeout", \.limits.timeout, option: "timeout <s>", fallback: "the preset's, or 1800",
        "End the decoding of a file after this many seconds; 0 sets no limit.")
    package static let memory = Setting(
        "limits.memory", \.limits.memory, option: "memory-limit <MB>",
        fallback: "the preset's, or by the picture's size", "Limit the memory for decoding and encoding a file.")

    /// All of them, in the order in which presets have them.
    package static let all = [
        still, start, end, duration, before, after, crop, fill, fit, toneMap, background,
        Setting("video.codec", always: "h264", kind: "a video codec", "How the movie's pictures are coded."),
        frameRate, maxSize,
        Setting("video.x264Preset", \.video.x264Preset, "How long x264 searches: slower presets make smaller files."),
        Setting("video.crf", \.video.crf, "How much x264 may lose: a lower value is better and larger."),
        audio, Setting("audio.bitrate", \.audio.bitrate, "The bit rate of sound that is re-encoded."),
        Setting("photo.format", always: "jpeg", kind: "a photo format", "How the key photo is coded."),
        Setting("photo.quality", \.photo.quality, "The key photo's quality: a higher value is better and larger."),
        metadata, timeout, memory,
    ]

    /// The settings of each section of presets.
    package static let sections = all.reduce(into: [(name: String?, settings: [Setting])]()) { sections, setting in
        if let last = sections.indices.last, sections[last].name == setting.section {
            sections[last].settings.append(setting)
        } else {
            sections.append((setting.section, [setting]))
        }
    }
}

extension Preset {
    /// Sets what the value at a key of a preset says.
    ///
    /// - Throws: `ConfigurationError` for what is not a value of the setting.
    mutating func set(_ setting: Setting, to node: YAMLNode) throws(ConfigurationError) {
        let text = setting.isOptional && node.isNull ? nil : try node.text()
        do {
            try setting.read(&self, text)
        } catch {
            throw node.valueError(.invalidValue, error.description)
        }
    }

    /// Puts values that were given for one conversion in place of the preset's. Where both together would say too much
    /// about where the movie lies, those that only the preset has are dropped.
    ///
    /// - Parameter failure: makes the error for a setting whose value is wrong of a sentence about it.
    package mutating func replace<Failure: Error>(
        _ given: [(setting: Setting, text: String)], failure: (Setting, String) -> Failure
    ) throws(Failure) {
        for (setting, text) in given {
            do throws(OptionError) {
                try setting.read(&self, text)
            } catch {
                throw failure(setting, error.description)
            }
        }
        let settings = Set(given.map(\.setting))
        if settings.isSuperset(of: [.fill, .fit]) { throw failure(.fit, Framing.conflict) }
        guard !settings.contains(.duration) else {
            // Two of start, end and duration are enough.
            guard window.start != nil, window.end != nil else { return }
            if !settings.contains(.end) { window.end = nil } else if !settings.contains(.start) { window.start = nil }
            return
        }
        let isSurrounded = settings.contains(.before) || settings.contains(.after)
        if isSurrounded || (window.start != nil && window.end != nil) { window.duration = nil }
    }
}
