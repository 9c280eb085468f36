import LivePhotoRequests
import MediaModel

/// The keys of a job that are not a `Setting`.
package enum JobKey: String, CaseIterable, Sendable {
    case id, input, movie, photo, edit, output, name, preset, date, contentIdentifier

    /// All keys of a job.
    package static let names = allCases.map(\.rawValue) + Setting.all.compactMap(\.jobKey)
    /// Keys that can have a default.
    package static let defaultNames = names.filter { ![id, input, movie].map(\.rawValue).contains($0) }
    /// Keys of a job that links a photo and a movie.
    static let linkNames =
        [id, movie, photo, output, name, date, contentIdentifier].map(\.rawValue) + [Setting.still.key]
    /// Keys of a job that edits a Live Photo.
    static let editNames = [id, input, photo, edit, output, name, date, contentIdentifier].map(\.rawValue)

    package var help: String {
        switch self {
        case .id: "Unique name of the job in the journal and in reports; `output/name` by default."
        case .input:
            "The clip. A pattern with `*`, `?`, `[…]` or `**` (any folders, not followed through symbolic links; at the "
                + "end, all files below) creates a job for each match, sorted by name. Hidden files match only a pattern "
                + "with a leading dot, and `.edit.yaml` files none. An existing file of exactly this name takes precedence over the pattern. With "
                + "`edit`, the photo or movie of a Live Photo, whose other file is beside it and has the same name."
        case .movie:
            "Instead of `input`: a movie to link with `photo` without re-encoding. Such jobs accept `id`, `output`, "
                + "`name`, `still`, `date` and `contentIdentifier` only."
        case .photo:
            "A photo to use instead of the clip's frame; with `movie`, the photo to link; with `edit`, the photo of the "
                + "Live Photo, if `input` is its movie and has another name."
        case .edit:
            "Edit the Live Photo `input` as `livephoto edit` does, with a recipe: its keys, such as `{exposure: 0.5, "
                + "no-audio: true}`, or the path of its file. Such jobs accept `id`, `input`, `photo`, `output`, `name`, "
                + "`date` and `contentIdentifier` only."
        case .output: "A folder below the output folder of the batch."
        case .name: "Name of both files without extension; by default that of the input."
        case .preset:
            "Name or file of a preset, or preset keys: `{extends: classic, video: {crf: 18}}`. Keys left out are those of "
                + "the preset it extends, or of classic."
        case .date:
            "When the clip was recorded, such as 2025-10-12T23:36:14+13:00, or `file` for its modification time, with "
                + "`movie` or `edit` for that of the photo; by default the date in the file, in a sidecar of Google Takeout, or in "
                + "the file name."
        case .contentIdentifier:
            "Content identifier of the pair, a UUID; by default derived from clip and options."
        }
    }
}

/// What a job does.
enum JobTask: Sendable {
    case convert(ConversionRequest)
    case link(LinkRequest)
    /// The pair is opened when the job runs.
    case edit(input: FilePath, photo: FilePath?, EditSettings)

    /// - Parameters:
    ///   - job: the job's options with resolved paths and a name.
    ///   - root: the batch's output folder.
    init(_ job: YAMLMapping<JobKey>, preset: Preset, root: FilePath) throws(LivePhotoError) {
        if job[.edit] != nil {
            self = try .edit(job, to: job.folder(in: root))
            return
        }
        guard let movie = job[.movie] else {
            self = .convert(try ConversionRequest(job, preset: preset, root: root))
            return
        }
        var request = LinkRequest(
            photo: FilePath(try job.required(.photo).line()), movie: FilePath(try movie.line()),
            to: .directory(try job.folder(in: root), replacesExisting: false))
        request.still = try job[Setting.still.key]?.option()
        request.stillText = try job[Setting.still.key]?.text()
        request.contentIdentifier = try job[.contentIdentifier]?.option()
        request.captureDate = try job[.date]?.option()
        request.name = try job.required(.name).line()
        self = .link(request)
    }
}

extension JobTask {
    /// - Parameter folder: of the edited pair.
    private static func edit(_ job: YAMLMapping<JobKey>, to folder: FilePath) throws(LivePhotoError) -> JobTask {
        var settings = EditSettings(
            try EditRecipe(job.required(.edit)), to: .directory(folder, replacesExisting: false))
        if let identifier: ContentIdentifier = try job[.contentIdentifier]?.option() {
            settings.identity = .set(identifier)
        }
        settings.captureDate = try job[.date]?.option()
        settings.name = try job.required(.name).line()
        return .edit(
            input: FilePath(try job.required(.input).line()), photo: try job.text(.photo).map { FilePath($0) }, settings
        )
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
        work.requestedTimes = times
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
