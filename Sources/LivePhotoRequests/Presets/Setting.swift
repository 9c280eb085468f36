/// The description of a setting of a conversion: its names in presets, in job files and on the command line, its help, its
/// values and its key path into `Preset`. Presets, job files, the JSON Schema, the tables in the documentation and the help
/// of the command line are all generated from `all`.
package struct Setting: Sendable {
    /// The section of a preset that contains the key; nil for a top-level key.
    package let section: String?
    /// The key in that section.
    package let key: String
    /// The key in job files; nil for a setting of presets only.
    package let jobKey: String?
    /// The command-line option and a name for its value, as `max-size <WxH>`; nil if there is none.
    package let option: String?
    /// One sentence of help.
    package let help: String
    /// The default that the help shows.
    package let fallback: String
    /// The allowed values, as the end of the sentence "write …".
    package let allowed: String
    /// The members of a JSON Schema for its values, without null.
    package let jsonSchema: String
    /// Whether the value can be null.
    package let isOptional: Bool
    /// Reads the value from a preset, as text; nil for null.
    package let text: @Sendable (Preset) -> String?
    /// Parses text and sets the value in a preset. Nil is null, which only optional settings accept.
    fileprivate let read: @Sendable (inout Preset, String?) throws(LivePhotoError) -> Void

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
        read: @escaping @Sendable (inout Preset, String?) throws(LivePhotoError) -> Void
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
            read: { (preset, text) throws(LivePhotoError) in preset[keyPath: place] = try Value(text ?? "") })
    }

    /// A setting that may be null.
    private init<Value: OptionValue>(
        _ path: String, _ place: any WritableKeyPath<Preset, Value?> & Sendable, job: String? = nil,
        option: String? = nil, fallback: String = "the preset's", _ help: String
    ) {
        self.init(
            path, job: job, option: option, fallback: fallback, help, (Value.allowed, Value.jsonSchema),
            isOptional: true, text: { $0[keyPath: place]?.optionText },
            read: { (preset, text) throws(LivePhotoError) in
                preset[keyPath: place] = if let text { try Value(text) } else { nil }
            })
    }

    /// A key of presets with a single allowed value, which `Preset` does not store.
    private init(_ path: String, always word: String, kind: String, _ help: String) {
        self.init(
            path, help, (word, "\"enum\": [\"\(word)\"]"), text: { _ in word },
            read: { (_, text) throws(LivePhotoError) in
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
        "Take the key photo at this time of the clip.")
    package static let start = Setting(
        "window.start", \.window.start, job: "start", option: "start <time>",
        "Start the movie at this time of the clip.")
    package static let end = Setting(
        "window.end", \.window.end, job: "end", option: "end <time>", "End the movie at this time of the clip.")
    package static let duration = Setting(
        "window.duration", \.window.duration, job: "duration", option: "duration <length>", "Duration of the movie.")
    package static let before = Setting(
        "window.before", \.window.before, job: "before", option: "before <length>",
        "Duration of the movie before the still.")
    package static let after = Setting(
        "window.after", \.window.after, job: "after", option: "after <length>", "Duration of the movie after the still."
    )
    package static let crop = Setting(
        "picture.crop", \.picture.framing.crop, job: "crop", option: "crop <x,y,w,h>",
        "Crop to this rectangle of the upright picture, in pixels.")
    package static let fill = Setting(
        "picture.fill", \.picture.framing.fill, job: "fill", option: "fill <w:h>",
        "Crop to this aspect ratio around the centre, as 3:4.")
    package static let fit = Setting(
        "picture.fit", \.picture.framing.fit, job: "fit", option: "fit <w:h>",
        "Add black bars to reach this aspect ratio, as 3:4.")
    package static let toneMap = Setting(
        "picture.toneMap", \.picture.toneMapping, job: "toneMap", option: "tone-map <operator>",
        "Tone-mapping operator for HDR clips: \(ToneMapping.allowed).")
    package static let background = Setting(
        "picture.background", \.picture.background, job: "background", option: "background <colour>",
        "Fill transparent areas with this colour, as white or 1E90FF.")
    package static let frameRate = Setting(
        "video.frameRate", \.video.frameRate, job: "fps", option: "fps <lo-hi>",
        "Frame rate of the movie, or a range, as 12-15.")
    package static let maxSize = Setting(
        "video.maxSize", \.video.maxSize, job: "maxSize", option: "max-size <WxH>",
        "Largest picture size of the movie, as 1920x1080.")
    package static let audio = Setting(
        "audio.mode", \.audio.mode, job: "audio", "Whether to keep the sound of the clip.")
    package static let metadata = Setting(
        "metadata", \.metadata, job: "metadata", "Which of the clip's date, place and camera to copy.")
    package static let timeout = Setting(
        "limits.timeout", \.limits.timeout, option: "timeout <s>", fallback: "the preset's, or 1800",
        "Stop decoding a file after this many seconds; 0 sets no limit.")
    package static let memory = Setting(
        "limits.memory", \.limits.memory, option: "memory-limit <MB>",
        fallback: "the preset's, or by the picture's size", "Limit the memory for decoding and encoding a file.")

    /// All settings, in the order of a printed preset.
    package static let all = [
        still, start, end, duration, before, after, crop, fill, fit, toneMap, background,
        Setting("video.codec", always: "h264", kind: "a video codec", "Video codec of the movie."),
        frameRate, maxSize,
        Setting("video.x264Preset", \.video.x264Preset, "Speed of x264: slower presets make smaller files."),
        Setting("video.crf", \.video.crf, "Quality of x264: a lower value is better and larger."),
        audio, Setting("audio.bitrate", \.audio.bitrate, "Bit rate of sound that is re-encoded."),
        Setting("photo.format", always: "jpeg", kind: "a photo format", "Format of the key photo."),
        Setting(
            "photo.quality", \.photo.quality, "JPEG quality of the key photo: a higher value is better and larger."),
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
    /// Sets a value from a node of a preset.
    ///
    /// - Throws: `LivePhotoError` for what is not a value of the setting.
    mutating func set(_ setting: Setting, to node: YAMLNode) throws(LivePhotoError) {
        let text = setting.isOptional && node.isNull ? nil : try node.text()
        do {
            try setting.read(&self, text)
        } catch {
            throw node.valueError(.invalidValue, error.description)
        }
    }

    /// Overrides values of the preset by those given for one conversion. If start, end and duration would then all be set, or
    /// a duration beside before or after, the value that only the preset sets is dropped.
    ///
    /// - Parameter failure: creates the error for a wrong value from its setting and a sentence.
    package mutating func replace<Failure: Error>(
        _ given: [(setting: Setting, text: String)], failure: (Setting, String) -> Failure
    ) throws(Failure) {
        for (setting, text) in given {
            do throws(LivePhotoError) {
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
