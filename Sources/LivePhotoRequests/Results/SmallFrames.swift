public import LivePhotoKit
import MediaModel

/// All frames of a part of a clip, whose small pictures follow one another in a file as JPEGs.
public struct SmallFrames: Sendable, Hashable, Codable {
    /// A frame of the clip.
    public struct Frame: Sendable, Hashable, Codable {
        /// Its presentation time in the clip.
        public let time: MediaTime
        /// The shortest time that selects exactly this frame: `1.47`, for `--still`.
        public let still: String
        /// The size of its picture in bytes.
        public let bytes: Int

        package init(time: MediaTime, still: String, bytes: Int) {
            (self.time, self.still, self.bytes) = (time, still, bytes)
        }

        /// - Throws: `DecodingError` for numbers and texts that no frame can have.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            time = try container.decode(MediaTime.self, forKey: .time)
            still = try container.stillTime(.still)
            bytes = try container.whole(.bytes, in: 1...AnswerLimits.fileSize)
        }
    }

    /// The most frames of a part; a longer one is cut.
    public static let mostFrames = FrameSheet.mostPictures

    /// In presentation order; at least one.
    public let frames: [Frame]
    /// The size of each picture in pixels.
    public let size: PixelSize
    /// The time at which the clip's picture ends.
    public let clipDuration: MediaTime
    /// Where the part ends in the clip: where the last of `frames` is no longer shown, or earlier if that was requested. The
    /// frames from there on are the next part.
    public let end: MediaTime

    package init(frames: [Frame], size: PixelSize, clipDuration: MediaTime, end: MediaTime) {
        (self.frames, self.size, self.clipDuration, self.end) = (frames, size, clipDuration, end)
    }

    /// - Throws: `DecodingError` for numbers and texts that no frames can have, and for times that do not increase.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            frames: try container.array(.frames, count: 1...Self.mostFrames),
            size: try container.decode(PixelSize.self, forKey: .size),
            clipDuration: try container.duration(.clipDuration), end: try container.duration(.end))
        let times = frames.map(\.time) + [end]
        guard zip(times, times.dropFirst()).allSatisfy(<) else {
            throw DecodingError.dataCorruptedError(
                forKey: .frames, in: container, debugDescription: "times that do not increase")
        }
    }
}
