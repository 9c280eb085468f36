import LivePhotoRequests
import MediaModel

/// The keys of a job that are not a `Setting`.
package enum JobKey: String, CaseIterable, Sendable {
    case id, input, movie, photo, output, name, preset, date, contentIdentifier

    /// All keys of a job.
    package static let names = allCases.map(\.rawValue) + Setting.all.compactMap(\.jobKey)
    /// Keys that can have a default.
    package static let defaultNames = names.filter { ![id, input, movie].map(\.rawValue).contains($0) }
    /// Keys of a job that links a photo and a movie.
    static let linkNames =
        [id, movie, photo, output, name, date, contentIdentifier].map(\.rawValue) + [Setting.still.key]

    package var help: String {
        switch self {
        case .id: "Unique name of the job in the journal and in reports; `output/name` by default."
        case .input:
            "The clip. A pattern with `*`, `?`, `[…]` or `**` (any folders, not followed through symbolic links; at the "
                + "end, all files below) creates a job for each match, sorted by name. Hidden files match only a pattern "
                + "with a leading dot. An existing file of exactly this name takes precedence over the pattern."
        case .movie:
            "Instead of `input`: a movie to link with `photo` without re-encoding. Such jobs accept `id`, `output`, "
                + "`name`, `still`, `date` and `contentIdentifier` only."
        case .photo: "A photo to use instead of the clip's frame; with `movie`, the photo to link."
        case .output: "A folder below the output folder of the batch."
        case .name: "Name of both files without extension; by default that of the input."
        case .preset:
            "Name or file of a preset, or preset keys: `{extends: classic, video: {crf: 18}}`. Keys left out are those of "
                + "the preset it extends, or of classic."
        case .date:
            "When the clip was recorded, such as 2025-10-12T23:36:14+13:00, or `file` for its modification time, with "
                + "`movie` for that of the photo; by default the date in the file, in a sidecar of Google Takeout, or in "
                + "the file name."
        case .contentIdentifier:
            "Content identifier of the pair, a UUID; by default derived from clip and options."
        }
    }
}

/// The conversion or linking of a job.
enum JobTask: Sendable {
    case convert(ConversionRequest)
    case link(LinkRequest)

    /// - Parameters:
    ///   - job: the job's options with resolved paths and a name.
    ///   - root: the batch's output folder.
    init(_ job: YAMLMapping<JobKey>, preset: Preset, root: FilePath) throws(LivePhotoError) {
        guard let movie = job[.movie] else {
            self = .convert(try ConversionRequest(job, preset: preset, root: root))
            return
        }
        self = .link(
            LinkRequest(
                photo: FilePath(try job.required(.photo).line()), movie: FilePath(try movie.line()),
                still: try job[Setting.still.key]?.option(), stillText: try job[Setting.still.key]?.text(),
                contentIdentifier: try job[.contentIdentifier]?.option(), captureDate: try job[.date]?.option(),
                name: try job.required(.name).line(), outputDirectory: try job.folder(in: root)))
    }

    /// Everything that determines the bytes of the pair except the content of its inputs and `--jobs 1`.
    var effectiveOptions: String {
        get throws(LivePhotoError) {
            switch self {
            case .convert(let request):
                var settings = request.preset
                (settings.name, settings.description, settings.limits) = ("", "", .none)
                // Its content counts, wherever the file is.
                if settings.adjustments.colorTable != nil {
                    settings.adjustments.colorTable = LookupTableFile(text: "input.cube")
                }
                let name = request.name ?? request.clip.stem
                let outside = request.outsideMetadata
                let others = [name, request.contentIdentifier?.string, outside?.requestedDate?.date.iso8601]
                // Another sidecar or time of the file gives another pair.
                let found = [outside?.date?.date.iso8601, outside?.location?.iso6709].compactMap(\.self)
                return "convert\n\(settings.yaml)\((others.map { $0 ?? "" } + found).joined(separator: "\n"))"
            case .link(let request):
                let others = [request.name, request.contentIdentifier?.string, request.still?.description]
                let date = try OutsideMetadata.SourcedDate(request.captureDate, ofFile: request.photo)?.date
                let found = [request.photo, request.movie].map(FileMetadata.init).flatMap {
                    [$0.captureDate?.iso8601, $0.location?.iso6709].compactMap(\.self)
                }
                let added = [date?.iso8601].compactMap(\.self) + found
                return "link\n\((others.map { $0 ?? "" } + added).joined(separator: "\n"))"
            }
        }
    }
}

extension ConversionRequest {
    fileprivate init(_ job: YAMLMapping<JobKey>, preset: Preset, root: FilePath) throws(LivePhotoError) {
        var values: [(setting: Setting, text: String)] = []
        for setting in Setting.all {
            if let node = setting.jobKey.flatMap({ job[$0] }) { values.append((setting, try node.text())) }
        }
        var settings = preset
        let times = try settings.replace(values) { setting, message in
            (setting.jobKey.flatMap { job[$0] } ?? job.node).valueError(.invalidValue, message)
        }
        self.init(
            clip: FilePath(try job.required(.input).line()), outputDirectory: try job.folder(in: root),
            preset: settings)
        requestedTimes = times
        name = try job.required(.name).line()
        photo = try job.text(.photo).map { FilePath($0) }
        contentIdentifier = try job[.contentIdentifier]?.option()
        captureDate = try job[.date]?.option()
    }
}

extension YAMLMapping<JobKey> {
    /// The value of a key; nil if it is missing or null.
    func text(_ key: JobKey) throws(LivePhotoError) -> String? {
        guard let node = self[key], !node.isNull else { return nil }
        return try node.line()
    }

    /// The folder of the job's pair.
    fileprivate func folder(in root: FilePath) throws(LivePhotoError) -> FilePath {
        let folder = try outputFolder()
        return folder.isEmpty ? root : root.pushing(folder)
    }

    /// The job's `output`, relative to the batch's output folder.
    func outputFolder() throws(LivePhotoError) -> FilePath {
        guard let text = try text(.output), let node = self[.output] else { return "" }
        let path = FilePath(text).lexicallyNormalized()
        guard path.isRelative, !path.starts(with: "..") else {
            throw node.valueError(
                .invalidValue, "\(quoted(text)) is not below the output folder; set that folder with --output")
        }
        return path == "." ? "" : path
    }
}
