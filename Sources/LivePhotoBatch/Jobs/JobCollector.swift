import LivePhotoConversion
import MediaModel
import SystemPackage

/// Makes jobs of a job file's entries: fills in defaults, finds the files of wildcards, and sees that no two jobs get in
/// each other's way.
struct JobCollector {
    /// What relative paths begin at.
    let folder: FilePath
    private(set) var jobs: [Job] = []
    private(set) var output: FilePath?
    private var defaults: [YAMLNode.Entry] = []
    private let library: PresetLibrary
    /// Those that were asked for by name or file, and their texts.
    private var presets: [String: (Preset, yaml: String)] = [:]
    private var inputOfID: [String: FilePath] = [:]
    private var inputOfMovie: [FilePath: FilePath] = [:]

    private static let version = "1"

    init(folder: FilePath, presets library: PresetLibrary) {
        self.folder = folder
        self.library = library
    }

    /// Takes what stands above the jobs.
    mutating func takeHead(_ document: YAMLMapping<DocumentKey>) throws(ConfigurationError) {
        if let version = document[.version], try version.line() != Self.version {
            throw version.valueError(
                .invalidValue, "\(quoted(try version.line())) is not \(Self.version), which is read here")
        }
        if let node = document[.output], !node.isNull { output = resolved(FilePath(try node.line())) }
        guard let node = document[.defaults], !node.isNull else { return }
        _ = try YAMLMapping<JobKey>(node)
        guard case .mapping(let entries) = node.content else { return }
        for entry in entries where [JobKey.id, .input, .movie].map(\.rawValue).contains(entry.key) {
            throw node.error(.invalidValue, "\(quoted(entry.key)) is of one job, and cannot be a default")
        }
        defaults = entries
    }

    /// Adds the job, or for wildcards the jobs, of one entry.
    mutating func add(_ node: YAMLNode) throws(ConfigurationError) {
        _ = try YAMLMapping<JobKey>(node)
        guard case .mapping(let own) = node.content else { return }
        let isLink = own.contains { $0.key == JobKey.movie.rawValue }
        let inherited = defaults.filter { entry in
            !own.contains { $0.key == entry.key }
                && (!isLink || JobKey(rawValue: entry.key).map(JobKey.linking.contains) ?? false)
        }
        let all = YAMLNode(content: .mapping(inherited + own), file: node.file, place: node.place, path: node.path)
        let job = try YAMLMapping<JobKey>(all)
        if job[.movie] != nil {
            let movie = resolved(FilePath(try job.required(.movie).line()))
            let photo = resolved(FilePath(try job.required(.photo).line()))
            return try add(job, inherited + own, input: movie, defaultName: photo.stem ?? "")
        }
        let input = try job.required(.input)
        let path = resolved(FilePath(try input.line()))
        guard let glob = InputGlob(path) else {
            return try add(job, inherited + own, input: path, defaultName: path.stem ?? "")
        }
        let files = glob.files
        guard !files.isEmpty else { throw input.valueError(.invalidValue, "no file matches \(quoted(path.string))") }
        for file in files { try add(job, inherited + own, input: file, defaultName: file.stem ?? "") }
    }

    private mutating func add(
        _ job: YAMLMapping<JobKey>, _ entries: [YAMLNode.Entry], input: FilePath, defaultName: String
    ) throws(ConfigurationError) {
        func filled(_ key: JobKey) throws(ConfigurationError) -> String? {
            guard let node = job[key], !node.isNull else { return nil }
            return try NameTemplate.fill(node, from: input)
        }
        let name = try filled(.name) ?? defaultName
        var texts: [JobKey: String] = [.name: name]
        texts[job[.movie] == nil ? .input : .movie] = input.string
        texts[.output] = try filled(.output)
        if let photo = try job.text(.photo) { texts[.photo] = resolved(FilePath(photo)).string }
        let whole = try YAMLMapping<JobKey>(Self.replacing(texts, in: entries, of: job.node))
        let (preset, yaml) = try preset(job[.preset])
        _ = try JobTask(whole, preset: preset, root: "")
        let folder = try whole.outputFolder()
        let id = try filled(.id) ?? folder.appending(name).string
        let new = Job(id: id, input: input, folder: folder, name: name, options: whole.node.json, preset: yaml)
        try checkConflicts(of: new, job)
        jobs.append(new)
    }

    private mutating func checkConflicts(of new: Job, _ job: YAMLMapping<JobKey>) throws(ConfigurationError) {
        if let other = inputOfMovie.updateValue(new.input, forKey: new.movie) {
            let wish = "would both make \(quoted(new.movie.string)); give one another 'name' or 'output'"
            throw job.node.error(
                .conflict,
                other == new.input
                    ? "two jobs for \(quoted(other.string)) \(wish)"
                    : "\(quoted(other.string)) and \(quoted(new.input.string)) \(wish), such as '{folder}-{stem}'")
        }
        if inputOfID.updateValue(new.input, forKey: new.id) != nil {
            throw (job[.id] ?? job.node).error(
                .conflict, "two jobs have the id \(quoted(new.id)); '{stem}' in it stands for the input's name")
        }
        guard !new.name.contains("/"), !["", ".", ".."].contains(new.name) else {
            throw (job[.name] ?? job.node).error(
                .invalidValue, "\(quoted(new.name)) is no name for a file; give one without slashes")
        }
    }

    /// The job with some of its values replaced, or added.
    private static func replacing(
        _ texts: [JobKey: String], in entries: [YAMLNode.Entry], of node: YAMLNode
    ) -> YAMLNode {
        func text(_ text: String, _ key: String, at place: ConfigurationError.Place) -> YAMLNode {
            YAMLNode(
                content: .text(text), file: node.file, place: place,
                path: node.path.isEmpty ? key : "\(node.path).\(key)")
        }
        var texts = texts
        // The preset goes beside.
        var result = entries.filter { $0.key != JobKey.preset.rawValue }.map { entry in
            guard let key = JobKey(rawValue: entry.key), let new = texts.removeValue(forKey: key) else { return entry }
            return YAMLNode.Entry(
                key: entry.key, place: entry.place, value: text(new, entry.key, at: entry.value.place))
        }
        for (key, new) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            result.append(
                YAMLNode.Entry(key: key.rawValue, place: node.place, value: text(new, key.rawValue, at: node.place)))
        }
        return YAMLNode(content: .mapping(result), file: node.file, place: node.place, path: node.path)
    }

    private func resolved(_ path: FilePath) -> FilePath {
        folder.isEmpty ? path : folder.pushing(path)
    }

    private mutating func preset(_ node: YAMLNode?) throws(ConfigurationError) -> (Preset, yaml: String) {
        let name: String? = if let node, case .text(let text) = node.content { text } else { nil }
        let isDefault = node?.isNull ?? true
        let key = isDefault ? PresetLibrary.defaultName : name
        if let key, let known = presets[key] { return known }
        let preset =
            if let node, !isDefault {
                try library.preset(askedBy: node, in: folder)
            } else {
                try library.preset(named: PresetLibrary.defaultName)
            }
        let result = (preset, yaml: preset.yaml)
        if let key { presets[key] = result }
        return result
    }
}
