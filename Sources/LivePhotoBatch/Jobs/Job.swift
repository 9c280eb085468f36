import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// A job of a job file: one pair to make. Its keys and values have been checked, but not its files.
///
/// A batch may have a million jobs, so what several have in common is stored once, and the rest in one text.
public struct Job: Sendable, Hashable {
    private let shared: Shared<SharedJobParts>
    /// What only this job has.
    private let own: OwnJobParts

    /// - Parameters:
    ///   - id: nil for that of the folder and the name.
    ///   - name: nil for the stem of the input.
    ///   - photo: the name of the photo in `shared.photoFolder`.
    ///   - settings: the options that have no property here and are no defaults of the job file.
    init(
        _ shared: Shared<SharedJobParts>, input: FilePath, photo: String = "", id: String?, name: String?,
        hasDefaultName: Bool, settings: String
    ) {
        self.shared = shared
        own = OwnJobParts(
            input: shared.input == nil ? input.lastComponent?.string ?? "" : "", photo: photo, id: id, name: name,
            hasDefaultName: hasDefaultName, settings: settings)
    }

    /// The job's name in reports, unique in a batch.
    public var id: String { own.id ?? folder.appending(name).string }
    /// The clip to convert, the movie to link, or the photo or movie of the Live Photo to edit.
    public var input: FilePath { shared.input ?? shared.inputFolder.appending(own.input) }
    /// The pair's folder, relative to the batch's output folder; empty for the output folder itself.
    public var folder: FilePath { shared.folder }
    /// The name of both files without extension.
    public var name: String { own.name ?? input.stem ?? "" }
    /// Whether `name` is the clip's, because the job file sets none. `ConversionRequest.name` says when another is used.
    var hasDefaultName: Bool { own.hasDefaultName }
    /// The job's options except its preset, as a JSON object on one line. Its paths have been resolved.
    package var options: String {
        let texts: [(JobKey, String?)] = [
            (shared.isLink ? .movie : .input, input.string), (.photo, shared.photoFolder?.appending(own.photo).string),
            (.output, shared.output), (.name, name),
        ]
        let others = texts.compactMap { key, text in
            text.map { "\(YAMLNode.json(key.rawValue)):\(YAMLNode.json($0))" }
        }
        return "{\(([shared.defaults, own.settings].filter { !$0.isEmpty } + others).joined(separator: ","))}"
    }
    /// The preset's settings, with inherited ones.
    var settings: Preset { shared.preset.settings }
    /// The same as YAML.
    package var preset: String { shared.preset.text }
    /// Set if the job always fails, because its input's name cannot be used.
    package var problem: LivePhotoError? { shared.problem }

    /// The path of the movie, relative to the batch's output folder; unique in a batch.
    package var movie: FilePath { folder.appending(name + ".MOV") }
}

extension Job {
    /// The path of the movie in the batch's output folder.
    package func movie(in root: FilePath) -> FilePath {
        let path = root.pushing(movie)
        // Only then it can have another name.
        guard hasDefaultName,
            options.contains(JobKey.photo.rawValue) || input.extension?.lowercased() == movie.extension?.lowercased(),
            case .convert(let request)? = try? JobTask(self, root: root), let target = try? request.target()
        else { return path }
        return path.removingLastComponent().appending(target.movieName)
    }

    /// The preset of jobs that always fail.
    private static let unused = Shared(JobPreset(.classic))

    /// A job that always fails, for a file that matches a pattern but whose name cannot be used.
    ///
    /// - Parameter number: the job's number, for a unique id and name.
    init(rejecting input: FilePath, number: Int) {
        let error = LivePhotoError(
            .noInput, input, "its name has control characters, or is not text; rename it, or convert it by itself")
        self.init(
            Shared(SharedJobParts(input: input, folder: "", defaults: "", preset: Self.unused, problem: error)),
            input: input,
            id: "\(printable(input.string)) (\(number))", name: "rejected-\(number)", hasDefaultName: false,
            settings: "")
    }
}

extension FilePath {
    /// Whether the path has control characters or is not valid UTF-8.
    var isUnprintable: Bool { string.unicodeScalars.contains(where: isControl) || FilePath(string) != self }
}

extension JobTask {
    /// - Parameter root: the batch's output folder.
    init(_ job: Job, root: FilePath) throws(LivePhotoError) {
        let options = try YAMLMapping<JobKey>(
            YAMLNode(yaml: Array(job.options.utf8), file: job.id), keys: JobKey.names)
        try self.init(options, preset: job.settings, root: root)
        // The text of the options cannot represent a path that is not UTF-8.
        switch self {
        case .convert(var request):
            request.clip = job.input
            if job.hasDefaultName { request.name = nil }
            self = .convert(request)
        case .edit(_, let photo, let settings): self = .edit(input: job.input, photo: photo, settings)
        case .link: break
        }
    }
}
