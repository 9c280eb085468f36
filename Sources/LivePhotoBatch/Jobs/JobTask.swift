import LivePhotoRequests
import MediaModel

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
        if let excess = Setting.excessOfTimes(in: Set(values.map(\.setting.key))) {
            throw job.node.valueError(.invalidValue, excess)
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
