import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// One pair to be made, as a job file asks for it. Its keys and values have been checked, its files have not.
public struct Job: Sendable, Hashable {
    /// What the job is called in reports. No two jobs of a batch have the same.
    public let id: String
    /// What the pair is made of: the clip, or the movie that is linked.
    public let input: FilePath
    /// Where the pair goes, below the batch's folder; empty for that folder itself.
    public let folder: FilePath
    /// Name of both files, without extension.
    public let name: String
    /// The job's options without its preset, as a mapping of JSON on one line, with paths as this process sees them.
    package let options: String
    /// The preset, whole, as YAML: one text for all jobs that name the same.
    package let preset: String
    /// Why it cannot be done, whatever its files are; nil for nearly all.
    package var problem: LivePhotoError?

    /// Where the movie will be, below the batch's folder: no two jobs of a batch have the same.
    package var movie: FilePath { folder.appending(name + ".MOV") }
}

extension Job {
    /// A job for a file that a wildcard has found, whose name no job can have.
    ///
    /// - Parameter number: of the job, which makes its id and its name the only ones.
    init(refusing input: FilePath, number: Int) {
        self.init(
            id: "\(printable(input.string)) (\(number))", input: input, folder: "", name: "refused-\(number)",
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
    init(_ job: Job, root: FilePath) throws(ConfigurationError) {
        let options = try YAMLMapping<JobKey>(
            YAMLNode(yaml: Array(job.options.utf8), file: job.id), keys: JobKey.names)
        let preset = try YAMLNode(yaml: Array(job.preset.utf8), file: "the preset of \(job.id)")
        try self.init(options, preset: PresetLibrary().preset(askedBy: preset, in: nil), root: root)
        // A path that is not UTF-8 is another one in the options' text.
        if case .convert(var request, let still) = self {
            request.clip = job.input
            self = .convert(request, stillAsked: still)
        }
    }
}
