import LivePhotoRequests
public import SystemPackage

/// The jobs in a file of YAML, JSON or JSON lines.
///
/// Reads only the file, the presets that it names and the folders that its wildcards search.
public struct JobFile: Sendable {
    /// The jobs in file order; those of a wildcard are sorted by name.
    public let jobs: [Job]
    /// The errors of entries that were left out.
    public let problems: [LivePhotoError]
    /// The output folder given in the file.
    public let output: FilePath?

    /// The output folder of a batch for which none is given.
    package static let defaultOutput: FilePath = "."

    /// The maximum size of YAML and JSON. JSON lines may be larger, because they are parsed one by one.
    private static let sizeLimit = 32 << 20

    /// Reads a job file and the presets that it names.
    ///
    /// - Parameters:
    ///   - path: `-` reads standard input.
    ///   - output: the output folder of the batch; nil for the one given in the file. A pattern does not take files that the
    ///     batch has made there before.
    ///   - presets: the presets that can be used by name.
    ///   - skipsProblems: whether entries with errors are left out, so that all errors are known; otherwise the first one is
    ///     thrown.
    ///   - progress: called after each entry with the number of jobs so far.
    /// - Throws: `LivePhotoError` with the place of the error; with the code `noInput` if reading fails, and `cancelled` if the
    ///   task was cancelled while JSON lines were read.
    public init(
        _ path: FilePath, output: FilePath? = nil, presets: PresetLibrary = PresetLibrary(),
        skipsProblems: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws(LivePhotoError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path.string
        try self.init(
            try JobFileText(isStandardInput ? nil : path, name: name),
            folder: isStandardInput ? "" : path.removingLastComponent(),
            isLines: ["jsonl", "ndjson"].contains(path.extension?.lowercased()), output: output, presets: presets,
            skipsProblems: skipsProblems, progress)
    }

    /// - Parameters:
    ///   - name: the file's name, for errors.
    ///   - folder: the base of relative paths.
    ///   - isLines: whether it is JSON lines; if false, the content is examined.
    ///   - skipsProblems: whether entries with errors are left out.
    package init(
        _ bytes: [UInt8], name: String, folder: FilePath, isLines: Bool = false,
        presets: PresetLibrary = PresetLibrary(), skipsProblems: Bool = false
    ) throws(LivePhotoError) {
        try self.init(
            JobFileText(bytes, name: name), folder: folder, isLines: isLines, output: nil, presets: presets,
            skipsProblems: skipsProblems
        ) { _ in }
    }

    private init(
        _ text: JobFileText, folder: FilePath, isLines: Bool, output givenOutput: FilePath?, presets: PresetLibrary,
        skipsProblems: Bool, _ progress: (Int) -> Void
    ) throws(LivePhotoError) {
        var collector = JobCollector(
            folder: folder, givenOutput: givenOutput, presets: presets, skipsProblems: skipsProblems)
        if isLines || text.looksLikeLines {
            try Self.read(text, into: &collector, progress)
        } else {
            let bytes = SurrogatePairs.joined(in: try text.all())
            let root = try YAMLNode(yaml: bytes, file: text.name, limit: Self.sizeLimit)
            let document = try YAMLMapping<DocumentKey>(root, keys: DocumentKey.names)
            try collector.takeHead(document)
            guard document[.version] != nil else {
                throw root.error(.missingKey, "the key 'version' is missing; write version: \(JobCollector.version)")
            }
            for job in try document.required(.jobs).list() {
                try collector.add(job)
                progress(collector.jobs.count)
            }
        }
        guard !collector.jobs.isEmpty || !collector.problems.isEmpty else {
            throw LivePhotoError(.missingKey, file: text.name, "it contains no jobs")
        }
        (jobs, problems) = (collector.jobs, collector.problems)
        output = collector.output
    }

    /// Each line is a job, except that the first may contain `version`, `output` and `defaults`.
    private static func read(
        _ text: JobFileText, into collector: inout JobCollector, _ progress: (Int) -> Void
    ) throws(LivePhotoError) {
        var isFirst = true
        var number = -1
        while let bytes = try text.line() {
            if Task.isCancelled { throw .cancellation }
            number += 1
            let line = SurrogatePairs.joined(in: bytes)
            if JobFileText.isBlank(line) { continue }
            guard line.count <= YAMLNode.sizeLimit else {
                throw LivePhotoError(
                    .overLimit, file: text.name, at: LivePhotoError.Place(line: number + 1, column: 1),
                    "the line is longer than \(YAMLNode.sizeLimit) bytes")
            }
            let node: YAMLNode
            do throws(LivePhotoError) {
                node = try YAMLNode(yaml: line, file: text.name, linesBefore: number)
            } catch {
                try collector.skip(error)
                continue
            }
            if isFirst, case .mapping(let entries) = node.content,
                entries.contains(where: { DocumentKey.isHead($0.key) })
            {
                let head = try YAMLMapping<DocumentKey>(node, keys: DocumentKey.names)
                if let jobs = head[.jobs] {
                    throw jobs.valueError(.invalidValue, "JSON lines have each job on a line of its own, not in 'jobs'")
                }
                try collector.takeHead(head)
            } else {
                try collector.add(node)
                progress(collector.jobs.count)
            }
            isFirst = false
        }
    }
}

/// The keys of a job file.
package enum DocumentKey: String, CaseIterable, Sendable {
    case version, output, defaults, jobs

    static let names = allCases.map(\.rawValue)

    /// Whether a line of JSON lines with this key is not a job.
    static func isHead(_ key: String) -> Bool { key == "version" || key == "defaults" }
}
