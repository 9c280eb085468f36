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

    /// The maximum size of YAML and JSON. JSON lines may be larger, because they are parsed one by one.
    private static let sizeLimit = 32 << 20
    /// The maximum size of JSON lines: about ten million jobs.
    private static let linesLimit = 2 << 30

    /// Reads a job file and the presets that it names.
    ///
    /// - Parameters:
    ///   - path: `-` reads standard input.
    ///   - presets: the presets that can be used by name.
    ///   - skipsProblems: whether entries with errors are left out, so that all errors are known; otherwise the first one is
    ///     thrown.
    /// - Throws: `LivePhotoError` with the place of the error; with the code `noInput` if reading fails.
    public init(
        _ path: FilePath, presets: PresetLibrary = PresetLibrary(), skipsProblems: Bool = false
    ) throws(LivePhotoError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path.string
        let bytes: [UInt8]
        do {
            let descriptor =
                isStandardInput ? .standardInput : try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            defer { if !isStandardInput { try? descriptor.close() } }
            bytes = try Self.contents(of: descriptor)
        } catch Errno.fileTooLarge {
            throw YAMLNode.tooLarge(file: name, limit: Self.linesLimit)
        } catch {
            let known = LivePhotoError(reading: FilePath(name), error)
            throw LivePhotoError(.noInput, known.file, known.reason, cause: error)
        }
        try self.init(
            bytes, name: name, folder: isStandardInput ? "" : path.removingLastComponent(),
            isLines: ["jsonl", "ndjson"].contains(path.extension?.lowercased()), presets: presets,
            skipsProblems: skipsProblems)
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
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let bytes = SurrogatePairs.joined(in: text)
        var collector = JobCollector(folder: folder, presets: presets, skipsProblems: skipsProblems)
        if isLines || Self.looksLikeLines(bytes) {
            try Self.read(lines: bytes, name: name, into: &collector)
        } else {
            let root = try YAMLNode(yaml: bytes, file: name, limit: Self.sizeLimit)
            let document = try YAMLMapping<DocumentKey>(root, keys: DocumentKey.names)
            try collector.takeHead(document)
            guard document[.version] != nil else {
                throw root.error(.missingKey, "the key 'version' is missing; write version: \(JobCollector.version)")
            }
            for job in try document.required(.jobs).list() { try collector.add(job) }
        }
        guard !collector.jobs.isEmpty || !collector.problems.isEmpty else {
            throw LivePhotoError(.missingKey, file: name, "it contains no jobs")
        }
        (jobs, problems) = (collector.jobs, collector.problems)
        output = collector.output
    }

    /// Reads a file or a pipe.
    private static func contents(of descriptor: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= linesLimit else { throw Errno.fileTooLarge }
        }
    }

    /// Each line is a job, except that the first may contain `version`, `output` and `defaults`.
    private static func read(
        lines bytes: [UInt8], name: String, into collector: inout JobCollector
    ) throws(LivePhotoError) {
        var isFirst = true
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !isBlank(line) {
            guard line.count <= YAMLNode.sizeLimit else {
                throw LivePhotoError(
                    .overLimit, file: name, at: LivePhotoError.Place(line: number + 1, column: 1),
                    "the line is longer than \(YAMLNode.sizeLimit) bytes")
            }
            let node: YAMLNode
            do throws(LivePhotoError) {
                node = try YAMLNode(yaml: Array(line), file: name, linesBefore: number)
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
            }
            isFirst = false
        }
    }

    /// Whether the first line is a complete JSON object that is not a job file of one line.
    private static func looksLikeLines(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 64).filter { !isBlank($0) }
        guard let first = lines.first.map({ $0.filter { !isWhite($0) } }),
            first.first == UInt8(ascii: "{"), first.last == UInt8(ascii: "}")
        else { return false }
        return lines.count > 1 || !first.contains(Array("\"\(DocumentKey.jobs.rawValue)\":".utf8))
    }

    private static func isBlank(_ line: some Sequence<UInt8>) -> Bool { line.allSatisfy(isWhite) }

    private static func isWhite(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}

/// The keys of a job file.
package enum DocumentKey: String, CaseIterable, Sendable {
    case version, output, defaults, jobs

    static let names = allCases.map(\.rawValue)

    /// Whether a line of JSON lines with this key is not a job.
    static func isHead(_ key: String) -> Bool { key == "version" || key == "defaults" }
}
