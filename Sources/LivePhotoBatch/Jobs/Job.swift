import LivePhotoRequests

/// One pair to be made, as a job file asks for it. All that it says has been checked; its files have not been looked at.
public struct Job: Sendable, Hashable {
    /// What the job is called in reports. No two jobs of a batch have the same.
    public let id: String
    /// What the pair is made of: the clip, or the movie that is linked.
    public let input: FilePath
    /// Where the pair goes, below the batch's folder; empty for that folder itself.
    public let folder: FilePath
    /// Name of both files, without extension.
    public let name: String
    /// All that the job says but its preset, as a mapping of JSON on one line, with paths as this process sees them.
    package let options: String
    /// The preset, whole, as YAML: one text for all jobs that name the same.
    package let preset: String

    /// Where the movie will be, below the batch's folder: no two jobs of a batch have the same.
    package var movie: FilePath { folder.appending(name + ".MOV") }
}

extension JobTask {
    /// - Parameters:
    ///   - id: the job's, for errors.
    ///   - options: `Job.options`.
    ///   - preset: `Job.preset`.
    init(id: String, options: String, preset: String, root: FilePath) throws(ConfigurationError) {
        let job = try YAMLMapping<JobKey>(YAMLNode(yaml: Array(options.utf8), file: id))
        let node = try YAMLNode(yaml: Array(preset.utf8), file: "the preset of \(id)")
        try self.init(job, preset: PresetLibrary().preset(askedBy: node, in: nil), root: root)
    }
}
