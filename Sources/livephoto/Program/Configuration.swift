import LivePhotoKit
import LivePhotoRequests

/// The user's own defaults for options, from a YAML file such as
///
/// ```yaml
/// sandbox: require      # for all commands that have --sandbox
/// convert:
///   preset: smooth      # only for convert
///   no-audio: true
/// ```
struct Configuration {
    /// The value that an option has if the command line does not give it.
    struct Default {
        /// Its long name without dashes: `max-size`.
        let option: String
        /// The command, such as `batch report`; nil for all commands with the option.
        let command: String?
        /// What is inserted into the command line: nothing for a flag that is off, several words for an option that can be
        /// given several times.
        let words: [String]
        /// `config.yaml:3`
        let place: String
    }

    /// Names the file; empty for none.
    static let variable = "LIVEPHOTO_CONFIG"

    /// Options of which a command takes one.
    private static let contraries: [Set<String>] = [
        ["output", "in-place"], ["no-audio", "volume"], ["still", "count"], ["still", "find-still"], ["keep-id", "id"],
        ["resume", "restart"], ["quiet", "progress"], ["json", "failed"], ["boxes", "json"],
        ["count", "every", "around", "suggest"], ["around", "start"], ["around", "end"], ["keep-id", "in-place"],
    ]
    /// Options of `link` that need `--by-name`.
    private static let onlyByName: Set<String> = ["tree", "convert-others", "csv", "html"]

    /// The file, whether or not it exists; nil if none is read.
    let file: FilePath?
    let isPresent: Bool
    let defaults: [Default]
    /// Whether errors and warnings may have colours.
    let hasColors: Bool

    /// Reads the file in `LIVEPHOTO_CONFIG`, none if that is empty, and otherwise `livephoto/config.yaml` in the user's
    /// configuration folder, which may be missing.
    ///
    /// - Throws: `LivePhotoError` with the place of an error in the file.
    init(environment: [String: String] = CurrentProcess.environment) throws(LivePhotoError) {
        let named = environment[Self.variable].map { $0.isEmpty ? nil : FilePath($0) }
        file = named ?? UserFolder.configuration(environment)?.appending("config.yaml")
        isPresent = file.map { named != nil || FileSystem.exists($0) } ?? false
        let root = if let file, isPresent { try YAMLNode(contentsOf: file) } else { YAMLNode?.none }
        let settings = try root.map { (root) throws(LivePhotoError) in try ConfigurationKeys(root) }
        (defaults, hasColors) = (settings?.defaults ?? [], settings?.hasColors ?? true)
    }

    /// The defaults for a command whose options are not on the command line.
    ///
    /// - Parameters:
    ///   - arguments: those without the program's name.
    ///   - names: of the command: `presets`, `show`.
    func defaults(
        for arguments: [String], of names: [String], environment: [String: String] = CurrentProcess.environment
    ) -> [Default] {
        guard !defaults.isEmpty, let command = try? CommandDescription.program().command(names) else { return [] }
        let given = Set(
            GivenOption.all(in: arguments, command.arguments, of: names).flatMap(\.meanings).map(\.longName))
        // The command line counts, also where it says the contrary in another option.
        var set = given.union(Self.contraries.filter { !given.isDisjoint(with: $0) }.joined())
        // A date is written also without the other metadata, so a given one does not bring them back.
        if given.contains("no-metadata") { set.insert("date") }
        if environment[WorkerOptions.sandboxVariable] != nil { set.insert("sandbox") }
        let own = defaults.filter { $0.command == names.joined(separator: " ") }
        let shared = defaults.filter { $0.command == nil && command.arguments.named("--" + $0.option) != nil }
        var chosen = (own + shared).filter { set.insert($0.option).inserted && !$0.words.isEmpty }
        let overruled = Setting.overruled(Set(chosen.map(\.option)), by: given)
        chosen.removeAll { overruled.contains($0.option) }
        if names == ["link"], !given.union(chosen.map(\.option)).contains("by-name") {
            chosen.removeAll { Self.onlyByName.contains($0.option) }
        }
        return chosen
    }
}

extension [Configuration.Default] {
    /// A command line with these defaults behind the names of the command.
    func inserted(into arguments: [String], of names: [String]) -> [String] {
        arguments.prefix(names.count) + flatMap(\.words) + arguments.dropFirst(names.count)
    }

    /// Those that an error speaks of: `config.yaml:3 sets --preset=smooth`.
    func notes(about error: any Error) -> [String] {
        let text = Failure(error).text
        func contains(_ words: String) -> Bool {
            text.ranges(of: words).contains { range in
                let next = text[range.upperBound...].first
                return next.map { !$0.isLetter && !$0.isNumber && $0 != "-" } ?? true
            }
        }
        return filter { setting in
            let value = setting.words.first?.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
            return contains("--\(setting.option)") || value.map(contains) ?? false
        }.map { "\($0.place) sets \($0.words.joined(separator: " "))" }
    }
}
