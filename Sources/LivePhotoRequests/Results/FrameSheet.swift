public import LivePhotoKit
import MediaModel

/// The frames of a clip that a sheet shows, and the best still.
public struct FrameSheet: Sendable, Hashable, Codable {
    /// A frame of the clip.
    public struct Picture: Sendable, Hashable, Codable {
        /// Its presentation time in the clip.
        public let time: MediaTime
        /// The shortest time that selects exactly this frame: `1.47`, for `--still`.
        public let still: String
        /// Its number in presentation order, from 0; nil for clips of more than a minute, whose frames are not counted.
        public let frame: Int?
        /// How well it serves as the key photo.
        public package(set) var score: StillScore?
        /// Whether it is the best still.
        public let isSuggested: Bool
        /// Whether it is in the movie that is made with the best still.
        public let isInWindow: Bool
        /// The size of its picture in bytes, if the pictures follow one another in a file; otherwise 0.
        package var bytes = 0

        package init(
            time: MediaTime, still: String, frame: Int?, score: StillScore?, isSuggested: Bool, isInWindow: Bool
        ) {
            (self.time, self.still, self.frame, self.score) = (time, still, frame, score)
            (self.isSuggested, self.isInWindow) = (isSuggested, isInWindow)
        }

        /// - Throws: `DecodingError` for numbers and texts that no frame can have.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            time = try container.decode(MediaTime.self, forKey: .time)
            still = try container.stillTime(.still)
            frame = try container.optional(.frame) { try $0.whole($1, in: 0...AnswerLimits.frames) }
            score = try container.decodeIfPresent(StillScore.self, forKey: .score)
            isSuggested = try container.decode(Bool.self, forKey: .isSuggested)
            isInWindow = try container.decode(Bool.self, forKey: .isInWindow)
            bytes = try container.decode(FileSize.self, forKey: .bytes).bytes
        }
    }

    /// The most pictures of a sheet.
    static let mostPictures = 600
    /// The most frames that are compared.
    static let mostCandidates = 1000

    /// In the order of the sheet.
    public package(set) var pictures: [Picture]
    /// The time at which the clip's picture ends.
    public let clipDuration: MediaTime
    /// Where the movie that is made with the best still starts and ends in the clip.
    public let windowStart: MediaTime
    /// The end of that movie in the clip.
    public let windowEnd: MediaTime
    /// The best still, as `--still` takes it.
    public let suggestedStill: String
    /// All frames that were compared to find the best still, in the order of their times. Empty for a sheet of the frames around a
    /// time, which are all in `pictures`.
    public let candidates: [StillCandidate]
    /// The size of the sheet, or of a picture for a page; nil without a sheet.
    public package(set) var size: PixelSize?
    /// Whether the clip has a track of sound.
    public let hasSound: Bool
    /// Each one sentence.
    public let warnings: [String]

    package init(
        pictures: [Picture], clipDuration: MediaTime, windowStart: MediaTime, windowEnd: MediaTime,
        suggestedStill: String, candidates: [StillCandidate], size: PixelSize?, hasSound: Bool,
        warnings: [String]
    ) {
        (self.pictures, self.clipDuration, self.size, self.warnings) = (pictures, clipDuration, size, warnings)
        (self.windowStart, self.windowEnd, self.suggestedStill) = (windowStart, windowEnd, suggestedStill)
        (self.candidates, self.hasSound) = (candidates, hasSound)
    }

    /// - Throws: `DecodingError` for numbers and texts that no sheet can have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pictures: try container.array(.pictures, count: 1...Self.mostPictures),
            clipDuration: try container.decode(MediaTime.self, forKey: .clipDuration),
            windowStart: try container.decode(MediaTime.self, forKey: .windowStart),
            windowEnd: try container.decode(MediaTime.self, forKey: .windowEnd),
            suggestedStill: try container.stillTime(.suggestedStill),
            candidates: try container.array(.candidates, count: 0...Self.mostCandidates),
            size: try container.decodeIfPresent(PixelSize.self, forKey: .size),
            hasSound: try container.decode(Bool.self, forKey: .hasSound),
            warnings: try container.decode(ShownLines.self, forKey: .warnings).lines)
    }
}
