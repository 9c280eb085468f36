import LivePhotoKit
import LivePhotoRequests
public import SystemPackage

extension Job {
    /// The first line of a job file of JSON lines.
    ///
    /// - Parameter output: the output folder; nil to leave it open.
    public static func headLine(output: FilePath?) -> String {
        let others = output.map { ",\"\(DocumentKey.output.rawValue)\":\(YAMLNode.json($0.string))" } ?? ""
        return "{\"\(DocumentKey.version.rawValue)\":\(JobCollector.version)\(others)}"
    }

    /// The job as a line of such a file, with its paths as they were resolved; nil if a job file cannot describe it.
    public var line: String? {
        let ownID = folder.appending(name).string == id ? nil : id
        let ownName = hasDefaultName ? nil : name
        // Braces would be read as placeholders, and wildcards as a pattern if no file has this name.
        guard problem == nil, !input.string.contains(where: { "*?[".contains($0) }) || FileSystem.exists(input),
            ![ownID, ownName, folder.string].contains(where: { $0?.contains("{") ?? false }),
            let options = try? YAMLNode(yaml: Array(options.utf8), file: id),
            case .mapping(let entries) = options.content,
            let preset = try? YAMLNode(yaml: Array(preset.utf8), file: id)
        else { return nil }
        let kept = entries.filter { ![JobKey.name, .id, .preset].map(\.rawValue).contains($0.key) }
        let texts = [(JobKey.id, ownID), (.name, ownName)].compactMap { key, text in
            text.map { options.entry(key.rawValue, $0, at: nil) }
        }
        // Linking and editing have no preset.
        let isConversion = !entries.contains { [JobKey.movie, .edit].map(\.rawValue).contains($0.key) }
        let presets = isConversion ? [YAMLNode.Entry(key: JobKey.preset.rawValue, preset)] : []
        return options.replacingEntries(texts + kept + presets).json
    }
}
