import MediaModel
import SystemPackage

extension Preset {
    /// The keys of presets that are not a `Setting`.
    package enum Key: String, CaseIterable {
        case name, description, extends
    }

    /// All keys at the top level, including sections.
    package static let keys =
        Key.allCases.map(\.rawValue) + Setting.sections.flatMap { $0.name.map { [$0] } ?? $0.settings.map(\.key) }

    /// - Parameters:
    ///   - mapping: the preset's `keys`. All are required if there is no `base`.
    ///   - base: the preset that this one extends. Its name is not inherited.
    ///   - name: the name if the mapping has none.
    ///   - folder: the base of relative paths; nil for the current folder.
    init(
        _ mapping: YAMLMapping<Key>, base: Preset?, name: String? = nil, in folder: FilePath?
    ) throws(LivePhotoError) {
        self = if let base { base } else { try Self.placeholder(at: mapping.node) }
        self.name = try mapping.line(.name, or: name)
        description = try mapping.line(.description, or: base?.description)
        for (section, settings) in Setting.sections {
            var keys = mapping
            if let section {
                let isRequired = base == nil && settings.contains { !$0.isOptional }
                guard let node = isRequired ? try mapping.required(section) : mapping[section] else { continue }
                keys = try YAMLMapping(node, keys: settings.map(\.key))
            }
            for setting in settings {
                let isRequired = base == nil && !setting.isOptional
                let node = isRequired ? try keys.required(setting.key) : keys[setting.key]
                if let node { try set(setting, to: node, in: folder) }
            }
            if section == Setting.still.section { try checkWindow(keys) }
            if section == Setting.fit.section { try Self.checkShape(keys) }
        }
    }

    /// A preset whose values are all replaced by those of a file.
    private static func placeholder(at node: YAMLNode) throws(LivePhotoError) -> Preset {
        do throws(LivePhotoError) {
            return Preset(
                name: "", description: "", window: Window(before: .zero, after: .zero),
                picture: Picture(framing: Framing(), hdr: .toneMap, toneMapping: .mobius, background: .black),
                adjustments: Adjustments(), motion: Motion(),
                video: Video(
                    codec: .h264, frameRate: try FrameRateRange("15"), maxSize: try MaximumSize("16x16"),
                    x264Preset: .medium, crf: try X264RateFactor("1"), x265Preset: .medium,
                    x265CRF: try ConstantRateFactor("0")),
                audio: Audio(mode: .keep, bitrate: try BitRate("8k")),
                photo: Photo(format: .jpeg, quality: try PhotoQuality("1")),
                metadata: .keep, limits: .none)
        } catch {
            throw node.error(.invalidValue, error.description)
        }
    }

    private func checkWindow(_ keys: YAMLMapping<Key>) throws(LivePhotoError) {
        guard window.before > .zero || window.after > .zero else {
            throw keys.node.valueError(.invalidValue, "before and after are both 0, so there is nothing to play")
        }
        guard window.duration != .zero else {
            throw (keys[Setting.duration.key] ?? keys.node).valueError(
                .invalidValue, "a movie of 0 seconds has nothing to play")
        }
        guard window.start == nil || window.end == nil || window.duration == nil else {
            throw keys.node.valueError(
                .invalidValue, "start, end and duration cannot all be given; leave one out, or set it to null")
        }
    }

    private static func checkShape(_ keys: YAMLMapping<Key>) throws(LivePhotoError) {
        guard let fill = keys[Setting.fill.key], let fit = keys[Setting.fit.key], !fill.isNull, !fit.isNull else {
            return
        }
        throw fit.valueError(.invalidValue, Framing.conflict)
    }
}

extension Preset {
    /// The preset as a YAML file that sets every key but its name, which is that of the file, and extends no other preset.
    public var yaml: String {
        let head = [line(Key.description.rawValue, description), line(Key.extends.rawValue, nil)]
        let sections = Setting.sections.map { section, settings in
            let lines = settings.map { line($0.key, $0.text(self)) }
            return section.map { "\($0):\n" + lines.map { "  " + $0 }.joined() } ?? lines.joined()
        }
        return (head + sections).joined()
    }

    private func line(_ key: String, _ value: String?) -> String {
        "\(key): \(value.map { YAMLNode.scalar($0) } ?? "null")\n"
    }
}
