import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// Creates jobs from the entries of a job file: applies defaults, expands wildcards and rejects conflicts.
struct JobCollector {
    /// The base of relative paths.
    let folder: FilePath
    private(set) var jobs: [Job] = []
    /// The errors of entries that were left out.
    private(set) var problems: [LivePhotoError] = []
    private(set) var output: FilePath?
    private lazy var earlierResults = EarlierResults(in: givenOutput ?? output ?? JobFile.defaultOutput)
    private let givenOutput: FilePath?
    private let skipsProblems: Bool
    private var defaults: [YAMLNode.Entry] = []
    private let library: PresetLibrary
    /// A cache of presets, by the JSON of the value that requests them.
    private var presets: [String: Shared<JobPreset>] = [:]
    private static let presetsLimit = 1_000
    /// A cache of recipes, by the JSON of the value that gives them.
    private var recipes: [String: EditRecipe] = [:]
    /// What jobs have in common, until it is too much.
    private var shared: Set<Shared<SharedJobParts>> = []
    private var registry = JobRegistry()

    static let version = "1"

    /// - Parameters:
    ///   - folder: the base of relative paths.
    ///   - givenOutput: the output folder, if it is not that of the file.
    init(
        folder: FilePath, givenOutput: FilePath?, presets library: PresetLibrary, skipsProblems: Bool = false
    ) {
        (self.folder, self.library, self.skipsProblems) = (folder, library, skipsProblems)
        self.givenOutput = givenOutput
    }

    /// Reads the keys other than `jobs`.
    mutating func takeHead(_ document: YAMLMapping<DocumentKey>) throws(LivePhotoError) {
        if let version = document[.version], try version.line() != Self.version {
            throw version.valueError(
                .invalidValue, "\(quoted(try version.line())) is not a supported version; write \(Self.version)")
        }
        if let node = document[.output], !node.isNull { output = resolved(FilePath(try node.line())) }
        guard let node = document[.defaults], !node.isNull else { return }
        _ = try YAMLMapping<JobKey>(node, keys: JobKey.names)
        guard case .mapping(let entries) = node.content else { return }
        for entry in entries where !JobKey.defaultNames.contains(entry.key) {
            throw LivePhotoError(
                .invalidValue, file: node.file, at: entry.place,
                "\(quoted(entry.key)) belongs to a single job and cannot be a default")
        }
        defaults = entries
    }

    /// Adds the job of an entry, or with wildcards a job for each matching file.
    mutating func add(_ node: YAMLNode) throws(LivePhotoError) {
        do throws(LivePhotoError) {
            try addJobs(of: node)
        } catch {
            try skip(error)
        }
    }

    /// Notes the error of an entry that is left out, or throws it.
    mutating func skip(_ error: LivePhotoError) throws(LivePhotoError) {
        guard skipsProblems else { throw error }
        // That of a default is one of each job.
        if problems.last != error { problems.append(error) }
    }

    private mutating func addJobs(of node: YAMLNode) throws(LivePhotoError) {
        let own = try YAMLMapping<JobKey>(node, keys: JobKey.names)
        guard case .mapping(let ownEntries) = node.content else { return }
        let isLink = own[.movie].map { !$0.isNull } ?? false
        let edit = own[.edit] ?? defaults.first { $0.key == JobKey.edit.rawValue }?.value
        let isEdit = !isLink && edit.map { !$0.isNull } ?? false
        let accepted = isLink ? JobKey.linkNames : isEdit ? JobKey.editNames : JobKey.names
        let contrary = Self.contrary(to: ownEntries, among: defaults)
        let inherited = defaults.filter {
            own[$0.key] == nil && accepted.contains($0.key) && !$0.value.isNull && !contrary.contains($0.key)
        }
        // A null value is treated as absent, after it has removed a default.
        var entries = inherited + ownEntries.filter { !$0.value.isNull }
        let job = try YAMLMapping<JobKey>(node.replacingEntries(entries), keys: JobKey.names)
        if let edit = job[.edit], !isLink {
            try Self.checkKeys(of: job, among: JobKey.editNames, "edits a Live Photo; put its settings into 'edit'")
            let recipe = try recipe(edit)
            entries = entries.map { $0.key == JobKey.edit.rawValue ? edit.entry($0, recipe) : $0 }
        }
        if job[.movie] != nil {
            try Self.checkLink(job)
            let movie = resolved(FilePath(try job.required(.movie).line()))
            let photo = resolved(FilePath(try job.required(.photo).line()))
            return try add(job, entries, inherited.count, input: movie, defaultName: photo.stem ?? "")
        }
        guard let input = job[.input] else {
            throw node.valueError(
                .missingKey, "a job needs an 'input' to convert or edit, or a 'movie' and a 'photo' to link")
        }
        let pattern = FilePath(try input.line())
        let path = resolved(pattern)
        guard let files = InputGlob(pattern, below: folder)?.files else {
            return try add(job, entries, inherited.count, input: path, defaultName: path.stem ?? "")
        }
        guard !files.isEmpty else { throw input.valueError(.invalidValue, "no file matches \(quoted(path.string))") }
        let inputs = inputs(among: files, job, entries, inherited.count)
        guard !inputs.isEmpty else {
            throw input.valueError(
                .invalidValue,
                "only files that this batch has made match \(quoted(path.string)); its inputs are missing")
        }
        if inputs.count > 1, let identifier = job[.contentIdentifier] {
            throw identifier.valueError(
                .invalidValue,
                "\(quoted(path.string)) matches \(inputs.count) files, and no two Live Photos have the same identifier; leave it out"
            )
        }
        for file in inputs {
            do throws(LivePhotoError) {
                try add(job, entries, inherited.count, input: file, defaultName: file.stem ?? "")
            } catch {
                // Names that match a pattern are not an error of the job file.
                guard file.isUnprintable else { throw error }
                jobs.append(Job(rejecting: file, number: jobs.count))
            }
        }
    }

    /// The files that match a pattern, without those that its jobs have made in an earlier run.
    private mutating func inputs(
        among files: [FilePath], _ job: YAMLMapping<JobKey>, _ entries: [YAMLNode.Entry], _ inherited: Int
    ) -> [FilePath] {
        guard files.contains(where: { earlierResults.maker(of: $0) != nil }) else { return files }
        let ids = files.enumerated().compactMap { index, file in
            try? made(
                job, entries, inherited, input: file, defaultName: file.stem ?? "", number: jobs.count + index
            ).job.id.hashValue
        }
        let own = Set(ids)
        return files.filter { file in earlierResults.maker(of: file).map { !own.contains($0) } ?? true }
    }

    /// The keys of defaults that contradict those of a job.
    private static func contrary(to job: [YAMLNode.Entry], among defaults: [YAMLNode.Entry]) -> Set<String> {
        let own = Set(job.filter { !$0.value.isNull }.map(\.key))
        // With null, a job takes a default back.
        let others = Set(defaults.filter { !$0.value.isNull }.map(\.key)).subtracting(job.map(\.key))
        // A volume needs sound.
        let silence = own.contains(Setting.volume.key) ? Setting.audio.jobKey : nil
        return Setting.overruled(others, by: own).union([silence].compactMap(\.self))
    }

    /// Checks that a job that links has no keys for converting.
    private static func checkLink(_ job: YAMLMapping<JobKey>) throws(LivePhotoError) {
        if let input = job[.input] {
            throw input.valueError(.invalidValue, "a job has an 'input' to convert or a 'movie' to link, not both")
        }
        try checkKeys(of: job, among: JobKey.linkNames, "links a photo and a movie")
    }

    /// - Parameter task: what the job does, as the end of a sentence.
    private static func checkKeys(
        of job: YAMLMapping<JobKey>, among keys: [String], _ task: String
    ) throws(LivePhotoError) {
        for key in JobKey.names where !keys.contains(key) {
            guard let node = job[key] else { continue }
            throw node.valueError(.invalidValue, "is for converting clips; this job \(task)")
        }
    }

    /// The recipe that a value gives: its keys, or the path of a file.
    private mutating func recipe(_ node: YAMLNode) throws(LivePhotoError) -> EditRecipe {
        let key = node.json
        if let known = recipes[key] { return known }
        let recipe: EditRecipe
        if case .mapping = node.content {
            recipe = try EditRecipe(node, in: folder)
        } else {
            let path = resolved(FilePath(try node.line()))
            do throws(LivePhotoError) {
                recipe = try EditRecipe(contentsOf: path)
            } catch {
                guard error.place == nil else { throw error }
                throw node.valueError(error.code, "cannot read \(path): \(error.reason)")
            }
        }
        guard !recipe.isEmpty else { throw node.valueError(.invalidValue, "the recipe changes nothing") }
        if recipes.count < Self.presetsLimit { recipes[key] = recipe }
        return recipe
    }

    private mutating func add(
        _ job: YAMLMapping<JobKey>, _ entries: [YAMLNode.Entry], _ inherited: Int, input: FilePath,
        defaultName: String
    ) throws(LivePhotoError) {
        let (new, entry) = try made(
            job, entries, inherited, input: input, defaultName: defaultName, number: jobs.count)
        try registry.add(new, number: jobs.count, entry, among: jobs)
        jobs.append(new)
    }

    /// - Parameters:
    ///   - inherited: how many entries, the first ones, are defaults.
    ///   - number: of the job, from 0.
    /// - Returns: the job, and its entry.
    private mutating func made(
        _ job: YAMLMapping<JobKey>, _ entries: [YAMLNode.Entry], _ inherited: Int, input: FilePath,
        defaultName: String, number: Int
    ) throws(LivePhotoError) -> (job: Job, entry: YAMLMapping<JobKey>) {
        func filled(_ key: JobKey) throws(LivePhotoError) -> String? {
            guard let node = job[key] else { return nil }
            do throws(LivePhotoError) {
                return try NameTemplate(node.line()).text(for: input, index: number + 1)
            } catch {
                guard error.place == nil else { throw error }
                throw node.valueError(
                    error.file == nil ? .invalidValue : error.code, error.file == nil ? error.reason : "\(error)")
            }
        }
        let name = try filled(.name) ?? defaultName
        var texts: [JobKey: String] = [.name: name]
        texts[job[.movie] == nil ? .input : .movie] = input.string
        texts[.output] = try filled(.output)
        let photo = try job.text(.photo).map { self.resolved(FilePath($0)) }
        texts[.photo] = photo?.string
        let entries = try entries.map { (entry: YAMLNode.Entry) throws(LivePhotoError) in
            guard let setting = Self.pathSettings.first(where: { $0.jobKey == entry.key }) else { return entry }
            let text = setting.resolved(try entry.value.text(), in: self.folder)
            return job.node.entry(entry.key, text, at: entry.value.place)
        }
        let kept = entries.enumerated().filter { _, entry in
            entry.key != JobKey.preset.rawValue && !texts.keys.contains { $0.rawValue == entry.key }
        }
        let replaced = JobKey.allCases.compactMap { key in
            texts[key].map { job.node.entry(key.rawValue, $0, at: job[key]?.place) }
        }
        // With new values for some keys, and without the preset, which `Job` stores separately.
        let resolved = try YAMLMapping<JobKey>(
            job.node.replacingEntries(kept.map(\.element) + replaced), keys: JobKey.names)
        let preset = try preset(job[.preset])
        _ = try JobTask(resolved, preset: preset.settings, root: "")
        let id = try filled(.id)
        func members(_ entries: some Sequence<(offset: Int, element: YAMLNode.Entry)>) -> String {
            entries.map { "\(YAMLNode.json($0.element.key)):\($0.element.value.json)" }.joined(separator: ",")
        }
        let common = SharedJobParts(
            input: input, photoFolder: photo?.removingLastComponent(), output: texts[.output],
            folder: try resolved.outputFolder(), defaults: members(kept.lazy.filter { $0.offset < inherited }),
            preset: preset, isLink: job[.movie] != nil)
        let new = Job(
            share(common), input: input, photo: photo?.lastComponent?.string ?? "", id: id,
            name: name == input.stem ?? "" ? nil : name, hasDefaultName: job[.movie] == nil && job[.name] == nil,
            settings: members(kept.lazy.filter { $0.offset >= inherited }))
        return (new, job)
    }

    private mutating func share(_ parts: SharedJobParts) -> Shared<SharedJobParts> {
        if shared.count >= Self.presetsLimit { shared.removeAll() }
        return shared.insert(Shared(parts)).memberAfterInsert
    }

    /// Settings that are paths.
    private static let pathSettings = Setting.all.filter(\.isPath)

    private func resolved(_ path: FilePath) -> FilePath {
        folder.isEmpty ? path : folder.pushing(path)
    }

    private mutating func preset(_ node: YAMLNode?) throws(LivePhotoError) -> Shared<JobPreset> {
        let key = node?.json ?? PresetLibrary.defaultName
        if let known = presets[key] { return known }
        let preset = Shared(JobPreset(try library.preset(requestedBy: node, in: folder)))
        // Each job may have a different preset.
        if presets.count < Self.presetsLimit { presets[key] = preset }
        return preset
    }
}
