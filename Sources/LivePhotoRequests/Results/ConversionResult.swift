public import LivePhotoKit
import MediaModel

/// A Live Photo that was made, checked and published.
public struct ConversionResult: Sendable, Hashable {
    /// The files and their content identifier.
    public let livePhoto: LivePhoto
    /// The decisions that the conversion followed.
    public let plan: PlanSummary
    /// The size of both files in bytes.
    public let size: Int
    /// Warnings of the plan and of the conversion, each one sentence.
    public let warnings: [String]
    /// The file with the settings of an edit; nil if there is none.
    package let adjustments: FilePath?

    /// The path of the key photo.
    public var photo: FilePath { livePhoto.photo }
    /// The path of the paired video.
    public var movie: FilePath { livePhoto.movie }
}

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable, Codable {
    /// The number of encoded frames of the movie.
    public let frames: Int
    /// The number of frames that the movie will have.
    public let totalFrames: Int

    /// The part that is done, from 0 to 1.
    package var fraction: Double { Double(frames) / Double(max(totalFrames, 1)) }

    package init(frames: Int, totalFrames: Int) {
        (self.frames, self.totalFrames) = (frames, totalFrames)
    }

    /// - Throws: `DecodingError` for numbers that no conversion can have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        frames = try container.whole(.frames, in: 0...AnswerLimits.frames)
        totalFrames = try container.whole(.totalFrames, in: 0...AnswerLimits.frames)
    }
}
