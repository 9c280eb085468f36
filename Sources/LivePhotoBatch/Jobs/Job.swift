import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// A pair to make, as requested by a job file. Its keys and values have been checked, its files have not.
public struct Job: Sendable, Hashable {
    /// Name of the job in reports, unique in its batch.
    public let id: String
    /// The clip to convert, or the movie to link.
    public let input: FilePath
    /// The pair's folder, relative to the batch's folder; empty for that folder itself.
    public let folder: FilePath
    /// Name of both files, without extension.
    public let name: String
    /// The job's options without its preset, as a JSON object on one line, with resolved paths.
    package let options: String
    /// The preset with all its settings, as YAML. Jobs with the same preset share one string.
    package let preset: String
    /// Why the job cannot be run at all.
    package var problem: LivePhotoError?

    /// Path of the movie relative to the batch's folder, unique in its batch.
    package var movie: FilePath { folder.appending(name + ".MOV") }
}

extension Job {
    /// A job that fails, for a file found by a wildcard whose name cannot be used.
    ///
    /// - Parameter number: makes the job's id and name unique.
    init(rejecting input: FilePath, number: Int) {
        self.init(
            id: "\(printable(input.string)) (\(number))", input: input, folder: "", name: "rejected-\(number)",
            options: "{}", preset: "{}",
            problem: LivePhotoError(
                .noInput, input, "its name has control characters, or is not text; rename it, or convert it by itself"))
    }
}

extension FilePath {
    /// Whether its name has control characters, or is not UTF-8.
    var hasOddName: Bool { string.unicodeScalars.contains(where: isControl) || FilePath(string) != self }
}

extension JobTask {
    /// - Parameter root: the batch's folder.
    init(_ job: Job, root: FilePath) throws(LivePhotoError) {
        let options = try YAMLMapping<JobKey>(
            YAMLNode(yaml: Array(job.options.utf8), file: job.id), keys: JobKey.names)
        let preset = try YAMLNode(yaml: Array(job.preset.utf8), file: "the preset of \(job.id)")
        try self.init(options, preset: PresetLibrary().preset(askedBy: preset, in: nil), root: root)
        // The text of the options cannot hold a path that is not UTF-8.
        if case .convert(var request, let still) = self {
            request.clip = job.input
            self = .convert(request, requestedStill: still)
        }
    }
}
