public import LivePhotoKit
import MediaModel

/// The results of planning a conversion; `description` has the decisions as text.
public struct PlanSummary: Sendable, Hashable, Codable {
    /// The time at which the clip's picture ends.
    public let clipDuration: MediaTime
    /// The identifier that both files get; nil for a new one.
    public let contentIdentifier: ContentIdentifier?
    /// The time in the clip at which the movie begins.
    public let start: MediaTime
    /// The time in the clip at which the part ends that the movie shows.
    public let end: MediaTime
    /// The presentation time in the clip of the frame that becomes the key photo.
    public let stillInClip: MediaTime
    /// The still time on the movie's timeline: exactly the time of a frame.
    public let stillTime: MediaTime
    /// The duration of the movie.
    public let duration: MediaTime
    /// The number of frames of the movie.
    public let frameCount: Int
    /// The movie's nominal frame rate.
    public let frameRate: FrameRate
    /// The clip's frame rate around the movie; for variable frame rates, the average.
    public let clipFrameRate: FrameRate
    /// Whether an edit keeps the pictures and the sound of the movie bit for bit; nil for a conversion.
    public let keepsMovie: Bool?
    /// Whether the clip is HDR and its pictures are tone-mapped to SDR.
    public let isToneMapped: Bool
    /// Whether the movie is HDR, as the clip is.
    public let keepsHDR: Bool
    /// Whether the key photo is SDR with a gain map, from which displays of HDR make the clip's HDR.
    public let hasGainMap: Bool
    /// The upright size of the movie.
    public let movieSize: PixelSize
    /// The upright size of the key photo.
    public let photoSize: PixelSize
    /// The date, location and camera written to both files.
    public let metadata: ClipMetadata
    /// Where the date in `metadata` comes from; nil if there is none.
    public let captureDateSource: CaptureDateSource?
    /// The best stills of the clip, from the one that was taken; empty unless `auto` was requested.
    public let stillCandidates: [StillCandidate]
    /// Warnings about the clip and the request, each one sentence.
    public let warnings: [String]
    /// The plan as lines of `name: value` with control characters escaped, without warnings.
    private let text: String
    /// libavfilter's description of the movie's filters.
    package let filters: String

    package init(
        clipDuration: MediaTime, contentIdentifier: ContentIdentifier?, start: MediaTime, end: MediaTime,
        stillInClip: MediaTime, stillTime: MediaTime, duration: MediaTime, frameCount: Int, frameRate: FrameRate,
        clipFrameRate: FrameRate,
        keepsMovie: Bool?, isToneMapped: Bool, keepsHDR: Bool, hasGainMap: Bool, movieSize: PixelSize,
        photoSize: PixelSize,
        metadata: ClipMetadata, captureDateSource: CaptureDateSource?, stillCandidates: [StillCandidate],
        warnings: [String], text: String,
        filters: String
    ) {
        self.clipDuration = clipDuration
        self.contentIdentifier = contentIdentifier
        self.start = start
        self.end = end
        self.stillInClip = stillInClip
        self.stillTime = stillTime
        self.duration = duration
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.clipFrameRate = clipFrameRate
        self.keepsMovie = keepsMovie
        self.isToneMapped = isToneMapped
        self.keepsHDR = keepsHDR
        self.hasGainMap = hasGainMap
        self.movieSize = movieSize
        self.photoSize = photoSize
        self.metadata = metadata
        self.captureDateSource = captureDateSource
        self.stillCandidates = stillCandidates
        self.warnings = warnings
        self.text = text
        self.filters = filters
    }

    /// - Throws: `DecodingError` for numbers and texts that no plan can have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func decode<Value: Decodable>(_ key: CodingKeys) throws -> Value {
            try container.decode(Value.self, forKey: key)
        }
        self.init(
            clipDuration: try decode(.clipDuration),
            contentIdentifier: try container.decodeIfPresent(ContentIdentifier.self, forKey: .contentIdentifier),
            start: try decode(.start), end: try decode(.end), stillInClip: try decode(.stillInClip),
            stillTime: try container.duration(.stillTime), duration: try container.duration(.duration),
            frameCount: try container.whole(.frameCount, in: 1...AnswerLimits.frames),
            frameRate: try decode(.frameRate), clipFrameRate: try decode(.clipFrameRate),
            keepsMovie: try container.decodeIfPresent(Bool.self, forKey: .keepsMovie),
            isToneMapped: try decode(.isToneMapped), keepsHDR: try decode(.keepsHDR),
            hasGainMap: try decode(.hasGainMap), movieSize: try decode(.movieSize), photoSize: try decode(.photoSize),
            metadata: try decode(.metadata),
            captureDateSource: try container.decodeIfPresent(CaptureDateSource.self, forKey: .captureDateSource),
            stillCandidates: try container.array(.stillCandidates, count: 0...AnswerLimits.candidates),
            warnings: try container.decode(ShownLines.self, forKey: .warnings).lines,
            text: try container.text(.text, limit: AnswerLimits.text, isMultiline: true),
            filters: try container.text(.filters, limit: AnswerLimits.text))
    }
}

extension PlanSummary: CustomStringConvertible {
    /// The decisions as lines of `name: value`, then the warnings. Control characters are escaped.
    public var description: String { ([text] + warnings.map { "warning: \(printable($0))" }).joined(separator: "\n") }
}
