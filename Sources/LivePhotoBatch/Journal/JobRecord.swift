/// The result of a job: a line of the journal, and of a report. Times are in seconds, sizes in bytes.
public struct JobRecord: Sendable, Hashable, Codable {
    public enum Status: String, Sendable, Hashable, Codable {
        /// Not yet begun, or stopped before it was.
        case pending
        /// Begun; in a report, broken off.
        case started
        /// The pair is complete and has been verified.
        case done
        /// There is no pair; `error` is the reason.
        case failed
    }

    /// A file that the pair was made of, and how to see that it has not changed.
    public struct Input: Sendable, Hashable, Codable {
        public let path: String
        public let bytes: Int
        /// When it was last changed, in nanoseconds since 1970.
        public let modified: Int64
        public let sha256: String
    }

    /// A file that was made.
    public struct Output: Sendable, Hashable, Codable {
        /// Below the batch's folder.
        public let path: String
        public let bytes: Int
        public let sha256: String
    }

    /// Grows when a property changes its meaning or goes away.
    public var schema = 1
    public let id: String
    public var status: Status
    /// A digest of the inputs' content, the effective options and the program's version, which determine the pair's bytes
    /// except with `--jobs 1`.
    public var key: String?
    public var inputs: [Input] = []
    public var photo: Output?
    public var movie: Output?
    public var contentIdentifier: String?
    /// The moment as the job names it; nil where it names none.
    public var stillAsked: String?
    /// In the clip; nil for a pair that was linked.
    public var stillTimeInClip: Double?
    /// In the movie.
    public var stillTime: Double?
    public var duration: Double?
    public var warnings: [String] = []
    /// As `convert` would have ended: sysexits.h; 0 for a pair that is done. Nil for a job that has not ended.
    public var exitCode: Int?
    /// The signal that ended the process that decoded.
    public var signal: String?
    public var error: String?
    /// Whether another try may succeed.
    public var retryable: Bool?
    /// The last lines on the process's standard error.
    public var lastWords: [String] = []
    public var attempts = 0
    /// How long the last attempt took.
    public var seconds: Double?
    /// When the last attempt ended: `2026-11-21T22:51:44Z`.
    public var ended: String?
    /// The machine where it was made.
    public var host: String?
    /// The part of the batch that it was made in: `3/6`; nil for a whole batch.
    public var shard: String?
    /// The program's.
    public var version: String?

    init(_ id: String, _ status: Status) {
        (self.id, self.status) = (id, status)
    }

    /// A record that a reader may meet has no more than an identifier and a status for certain.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        status = try values.decode(Status.self, forKey: .status)
        schema = try values.decodeIfPresent(Int.self, forKey: .schema) ?? 1
        key = try values.decodeIfPresent(String.self, forKey: .key)
        inputs = try values.decodeIfPresent([Input].self, forKey: .inputs) ?? []
        photo = try values.decodeIfPresent(Output.self, forKey: .photo)
        movie = try values.decodeIfPresent(Output.self, forKey: .movie)
        contentIdentifier = try values.decodeIfPresent(String.self, forKey: .contentIdentifier)
        stillAsked = try values.decodeIfPresent(String.self, forKey: .stillAsked)
        stillTimeInClip = try values.decodeIfPresent(Double.self, forKey: .stillTimeInClip)
        stillTime = try values.decodeIfPresent(Double.self, forKey: .stillTime)
        duration = try values.decodeIfPresent(Double.self, forKey: .duration)
        warnings = try values.decodeIfPresent([String].self, forKey: .warnings) ?? []
        exitCode = try values.decodeIfPresent(Int.self, forKey: .exitCode)
        signal = try values.decodeIfPresent(String.self, forKey: .signal)
        error = try values.decodeIfPresent(String.self, forKey: .error)
        retryable = try values.decodeIfPresent(Bool.self, forKey: .retryable)
        lastWords = try values.decodeIfPresent([String].self, forKey: .lastWords) ?? []
        attempts = try values.decodeIfPresent(Int.self, forKey: .attempts) ?? 0
        seconds = try values.decodeIfPresent(Double.self, forKey: .seconds)
        ended = try values.decodeIfPresent(String.self, forKey: .ended)
        host = try values.decodeIfPresent(String.self, forKey: .host)
        shard = try values.decodeIfPresent(String.self, forKey: .shard)
        version = try values.decodeIfPresent(String.self, forKey: .version)
    }
}
