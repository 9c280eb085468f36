import LivePhotoRequests
import MediaModel

/// The keys of a job: the options of `convert` and what only jobs have. They have their names on the command line, but for
/// `audio` (`--no-audio`), `metadata` (`--no-metadata` and `--no-location`) and `contentIdentifier` (`--id`).
package enum JobKey: String, CaseIterable, Sendable {
    case id, input, movie, photo, output, name
    case still, start, end, duration, before, after
    case preset, fps, maxSize, crop, fill, fit, toneMap, background, audio, metadata
    case date, contentIdentifier

    /// Those of a job that links a photo and a movie: nothing is encoded, so nothing says how.
    static let linking: Set<JobKey> = [.id, .movie, .photo, .output, .name, .still, .contentIdentifier]
}

/// What a job asks for.
enum JobTask: Sendable {
    case convert(ConversionRequest)
    case link(LinkRequest)

    /// - Parameters:
    ///   - job: with paths as this process sees them, and a name.
    ///   - preset: that the job names.
    ///   - root: the batch's folder.
    /// - Throws: `ConfigurationError` at the place of what is wrong.
    init(_ job: YAMLMapping<JobKey>, preset: Preset, root: FilePath) throws(ConfigurationError) {
        guard let movie = job[.movie] else {
            self = .convert(try ConversionRequest(job, preset: preset, root: root))
            return
        }
        self = .link(
            LinkRequest(
                photo: FilePath(try job.required(.photo).line()), movie: FilePath(try movie.line()),
                still: try job.optional(.still), contentIdentifier: try job.contentIdentifier(),
                name: try job.required(.name).line(), outputDirectory: try job.folder(in: root)))
    }

    /// All that the bytes of the pair follow from, but for the inputs' content: equal texts give equal pairs, but for
    /// `--jobs 1`.
    var effectiveOptions: String {
        get throws(ConfigurationError) {
            switch self {
            case .convert(let request):
                var settings = try request.settings
                (settings.name, settings.description, settings.limits) = ("", "", .none)
                let others = [request.name, request.contentIdentifier?.string, request.captureDate?.iso8601]
                return "convert\n\(settings.yaml)\(others.map { $0 ?? "" }.joined(separator: "\n"))"
            case .link(let request):
                let others = [request.name, request.contentIdentifier?.string, request.still?.description]
                return "link\n\(others.map { $0 ?? "" }.joined(separator: "\n"))"
            }
        }
    }
}

extension ConversionRequest {
    fileprivate init(_ job: YAMLMapping<JobKey>, preset: Preset, root: FilePath) throws(ConfigurationError) {
        self.init(
            clip: FilePath(try job.required(.input).line()), outputDirectory: try job.folder(in: root))
        name = try job.required(.name).line()
        photo = try job.text(.photo).map { FilePath($0) }
        still = try job.optional(.still)
        start = try job.optional(.start)
        end = try job.optional(.end)
        duration = try job.length(.duration)
        before = try job.length(.before)
        after = try job.length(.after)
        framing = Framing(crop: try job.optional(.crop), shape: try job.shape(fill: .fill, fit: .fit))
        toneMapping = try job.optional(.toneMap)
        background = try job.optional(.background)
        frameRate = try job.optional(.fps)
        maxSize = try job.optional(.maxSize)
        audio = try job.optional(.audio)
        contentIdentifier = try job.contentIdentifier()
        captureDate = try job.optional(.date)
        if let mode: MetadataMode = try job.optional(.metadata) {
            includesMetadata = mode != .discard
            includesLocation = mode == .keep
        }
        self.preset = preset
    }
}

extension YAMLMapping<JobKey> {
    /// Nil for a key that is missing or null.
    func text(_ key: JobKey) throws(ConfigurationError) -> String? {
        guard let node = self[key], !node.isNull else { return nil }
        return try node.line()
    }

    fileprivate func length(_ key: JobKey) throws(ConfigurationError) -> MediaTime? {
        let length: WindowLength? = try optional(key)
        return length?.time
    }

    fileprivate func contentIdentifier() throws(ConfigurationError) -> ContentIdentifier? {
        let option: ContentIdentifierOption? = try optional(.contentIdentifier)
        return option?.identifier
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
