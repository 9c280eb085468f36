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
    /// All that the job says, as a mapping of JSON on one line, with paths as this process sees them.
    package let options: String

    /// Where the movie will be, below the batch's folder: no two jobs of a batch have the same.
    package var movie: FilePath { folder.appending(name + ".MOV") }
}
