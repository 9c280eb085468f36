import LivePhotoConversion
import MediaModel

/// The keys of a job: the options of `convert` under their names on the command line, and what only jobs have.
package enum JobKey: String, CaseIterable, Sendable {
    case id, input, movie, photo, output, name
    case still, start, end, duration, before, after
    case preset, fps, maxSize, crop, fill, fit, toneMap, audio, metadata
    case date, contentIdentifier

    /// Those of a job that links a photo and a movie: nothing is encoded, so nothing says how.
    static let linking: Set<JobKey> = [.id, .movie, .photo, .output, .name, .still, .contentIdentifier]
}

/// What a job asks for.
enum JobTask: Sendable {
    case convert(ConversionRequest)
    case link(LinkRequest)
}

/// Reads what jobs ask for. Presets that it has read once it knows.
struct JobReader {
    private let library = PresetLibrary()
    private var presets: [String: Preset] = [:]

    /// - Parameters:
    ///   - job: with paths as this process sees them, and a name.
    ///   - root: the batch's folder.
    /// - Throws: `ConfigurationError` at the place of what is wrong.
    mutating func task(
        _ job: YAMLMapping<JobKey>, root: FilePath
    ) throws(ConfigurationError) -> JobTask {
        guard let movie = job[.movie] else { return .convert(try conversion(job, root: root)) }
        if let input = job[.input] {
            throw input.valueError(.invalidValue, "a job has an 'input' to convert or a 'movie' to link, not both")
        }
        for key in JobKey.allCases where !JobKey.linking.contains(key) {
            guard let node = job[key], !node.isNull else { continue }
            throw node.valueError(.invalidValue, "is for clips that are converted; this job links a photo and a movie")
        }
        return .link(
            LinkRequest(
                photo: FilePath(try job.required(.photo).line()), movie: FilePath(try movie.line()),
                still: try job.optional(.still), contentIdentifier: try job.contentIdentifier(),
                name: try job.required(.name).line(), outputDirectory: try job.folder(in: root)))
    }

    private mutating func conversion(
        _ job: YAMLMapping<JobKey>, root: FilePath
    ) throws(ConfigurationError) -> ConversionRequest {
        var request = ConversionRequest(
            clip: FilePath(try job.required(.input).line()), outputDirectory: try job.folder(in: root))
        request.name = try job.required(.name).line()
        request.photo = try job.text(.photo).map { FilePath($0) }
        request.still = try job.optional(.still)
        request.start = try job.optional(.start)
        request.end = try job.optional(.end)
        request.duration = try job.length(.duration)
        request.before = try job.length(.before)
        request.after = try job.length(.after)
        request.framing = try job.framing()
        if let toneMapping: ToneMapping = try job.optional(.toneMap) { request.toneMapping = toneMapping }
        request.contentIdentifier = try job.contentIdentifier()
        if let metadata: JobMetadata = try job.optional(.metadata) {
            request.includesMetadata = metadata != .none
            request.includesLocation = metadata == .keep
        }
        request.captureDate = try job.captureDate()
        request.preset = try preset(job)
        return request
    }

    private mutating func preset(_ job: YAMLMapping<JobKey>) throws(ConfigurationError) -> Preset {
        var preset = try named(job[.preset])
        if let fps: FrameRateRange = try job.optional(.fps) { preset.video.frameRate = fps }
        if let maxSize: MaximumSize = try job.optional(.maxSize) { preset.video.maxSize = maxSize }
        if let mode: AudioMode = try job.optional(.audio) { preset.audio.mode = mode }
        return preset
    }

    private mutating func named(_ node: YAMLNode?) throws(ConfigurationError) -> Preset {
        let name =
            try node.flatMap { node throws(ConfigurationError) in node.isNull ? nil : try node.line() }
            ?? PresetLibrary.defaultName
        if let known = presets[name] { return known }
        let preset: Preset
        do throws(ConfigurationError) {
            preset = try library.resolve(name)
        } catch {
            // A fault in the preset's own file says its place; another is that of who asked.
            guard error.place == nil, let node else { throw error }
            throw node.valueError(error.code, error.message)
        }
        presets[name] = preset
        return preset
    }
}

/// How much of what a clip says of itself goes into the pair.
private enum JobMetadata: String, OptionChoice {
    case keep
    case noLocation = "no-location"
    case none

    static let kind = "a choice of metadata"
}

extension YAMLMapping<JobKey> {
    /// All that the bytes of the pair follow from, but for the inputs' content: equal texts give equal pairs.
    ///
    /// - Parameter preset: with the job's own values.
    func effectiveOptions(with task: JobTask) -> String {
        let places: Set<JobKey> = [.id, .input, .movie, .photo, .output, .preset]
        let values = JobKey.allCases.filter { !places.contains($0) }.map {
            "\($0.rawValue): \(self[$0]?.json ?? "null")"
        }
        let preset = if case .convert(let request) = task { request.preset.map { "\($0)" } ?? "" } else { "" }
        return (values + [preset]).joined(separator: "\n")
    }

    /// Nil for a key that is missing or null.
    fileprivate func optional<Value: OptionValue>(_ key: JobKey) throws(ConfigurationError) -> Value? {
        guard let node = self[key], !node.isNull else { return nil }
        return try node.option()
    }

    func text(_ key: JobKey) throws(ConfigurationError) -> String? {
        guard let node = self[key], !node.isNull else { return nil }
        return try node.line()
    }

    fileprivate func length(_ key: JobKey) throws(ConfigurationError) -> MediaTime? {
        let length: WindowLength? = try optional(key)
        return length?.time
    }

    fileprivate func framing() throws(ConfigurationError) -> Framing {
        let fill: AspectRatio? = try optional(.fill)
        let fit: AspectRatio? = try optional(.fit)
        if fill != nil, fit != nil, let node = self[.fit] {
            throw node.valueError(
                .invalidValue, "excludes 'fill': one crops to a shape, the other adds black bars")
        }
        return Framing(
            crop: try optional(.crop), shape: fill.map(Framing.Shape.fill) ?? fit.map(Framing.Shape.fit))
    }

    fileprivate func contentIdentifier() throws(ConfigurationError) -> ContentIdentifier? {
        try parsed(.contentIdentifier, "a UUID", example: "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC") {
            ContentIdentifier($0)
        }
    }

    fileprivate func captureDate() throws(ConfigurationError) -> CaptureDate? {
        try parsed(.date, "a date with a time", example: "2025-10-12T23:36:14+13:00") { CaptureDate(iso8601: $0) }
    }

    private func parsed<Value>(
        _ key: JobKey, _ kind: String, example: String, _ parse: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let text = try text(key), let node = self[key] else { return nil }
        guard let value = parse(text) else {
            throw node.valueError(.invalidValue, "\(quoted(text)) is not \(kind); write one as \(example)")
        }
        return value
    }

    /// Where the job's pair goes.
    fileprivate func folder(in root: FilePath) throws(ConfigurationError) -> FilePath {
        let folder = try outputFolder()
        return folder.isEmpty ? root : root.pushing(folder)
    }

    /// The job's `output`, below the batch's folder.
    func outputFolder() throws(ConfigurationError) -> FilePath {
        guard let text = try text(.output), let node = self[.output] else { return "" }
        let path = FilePath(text).lexicallyNormalized()
        guard path.isRelative, !path.starts(with: "..") else {
            throw node.valueError(
                .invalidValue, "\(quoted(text)) is not a folder below the batch's; --output says where that is")
        }
        return path == "." ? "" : path
    }
}
