package import SystemPackage

/// The description of a setting: its names in presets, job files and on the command line, its purpose, its values and
/// its property of `Preset`. Presets, job files, their JSON Schema, the tables in Documentation and the help of the
/// command line follow from `all`.
package struct Setting: Sendable {
    /// Its section of presets; nil for a key at the top level.
    package let section: String?
    /// Its key in that section.
    package let key: String
    /// Its key in job files; nil if only presets have it.
    package let jobKey: String?
    /// Its command-line option with the name of the value: `max-size <WxH>`; nil if there is none.
    package let option: String?
    /// Its purpose in one sentence.
    package let help: String
    /// The value without the option, for the help: `(default: unchanged)`, or that of the preset classic, `(classic: 12-15)`.
    package var fallbackNote: String {
        meaningOfNull.map { "(default: \($0))" } ?? "(classic: \(text(.classic) ?? "none"))"
    }
    private let meaningOfNull: String?
    /// The allowed values, as the end of the sentence "write …".
    package let allowed: String
    /// The words among its values, which shells complete.
    package let words: [String]
    /// The members of a JSON Schema for its values except null.
    package let jsonSchema: String
    /// Whether it can be null.
    package let isOptional: Bool
    /// Whether its value is the path of a file.
    package var isPath: Bool { path == Self.lut.path }
    /// The text of its value in a preset; nil for null.
    package let text: @Sendable (Preset) -> String?
    /// Reads its value from text into a preset. Nil means null, for optional settings only.
    fileprivate let read: @Sendable (inout Preset, String?) throws(LivePhotoError) -> Void

    /// `picture.toneMap`
    package var path: String { section.map { "\($0).\(key)" } ?? key }
    /// `tone-map`
    package var optionName: String { String(option?.prefix { $0 != " " } ?? key[...]) }
    /// `operator`
    package var valueName: String? { option?.drop { $0 != "<" }.dropFirst().dropLast().description }

    private init(
        _ path: String, job: String? = nil, option: String? = nil, fallback: String? = nil, _ help: String,
        _ values: (allowed: String, words: [String], jsonSchema: String), isOptional: Bool = false,
        text: @escaping @Sendable (Preset) -> String?,
        read: @escaping @Sendable (inout Preset, String?) throws(LivePhotoError) -> Void
    ) {
        let names = path.split(separator: ".").map(String.init)
        (section, key) = (names.count == 2 ? names[0] : nil, names[names.count - 1])
        (jobKey, self.option, meaningOfNull, self.help, self.isOptional) = (job, option, fallback, help, isOptional)
        ((allowed, words, jsonSchema), self.text, self.read) = (values, text, read)
    }

    /// A setting that is never null.
    private init<Value: OptionValue>(
        _ path: String, _ place: any WritableKeyPath<Preset, Value> & Sendable, job: String? = nil,
        option: String? = nil, fallback: String? = nil, _ help: String
    ) {
        self.init(
            path, job: job, option: option, fallback: fallback, help, (Value.allowed, Value.words, Value.jsonSchema),
            text: { $0[keyPath: place].optionText },
            read: { (preset, text) throws(LivePhotoError) in preset[keyPath: place] = try Value(text ?? "") })
    }

    /// A setting that may be null.
    private init<Value: OptionValue>(
        _ path: String, _ place: any WritableKeyPath<Preset, Value?> & Sendable, job: String? = nil,
        option: String? = nil, fallback: String? = nil, _ help: String
    ) {
        self.init(
            path, job: job, option: option, fallback: fallback, help, (Value.allowed, Value.words, Value.jsonSchema),
            isOptional: true, text: { $0[keyPath: place]?.optionText },
            read: { (preset, text) throws(LivePhotoError) in
                preset[keyPath: place] = if let text { try Value(text) } else { nil }
            })
    }
}

extension Setting {
    private static let unchanged = "unchanged"

    package static let still = Setting(
        "window.still", \.window.still, job: "still", option: "still <time|auto>",
        fallback: "the middle; of a Live Photo's movie, its own",
        "Take the key photo at this time; auto takes the best frame.")
    package static let start = Setting(
        "window.start", \.window.start, job: "start", option: "start <time>",
        fallback: "as long before the key photo as --before says",
        "Start the movie at this time of the clip.")
    package static let end = Setting(
        "window.end", \.window.end, job: "end", option: "end <time>",
        fallback: "as long after the key photo as --after says",
        "End the movie at this time of the clip.")
    package static let duration = Setting(
        "window.duration", \.window.duration, job: "duration", option: "duration <time>",
        fallback: "that of --before and --after", "Duration of the movie.")
    package static let before = Setting(
        "window.before", \.window.before, job: "before", option: "before <time>",
        "Time from the start of the movie to the key photo.")
    package static let after = Setting(
        "window.after", \.window.after, job: "after", option: "after <time>",
        "Time from the key photo to the end of the movie.")
    package static let crop = Setting(
        "picture.crop", \.picture.framing.crop, job: "crop", option: "crop <x,y,w,h>", fallback: unchanged,
        "Crop the upright picture to this rectangle, in pixels.")
    package static let fill = Setting(
        "picture.fill", \.picture.framing.fill, job: "fill", option: "fill <w:h>", fallback: unchanged,
        "Crop to this aspect ratio around the centre, such as 3:4.")
    package static let fit = Setting(
        "picture.fit", \.picture.framing.fit, job: "fit", option: "fit <w:h>", fallback: unchanged,
        "Add black bars to get this aspect ratio, such as 3:4.")
    package static let hdr = Setting(
        "picture.hdr", \.picture.hdr, job: "hdr", option: "hdr <mode>",
        "What HDR clips become: tone-map (SDR), keep (HDR, with the codec hevc and the photo format heic), or both (an SDR photo "
            + "with a gain map, from which HDR displays make HDR).")
    package static let toneMap = Setting(
        "picture.toneMap", \.picture.toneMapping, job: "toneMap", option: "tone-map <operator>",
        "Convert HDR to SDR with this operator: \(ToneMapping.allowed).")
    package static let background = Setting(
        "picture.background", \.picture.background, job: "background", option: "background <colour>",
        "Fill transparent areas with this colour, such as white or 1E90FF.")
    package static let rotate = Setting(
        "adjust.rotate", \.adjustments.rotation, job: "rotate", option: "rotate <degrees>", fallback: unchanged,
        "Rotate the picture clockwise, before cropping: \(Rotation.allowed).")
    package static let flip = Setting(
        "adjust.flip", \.adjustments.flip, job: "flip", option: "flip <direction>", fallback: unchanged,
        "Mirror the picture, after rotation: \(FlipDirection.allowed).")
    package static let straighten = Setting(
        "adjust.straighten", \.adjustments.straightening, job: "straighten", option: "straighten <degrees>",
        fallback: unchanged,
        "Rotate the picture clockwise by a small angle, and enlarge it to fill the corners.")
    package static let exposure = Setting(
        "adjust.exposure", \.adjustments.exposure, job: "exposure", option: "exposure <stops>", fallback: unchanged,
        "Make the picture brighter or, below 0, darker: 1 doubles the light.")
    package static let contrast = Setting(
        "adjust.contrast", \.adjustments.contrast, job: "contrast", option: "contrast <amount>", fallback: unchanged,
        "Raise or lower the contrast, from -100 to 100.")
    package static let saturation = Setting(
        "adjust.saturation", \.adjustments.saturation, job: "saturation", option: "saturation <amount>",
        fallback: unchanged,
        "Make colours stronger or weaker, from -100 (gray) to 100.")
    package static let warmth = Setting(
        "adjust.warmth", \.adjustments.warmth, job: "warmth", option: "warmth <amount>", fallback: unchanged,
        "Shift colours to orange or, below 0, to blue.")
    package static let tint = Setting(
        "adjust.tint", \.adjustments.tint, job: "tint", option: "tint <amount>", fallback: unchanged,
        "Shift colours to magenta or, below 0, to green.")
    package static let vignette = Setting(
        "adjust.vignette", \.adjustments.vignette, job: "vignette", option: "vignette <strength>", fallback: unchanged,
        "Darken the corners, from 0 to 100.")
    package static let sharpen = Setting(
        "adjust.sharpen", \.adjustments.sharpening, job: "sharpen", option: "sharpen <strength>", fallback: unchanged,
        "Sharpen edges, from 0 to 100.")
    package static let denoise = Setting(
        "adjust.denoise", \.adjustments.denoising, job: "denoise", option: "denoise <strength>", fallback: unchanged,
        "Remove noise, from 0 to 100.")
    package static let lut = Setting(
        "adjust.lut", \.adjustments.colorTable, job: "lut", option: "lut <file>", fallback: unchanged,
        "Map the colours by the lookup table in a .cube file, after all adjustments but --filter.")
    package static let filter = Setting(
        "adjust.filter", \.adjustments.filter, job: "filter", option: "filter <chain>", fallback: unchanged,
        "Apply filters of FFmpeg in the syntax of its -vf, after all other adjustments.")
    package static let stabilize = Setting(
        "adjust.stabilize", \.adjustments.stabilization, job: "stabilize", option: "stabilize", fallback: "false",
        "Steady a shaky movie: the picture is enlarged by at most a fifth, until no frame shows an edge.")
    package static let effect = Setting(
        "motion.effect", \.motion.effect, job: "effect", option: "effect <name>",
        fallback: "none",
        "Make the movie a seamless loop or a bounce (forward and back), or the photo a long exposure: "
            + "\(MotionEffect.allowed).")
    package static let speed = Setting(
        "motion.speed", \.motion.speed, job: "speed", option: "speed <factor>", fallback: unchanged,
        "Play the movie slower or faster, with its sound: 0.5 is half as fast, 2 twice.")
    package static let volume = Setting(
        "audio.volume", \.audio.volume, job: "volume", option: "volume <factor>", fallback: unchanged,
        "Make the sound softer or louder: 0.5 is half, 2 twice as loud, without clipping.")
    package static let videoCodec = Setting(
        "video.codec", \.video.codec, job: "videoCodec", option: "video-codec <codec>",
        "Video codec: h264, which plays everywhere, or hevc, which makes smaller movies.")
    package static let frameRate = Setting(
        "video.frameRate", \.video.frameRate, job: "fps", option: "fps <lo-hi>",
        "Allowed frame rates, in frames per second.")
    package static let maxSize = Setting(
        "video.maxSize", \.video.maxSize, job: "maxSize", option: "max-size <WxH>", "Maximum size of the movie.")
    package static let livePhotoInfo = Setting(
        "video.livePhotoInfo", \.video.livePhotoInfo, job: "livePhotoInfo", option: "motion <records>",
        fallback: "none",
        "Add the motion records (live-photo-info) that the lock screen is reported to need: still, of a camera that does not "
            + "move, or measured in the pictures."
    )
    package static let repeatFrames = Setting(
        "video.repeatFrames", \.video.repeatFrames, job: "repeatFrames", option: "repeat-frames", fallback: "false",
        "Show the frames of a slower clip several times, to get a rate that --fps allows.")
    package static let audio = Setting(
        "audio.mode", \.audio.mode, job: "audio", "Keep or remove the sound.")
    package static let photoFormat = Setting(
        "photo.format", \.photo.format, job: "photoFormat", option: "photo-format <format>",
        "Format of the key photo: jpeg, or heic, which makes smaller photos.")
    package static let metadata = Setting(
        "metadata", \.metadata, job: "metadata", "Keep or remove the clip's date, location and camera.")
    package static let timeout = Setting(
        "limits.timeout", \.limits.timeout, option: "timeout <s>", fallback: "1800",
        "Stop if a file takes longer than this, in seconds; 0 means no limit.")
    package static let memory = Setting(
        "limits.memory", \.limits.memory, option: "memory-limit <MB>",
        fallback: "what the size of the picture needs", "Limit the memory for decoding and encoding a file.")

    /// How an edit encodes; it follows the files where these are not given.
    package static let coding = [hdr, videoCodec, photoFormat]

    /// All settings, in the order of presets.
    package static let all = [
        still, start, end, duration, before, after, crop, fill, fit, hdr, toneMap, background,
        rotate, flip, straighten, exposure, contrast, saturation, warmth, tint, vignette, sharpen, denoise, stabilize,
        lut,
        filter,
        effect, speed,
        videoCodec, frameRate, maxSize,
        Setting("video.x264Preset", \.video.x264Preset, "x264 preset; slower ones make smaller files."),
        Setting(
            "video.crf", \.video.crf,
            "x264's constant rate factor; lower values give better quality and larger files."),
        Setting("video.x265Preset", \.video.x265Preset, "x265 preset, for HEVC; slower ones make smaller files."),
        Setting(
            "video.x265Crf", \.video.x265CRF,
            "x265's constant rate factor, for HEVC; lower values give better quality and larger files."),
        repeatFrames, livePhotoInfo,
        Setting(
            "video.stillTransform", \.video.stillTransform, fallback: "false",
            "Write the transform from the frame at the still time to the photo, as cameras do."),
        Setting(
            "video.vitality", \.video.vitality, fallback: "false",
            "Mark the movie as one to be played by itself, with the best vitality score, as cameras do."),
        audio, Setting("audio.bitrate", \.audio.bitrate, "Bit rate of re-encoded sound."), volume,
        photoFormat,
        Setting(
            "photo.quality", \.photo.quality,
            "Quality of the key photo, as of a JPEG; higher values give better quality and larger files."),
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

extension Setting {
    /// Times of which at most two can be given, in the order in which those of less weight give way.
    private static let timesOfWhichTwo = [[Setting.duration, .end, .start], [.duration, .after, .before]]

    /// The keys of settings that give way to others which contradict them: another shape, and a time too many.
    ///
    /// - Parameters:
    ///   - own: the keys of what counts.
    ///   - others: the keys of what gives way, such as defaults.
    package static func overruled(_ others: Set<String>, by own: Set<String>) -> Set<String> {
        var overruled: Set<String> = []
        if own.contains(fit.key) { overruled.insert(fill.key) }
        if own.contains(fill.key) { overruled.insert(fit.key) }
        for times in timesOfWhichTwo.map({ $0.map(\.key) }) where !own.isDisjoint(with: times) {
            guard own.union(others).isSuperset(of: times) else { continue }
            // If all three count, that is an error.
            if let dropped = times.first(where: { !own.contains($0) }) { overruled.insert(dropped) }
        }
        return overruled
    }

    /// What is wrong with times that were given together; nil if nothing is.
    package static func excessOfTimes(in keys: Set<String>) -> String? {
        timesOfWhichTwo.map { $0.map(\.key) }.first(where: keys.isSuperset).map {
            "\($0[2]), \($0[1]) and \($0[0]) cannot all be given; leave one out"
        }
    }
}

extension Preset {
    /// Reads the value of a setting from a preset file.
    ///
    /// - Parameter folder: the base of relative paths; nil for the current folder.
    mutating func set(_ setting: Setting, to node: YAMLNode, in folder: FilePath?) throws(LivePhotoError) {
        var text = setting.isOptional && node.isNull ? nil : try node.text()
        text = text.map { setting.resolved($0, in: folder) }
        do {
            try setting.read(&self, text)
        } catch {
            throw node.valueError(.invalidValue, error.description)
        }
    }

    /// Replaces settings with values given for one conversion. If both together would overdetermine the window, values
    /// that only the preset sets are dropped.
    ///
    /// - Parameter failure: creates the error for an invalid value, from the setting and a sentence.
    /// - Returns: the times and durations among them, for `ClipWork.requestedTimes`.
    @discardableResult
    package mutating func replace<Failure: Error>(
        _ given: [(setting: Setting, text: String)], failure: (Setting, String) -> Failure
    ) throws(Failure) -> [String: String] {
        for (setting, text) in given {
            do throws(LivePhotoError) {
                try setting.read(&self, text)
            } catch {
                throw failure(setting, error.description)
            }
        }
        func isGiven(_ setting: Setting) -> Bool { given.contains { $0.setting.path == setting.path } }
        if isGiven(.fill), isGiven(.fit) { throw failure(.fit, Framing.conflict) }
        if isGiven(.duration) {
            if window.start != nil, window.end != nil {
                if !isGiven(.end) { window.end = nil } else if !isGiven(.start) { window.start = nil }
            }
        } else if isGiven(.before) || isGiven(.after) || (window.start != nil && window.end != nil) {
            window.duration = nil
        }
        let times = given.filter { $0.setting.section == Setting.still.section }.map { ($0.setting.key, $0.text) }
        return Dictionary(times) { _, last in last }
    }
}

extension Setting {
    /// The text of a value from a file: a relative path becomes one below `folder`, and everything else stays.
    ///
    /// - Parameter folder: nil and "" are the current folder.
    package func resolved(_ text: String, in folder: FilePath?) -> String {
        guard isPath, let table = LookupTableFile(text: text), let folder, !folder.isEmpty else { return text }
        return folder.pushing(table.path).string
    }
}
