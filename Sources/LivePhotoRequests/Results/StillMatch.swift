public import LivePhotoKit

/// The frame of a movie that is most similar to a photo.
public struct StillMatch: Sendable, Hashable, Codable {
    /// The frame's presentation time on the movie's timeline.
    public let stillTime: MediaTime
    /// The structural similarity of the two, 1 for equal pictures.
    public let similarity: Double

    package init(stillTime: MediaTime, similarity: Double) {
        (self.stillTime, self.similarity) = (stillTime, Similarity(similarity).value)
    }

    /// - Throws: `DecodingError` for a negative time, and a similarity outside of -1…1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        stillTime = try container.duration(.stillTime)
        similarity = try container.decode(Similarity.self, forKey: .similarity).value
    }

    /// The minimum similarity of a match. A pair of an iPhone whose movie is cropped differently from its photo reaches
    /// 0.51; unrelated pictures reach up to 0.09.
    public static let certainty = 0.4
}
