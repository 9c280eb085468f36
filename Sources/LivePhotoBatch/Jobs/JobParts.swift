import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// What several jobs have in common.
struct SharedJobParts: Sendable, Hashable {
    /// The folder of the input, as it was resolved.
    let inputFolder: FilePath
    /// The whole path of an input whose name is not text; otherwise nil.
    let input: FilePath?
    /// The folder of the photo; nil for jobs without one.
    let photoFolder: FilePath?
    /// The value of `output`, and the folder that it means.
    let output: String?
    let folder: FilePath
    /// The options that are defaults of the job file, as members of a JSON object.
    let defaults: String
    let preset: Shared<JobPreset>
    let isLink: Bool
    let problem: LivePhotoError?

    init(
        input: FilePath, photoFolder: FilePath? = nil, output: String? = nil, folder: FilePath, defaults: String,
        preset: Shared<JobPreset>, isLink: Bool = false, problem: LivePhotoError? = nil
    ) {
        let parent = input.removingLastComponent()
        let isText = input.lastComponent.map { parent.appending($0.string) } == input
        inputFolder = parent
        self.input = isText ? nil : input
        (self.photoFolder, self.output, self.folder) = (photoFolder, output, folder)
        (self.defaults, self.preset, self.isLink, self.problem) = (defaults, preset, isLink, problem)
    }
}

/// The preset of jobs, with inherited settings.
struct JobPreset: Sendable, Hashable {
    let settings: Preset
    /// As YAML, by which presets are compared.
    let text: String

    init(_ settings: Preset) { (self.settings, text) = (settings, settings.yaml) }

    static func == (first: JobPreset, second: JobPreset) -> Bool { first.text == second.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A value that several others share, and which is stored once for them.
@dynamicMemberLookup
final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    private let value: Value

    init(_ value: Value) { self.value = value }

    subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

    static func == (first: Shared, second: Shared) -> Bool { first === second || first.value == second.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// What a job has for itself, as one text, because each text needs some 50 bytes more than it is long.
struct OwnJobParts: Sendable, Hashable {
    /// The flags as a letter, and then the parts with an end each. Neither names of files nor values have this character.
    private let text: String

    private static let end = UInt8(0)
    private static let (ownID, ownName, defaultName): (UInt8, UInt8, UInt8) = (1, 2, 4)

    private enum Part: Int { case input, photo, id, name, settings }

    init(input: String, photo: String, id: String?, name: String?, hasDefaultName: Bool, settings: String) {
        let flags =
            (id == nil ? 0 : Self.ownID) | (name == nil ? 0 : Self.ownName) | (hasDefaultName ? Self.defaultName : 0)
        var text = String(Character(Unicode.Scalar(UInt8(ascii: "@") | flags)))
        for part in [input, photo, id ?? "", name ?? "", settings] { text += part + "\0" }
        // Without the room to grow that appending leaves.
        self.text = String(text.unicodeScalars.dropLast())
    }

    /// The name of the input in its folder.
    var input: String { part(.input) }
    /// The name of the photo in its folder.
    var photo: String { part(.photo) }
    var id: String? { has(Self.ownID) ? part(.id) : nil }
    var name: String? { has(Self.ownName) ? part(.name) : nil }
    var hasDefaultName: Bool { has(Self.defaultName) }
    /// Members of a JSON object.
    var settings: String { part(.settings) }

    private func has(_ flag: UInt8) -> Bool { (text.utf8.first ?? 0) & flag != 0 }

    private func part(_ part: Part) -> String {
        var rest = text.utf8.dropFirst()
        for _ in 0..<part.rawValue { rest = rest.drop { $0 != Self.end }.dropFirst() }
        return String(Substring(rest.prefix { $0 != Self.end }))
    }
}
