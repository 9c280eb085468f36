import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// A job of a job file: one pair to make. Its keys and values have been checked, but not its files.
public struct Job: Sendable, Hashable {
    /// The job's name in reports, unique in a batch.
    public let id: String
    /// The clip to convert, the movie to link, or the photo or movie of the Live Photo to edit.
    public let input: FilePath
    /// The pair's folder, relative to the batch's output folder; empty for the output folder itself.
    public let folder: FilePath
    /// The name of both files without extension.
    public let name: String
    /// Whether `name` is the clip's, because the job file sets none. `ConversionRequest.name` says when another is used.
    var hasDefaultName = false
    /// The job's options except its preset, as a JSON object on one line. Its paths have been resolved.
    package let options: String
    /// The preset with inherited settings, as YAML. Jobs with equal presets share one text.
    package let preset: String
    /// Set if the job always fails, because its input's name cannot be used.
    package var problem: LivePhotoError?

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

    /// A job that always fails, for a file that matches a pattern but whose name cannot be used.
    ///
    /// - Parameter number: the job's number, for a unique id and name.
    init(rejecting input: FilePath, number: Int) {
        self.init(
            id: "\(printable(input.string)) (\(number))", input: input, folder: "", name: "rejected-\(number)",
            options: "{}", preset: "{}",
            problem: LivePhotoError(
                .noInput, input, "its name has control characters, or is not text; rename it, or convert it by itself"))
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
        let preset = try YAMLNode(yaml: Array(job.preset.utf8), file: "the preset of \(job.id)")
        try self.init(options, preset: PresetLibrary().preset(requestedBy: preset, in: nil), root: root)
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
