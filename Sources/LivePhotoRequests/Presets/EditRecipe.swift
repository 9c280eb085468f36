import Bytes
package import SystemPackage

/// What an edit of a Live Photo changes, as settings: what a recipe file contains, or the options of `edit`.
package struct EditRecipe: Sendable, Hashable {
    /// What is given for each setting, by the setting's path.
    private var texts: [String: String] = [:]
    private var switches: Set<Switch> = []

    /// The settings that an edit can have, in the order of presets.
    package static let settings = Setting.all.filter { setting in
        let single: [Setting] = [.still, .start, .end, .duration, .crop, .fill, .fit, .volume]
        return [Setting.exposure.section, Setting.speed.section].contains(setting.section)
            || (single + Setting.coding).contains { $0.path == setting.path }
    }

    /// The keys of recipe files: those that the settings have in job files, and those of `Switch`.
    package static let keys = settings.compactMap(\.jobKey) + Switch.allCases.map(\.rawValue)

    /// What `no-audio` was called in recipes of an earlier version.
    private static let formerNoAudio = "mute"

    /// A change that is made or not; its key in recipe files.
    package enum Switch: String, CaseIterable {
        case noAudio = "no-audio"
        case newKeyPhoto = "new-key-photo"
        case exact

        /// What it does, as a sentence.
        package var help: String {
            switch self {
            case .noAudio: "Remove the sound."
            case .newKeyPhoto: "Replace the key photo by the movie's frame at the still time."
            case .exact: "Begin exactly at the start, also between key frames; the movie is then encoded again."
            }
        }
    }

    /// No change.
    package init() {}

    /// A recipe whose values are not checked yet.
    ///
    /// - Parameter given: what is given for each setting; nil for nothing.
    package init(_ given: [(Setting, String?)], _ switches: Set<Switch> = []) {
        for (setting, text) in given { texts[setting.path] = text }
        self.switches = switches
    }

    /// Reads a recipe file of YAML or JSON: a mapping of `keys`, in which null is like a missing key.
    ///
    /// - Throws: `LivePhotoError` with the place of the error; with the code `noInput` if reading fails.
    package init(contentsOf path: FilePath) throws(LivePhotoError) {
        guard let root = try YAMLNode(contentsOf: path) else { throw YAMLNode.empty(file: path.string) }
        try self.init(root, in: path.removingLastComponent())
    }

    /// Reads the mapping of a recipe.
    ///
    /// - Parameter folder: the base of relative paths; nil for the current folder.
    /// - Throws: `LivePhotoError` with the place of the error.
    package init(_ node: YAMLNode, in folder: FilePath? = nil) throws(LivePhotoError) {
        let mapping = try YAMLMapping<Switch>(node, keys: Self.keys + [Self.formerNoAudio])
        for setting in Self.settings {
            guard let value = setting.jobKey.flatMap({ mapping[$0] }), !value.isNull else { continue }
            texts[setting.path] = setting.resolved(try value.text(), in: folder)
        }
        for `switch` in Switch.allCases {
            let former = `switch` == .noAudio ? mapping[Self.formerNoAudio] : nil
            guard let value = mapping[`switch`] ?? former, !value.isNull else { continue }
            switch try value.text() {
            case "true": switches.insert(`switch`)
            case "false": break
            case let text: throw value.valueError(.invalidValue, "\(quoted(text)) is neither true nor false")
            }
        }
        _ = try applied(to: .classic) { setting, message in
            (setting.jobKey.flatMap { mapping[$0] } ?? node).valueError(.invalidValue, message)
        }
    }

    /// This recipe with the values of another one, which replace its own. Of its own values, those that contradict the
    /// others are dropped: another shape, the end of a part with another duration, and how loud there is no sound.
    package func overridden(by other: EditRecipe) -> EditRecipe {
        var result = self
        let overruled = Setting.overruled(Set(given.map(\.setting.key)), by: Set(other.given.map(\.setting.key)))
        for (setting, _) in given where overruled.contains(setting.key) { result[setting] = nil }
        result.texts.merge(other.texts) { $1 }
        result.switches.formUnion(other.switches)
        if other.switches.contains(.noAudio) {
            result[.volume] = nil
        } else if other.has(.volume) {
            result.switches.remove(.noAudio)
        }
        return result
    }

    private func has(_ setting: Setting) -> Bool { texts[setting.path] != nil }

    /// What is given for a setting.
    package subscript(setting: Setting) -> String? {
        get { texts[setting.path] }
        set { texts[setting.path] = newValue }
    }
}

extension YAMLNode {
    /// An entry with a recipe as its value, in place of one that gives this recipe.
    package func entry(_ old: Entry, _ recipe: EditRecipe) -> Entry {
        let entries = recipe.entries.map { entry($0.key, $0.text, at: place) }
        return Entry(key: old.key, place: old.place, value: replacingEntries(entries))
    }
}

extension EditRecipe {
    /// The keys and values of its file.
    fileprivate var entries: [(key: String, text: String)] {
        given.map { setting, text in
            // Paths are absolute, because the file may be in any folder.
            (setting.jobKey ?? setting.key, setting.resolved(text, in: CurrentProcess.folder))
        }
            + Switch.allCases.filter(switches.contains).map { ($0.rawValue, "true") }
    }

    /// The settings with a value, in the order of presets.
    package var given: [(setting: Setting, text: String)] {
        Setting.all.compactMap { setting in texts[setting.path].map { (setting, $0) } }
    }

    /// Whether it changes pictures or sound. An amount of 0 and a factor of 1 do not: they only replace those of another recipe.
    private var changesMedia: Bool {
        var preset = Preset.wholeMovie
        func canBeNeutral(_ setting: Setting) -> Bool {
            [Setting.exposure.section, Setting.speed.section].contains(setting.section)
                || setting.path == Setting.volume.path
        }
        let media = given.filter { $0.setting.section != Setting.still.section }
        guard media.allSatisfy({ canBeNeutral($0.setting) }),
            (try? preset.replace(media, failure: { UncheckedValue(setting: $0, reason: $1) })) != nil
        else { return true }
        return !preset.adjustments.isIdentity || !preset.motion.isIdentity || preset.audio.volume?.percent ?? 100 != 100
    }

    /// A value that was not checked yet, and is wrong.
    private struct UncheckedValue: Error {
        let setting: Setting
        let reason: String
    }

    /// Whether it changes nothing.
    package var isEmpty: Bool {
        !changesMedia && !given.contains { $0.setting.section == Setting.still.section }
            && switches.subtracting([.exact]).isEmpty
    }

    /// Whether the sound is removed.
    package var removesSound: Bool { switches.contains(.noAudio) }

    /// Whether the movie's frame at the still time becomes the picture of the photo.
    package var makesNewKeyPhoto: Bool { switches.contains(.newKeyPhoto) }

    /// Whether the movie begins exactly at its start, even if it has to be encoded for that.
    package var startsExactly: Bool { switches.contains(.exact) }

    /// Whether another start is requested for the movie.
    package var movesStart: Bool { has(.start) || has(.end) && has(.duration) }

    /// Whether the movie may have to be decoded, for new pictures, new sound, an exact start, or to choose the still.
    package var isEncoded: Bool {
        makesNewKeyPhoto || startsExactly && movesStart || self[.still] == RequestedStill.bestText
            || changesMedia
    }

    /// A preset with the recipe's values.
    ///
    /// - Parameter failure: creates the error for an invalid value, from the setting and a sentence.
    /// - Returns: also the times, for `ClipWork.requestedTimes`.
    package func applied<Failure: Error>(
        to preset: Preset, failure: (Setting, String) -> Failure
    ) throws(Failure) -> (preset: Preset, times: [String: String]) {
        var preset = preset
        if has(.start), has(.end), has(.duration) {
            throw failure(.duration, "start, end and duration exclude each other; give at most two of the three")
        }
        let times = try preset.replace(given, failure: failure)
        if removesSound { preset.audio.mode = .discard }
        return (preset, times)
    }

    /// Checks the values.
    ///
    /// - Parameter failure: creates the error for an invalid value, from the setting and a sentence.
    package func check(failure: (Setting, String) -> any Error) throws {
        _ = try applied(to: .classic, failure: failure)
    }

    /// The recipe as a file, which reads back as the same recipe with absolute paths.
    ///
    /// - Parameter comments: the lines at its start.
    package func yaml(comments: [String]) -> String {
        var lines = comments.map { "# \(printable($0))" }
        lines += entries.map { "\($0.key): \(YAMLNode.scalar($0.text))" }
        return lines.map { "\($0)\n" }.joined()
    }
}
