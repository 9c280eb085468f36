import LivePhotoKit
package import LivePhotoRequests

/// What a person has chosen for a clip or a Live Photo: values of options, written as on the command line.
package struct StudioChoice: Decodable, Sendable, Hashable {
    /// An option without a value.
    enum Flag: String, Decodable, Sendable, CaseIterable {
        case noAudio = "no-audio"
        case noLocation = "no-location"
        case noMetadata = "no-metadata"
        case force
        /// Of edits: the files themselves are changed.
        case inPlace = "in-place"
        case newKeyPhoto = "new-key-photo"
    }

    /// The name of a preset; nil for the first choice.
    var preset: String?
    /// The values by the names of the options: `still`, `crop`.
    var settings: [String: String] = [:]
    /// The still times, if several Live Photos are made; empty for one.
    var stills: [String] = []
    var flags: Set<Flag> = []
    /// Of both files, without extension; nil for that of the clip.
    var name: String?
    /// As `--date` takes it.
    var date: String?

    /// The most Live Photos of one clip.
    static let mostStills = 12
    /// In Unicode scalars.
    private static let longestText = 1_000

    /// The options that can be chosen. A colour table and a chain of filters are left out: the page names no files.
    static let offered: [Setting] =
        [
            .still, .start, .end, .duration, .before, .after, .crop, .fill, .fit, .hdr, .rotate, .flip,
        ] + sliders.map(\.setting) + [
            .stabilize, .effect, .speed, .volume, .videoCodec, .frameRate, .maxSize, .photoFormat,
        ]

    private static let names = Set(offered.map(\.optionName))

    private enum Key: CodingKey { case preset, settings, stills, flags, name, date }

    init() {}

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        preset = try container.decodeIfPresent(String.self, forKey: .preset)
        settings = try container.decodeIfPresent([String: String].self, forKey: .settings) ?? [:]
        stills = try container.decodeIfPresent([String].self, forKey: .stills) ?? []
        flags = Set(try container.decodeIfPresent([Flag].self, forKey: .flags) ?? [])
        if stills.count == 1 { settings[Setting.still.optionName] = stills.removeFirst() }
        name = try container.decodeIfPresent(String.self, forKey: .name)
        date = try container.decodeIfPresent(String.self, forKey: .date)
        let texts = [preset, name, date].compactMap(\.self) + settings.values + settings.keys + stills
        guard texts.allSatisfy({ $0.unicodeScalars.count <= Self.longestText && !$0.unicodeScalars.contains("\0") })
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "a text is too long, or has a zero"))
        }
    }

    /// What is given, in the order of the options.
    ///
    /// - Throws: `LivePhotoError` for an option that is not offered.
    func given() throws(LivePhotoError) -> [(setting: Setting, text: String)] {
        for name in settings.keys.sorted() where !Self.names.contains(name) {
            throw LivePhotoError(.invalidRequest, nil, "\(quoted(name)) cannot be chosen here")
        }
        return Self.offered.compactMap { setting in settings[setting.optionName].map { (setting, $0) } }
    }

    /// - Throws: `LivePhotoError` for a text that is no date.
    func requestedDate() throws(LivePhotoError) -> RequestedDate? {
        guard let date else { return nil }
        guard let value = RequestedDate(text: date) else {
            throw LivePhotoError(
                .invalidRequest, nil, "--date: \(quoted(date)) is no date; write \(RequestedDate.allowed)")
        }
        return value
    }

    /// The error for a wrong value.
    static func failure(_ setting: Setting, _ reason: String) -> LivePhotoError {
        LivePhotoError(.invalidRequest, nil, "--\(setting.optionName): \(reason)")
    }
}

extension StudioChoice {
    /// An adjustment that the page shows as a slider.
    package struct Slider: Sendable {
        package let setting: Setting
        package let range: ClosedRange<Double>
        package let step: Double
    }

    /// In the order of the page.
    package static let sliders = [
        Slider(setting: .exposure, range: -3...3, step: 0.05), Slider(setting: .contrast, range: -100...100, step: 1),
        Slider(setting: .saturation, range: -100...100, step: 1), Slider(setting: .warmth, range: -100...100, step: 1),
        Slider(setting: .tint, range: -100...100, step: 1), Slider(setting: .vignette, range: 0...100, step: 1),
        Slider(setting: .sharpen, range: 0...100, step: 1), Slider(setting: .denoise, range: 0...100, step: 1),
        Slider(setting: .straighten, range: -15...15, step: 0.1),
    ]

    /// The adjustments of the picture alone, without crop and shape.
    ///
    /// - Throws: `LivePhotoError` for a wrong value.
    package func adjustments() throws(LivePhotoError) -> Adjustments {
        var preset = Preset.classic
        let adjusting = try given().filter {
            $0.setting.section == Setting.exposure.section && $0.setting.path != Setting.stabilize.path
        }
        try preset.replace(adjusting, failure: Self.failure)
        return preset.adjustments
    }
}
