public import LivePhotoKit
import MediaModel

/// A frame of a clip that was considered as the key photo, with its score.
public struct StillCandidate: Sendable, Hashable, Codable {
    /// Its presentation time in the clip.
    public let time: MediaTime
    /// How well it serves as the key photo.
    public let score: StillScore

    package init(time: MediaTime, score: StillScore) {
        (self.time, self.score) = (time, score)
    }
}

extension StillCandidate: CustomStringConvertible {
    /// `4.2 s, 0.79: contrast 1, sharp 0.83, blur 1, exposure 0.98, noise 1, change 1, position 0.97`
    public var description: String { "\(time), \(score)" }
}

/// How well a frame serves as the key photo: the product of its parts. All are in thousandths; 1000 is the best of the frames
/// that were compared, or faultless.
public struct StillScore: Sendable, Hashable, Codable {
    /// The product of all parts.
    public let total: Int
    /// Detail in relation to brightness, mostly in the middle of the picture.
    public let contrast: Int
    /// How steep edges are.
    public let sharpness: Int
    /// How little the picture moves between this frame and its neighbours, and so blurs.
    public let steadiness: Int
    /// How little is clipped to white.
    public let exposure: Int
    /// How little noise there is.
    public let cleanness: Int
    /// Whether it is a picture of the scene: no cut, no title, no object in front of the lens, and not black.
    public let continuity: Int
    /// How much movie there is on both sides, and how near the middle it is.
    public let position: Int

    package init(
        total: Int, contrast: Int, sharpness: Int, steadiness: Int, exposure: Int, cleanness: Int, continuity: Int,
        position: Int
    ) {
        (self.total, self.contrast, self.sharpness, self.steadiness) = (total, contrast, sharpness, steadiness)
        (self.exposure, self.cleanness) = (exposure, cleanness)
        (self.continuity, self.position) = (continuity, position)
    }

    /// Reads the parts.
    ///
    /// - Throws: `DecodingError` unless all are from 0 to 1000.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func part(_ key: CodingKeys) throws -> Int { try container.whole(key, in: 0...1000) }
        self.init(
            total: try part(.total), contrast: try part(.contrast), sharpness: try part(.sharpness),
            steadiness: try part(.steadiness), exposure: try part(.exposure), cleanness: try part(.cleanness),
            continuity: try part(.continuity), position: try part(.position))
    }

    /// The parts with the names that users see.
    package var parts: [(name: String, value: Int)] {
        [
            ("contrast", contrast), ("sharp", sharpness), ("blur", steadiness), ("exposure", exposure),
            ("noise", cleanness), ("change", continuity), ("position", position),
        ]
    }
}

extension StillScore: CustomStringConvertible {
    /// `0.79: contrast 1, sharp 0.83, blur 1, exposure 0.98, noise 1, change 1, position 0.97`; 1 is best in all parts.
    public var description: String {
        func text(_ value: Int) -> String { decimalText(Int64((value + 5) / 10), places: 2) }
        return "\(text(total)): " + parts.map { "\($0.name) \(text($0.value))" }.joined(separator: ", ")
    }
}
