public import LivePhotoKit
import MediaModel

/// How loud the sound of a movie is over time, for drawing a wave form.
public struct SoundLevels: Sendable, Hashable, Codable {
    /// How long each level lasts: 0.05 s, or a multiple of it in sound of more than ten minutes.
    public let interval: MediaTime
    /// From the start of the movie on, the largest amplitude of all channels in each interval, in thousandths of full scale:
    /// 0 to 1000. Empty without sound; shorter than the movie if its sound is.
    public let levels: [Int]

    /// The most levels.
    public static let mostLevels = 12_000
    /// The shortest interval.
    package static let shortest = MediaTime(value: 1, timescale: 20)
    private static let full = 1000

    package init(interval: MediaTime = shortest, levels: [Int]) {
        (self.interval, self.levels) = (interval, levels)
    }

    /// - Throws: `DecodingError` for numbers that no sound can have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        interval = try container.duration(.interval)
        levels = try container.array(.levels, count: 0...Self.mostLevels)
        guard interval >= Self.shortest, levels.allSatisfy({ 0...Self.full ~= $0 }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .levels, in: container, debugDescription: "not the levels of sound")
        }
    }
}
