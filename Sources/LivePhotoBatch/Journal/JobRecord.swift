/// The result of a job: a line of the journal or of a report. Times are in seconds, sizes in bytes.
///
/// A reader requires only `id` and `status`, as properties may be added or removed in other versions.
public struct JobRecord: Sendable, Hashable, Codable {
    /// How far the job is.
    public enum Status: String, Sendable, Hashable, Codable {
        /// Not started.
        case pending
        /// Started; in a report, interrupted.
        case started
        /// The pair is complete and has been verified.
        case done
        /// No pair was made; `error` is the reason.
        case failed
    }

    /// An input file, with what detects that it has changed.
    public struct Input: Sendable, Hashable, Codable {
        /// The path, resolved against the job file's folder.
        public let path: String
        /// The size of the file.
        public let bytes: Int
        /// Modification time in nanoseconds since 1970.
        public let modified: Int64
        /// The SHA-256 of its content, in lower-case hexadecimal.
        public let sha256: String
    }

    /// A file of the pair.
    public struct Output: Sendable, Hashable, Codable {
        /// The path, relative to the batch's folder.
        public let path: String
        /// The size of the file.
        public let bytes: Int
        /// The SHA-256 of its content, in lower-case hexadecimal.
        public let sha256: String
    }

    /// Increased when a property changes its meaning or is removed.
    public var schema: Int? = 1
    /// The job's name, unique in a batch.
    public let id: String
    /// How far the job is.
    public var status: Status
    /// A digest of the inputs' content, the effective options and the program's version, which determine the pair's bytes.
    public var key: String?
    /// The clip and the other files that the pair is made from.
    public var inputs: [Input] = []
    /// The key photo; nil if no pair was made.
    public var photo: Output?
    /// The paired video; nil if no pair was made.
    public var movie: Output?
    /// How many frames were encoded; nil if none was, as for a pair that was linked.
    public var frames: Int?
    /// The identifier in both files.
    public var contentIdentifier: String?
    /// The still time given in the job.
    public var stillAsked: String?
    /// Still time in the clip; nil for a pair that was linked.
    public var stillTimeInClip: Double?
    /// Still time in the movie.
    public var stillTime: Double?
    /// The duration of the movie.
    public var duration: Double?
    /// The date in both files: `2025-10-12T23:36:14+1300`; nil without a date. For a pair that was linked, the date
    /// that was written; nil if the files kept theirs.
    public var captureDate: String?
    /// Where `captureDate` comes from: the raw value of a `CaptureDateSource`.
    public var captureDateSource: String?
    /// The conversion's warnings: each one sentence.
    public var warnings: [String] = []
    /// The exit status that `convert` would have had (sysexits.h); nil for a job that has not ended.
    public var exitCode: Int?
    /// The signal that ended the worker: `SIGSEGV`.
    public var signal: String?
    /// Why the job failed, in one sentence.
    public var error: String?
    /// What kind of failure it is: the general code of a `LivePhotoError`.
    public var code: String?
    /// The part of `error` that other files may share: that without the file's name.
    public var reason: String?
    /// Whether a retry may succeed.
    public var retryable: Bool?
    /// The last lines that the worker wrote to standard error.
    public var lastWords: [String] = []
    /// How many times the job was started, with retries.
    public var attempts: Int? = 0
    /// Duration of the last attempt.
    public var seconds: Double?
    /// When the last attempt ended: `2026-11-21T22:51:44Z`.
    public var ended: String?
    /// Name of the machine that ran the job.
    public var host: String?
    /// The part of the batch: `3/6`; nil for a batch without parts.
    public var shard: String?
    /// Version of the program.
    public var version: String?

    init(_ id: String, _ status: Status) {
        (self.id, self.status) = (id, status)
    }
}

extension JobRecord {
    /// Records the error of a job that failed.
    mutating func fail(_ error: LivePhotoError) {
        (self.error, reason, code) = ("\(error)", error.reason, error.code.general.rawValue)
        exitCode = Int(error.code.exitStatus)
        retryable = error.code.general == .temporary
    }
}

extension KeyedDecodingContainer {
    /// Called by the synthesized `JobRecord.init(from:)`: missing lists are empty.
    fileprivate func decode<Element: Decodable>(_: [Element].Type, forKey key: Key) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }
}
