public import LivePhotoKit

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
    }

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
    /// The size of the sheet, or of a picture for a page; nil without a sheet.
    public package(set) var size: PixelSize?
    /// Each one sentence.
    public let warnings: [String]

    package init(
        pictures: [Picture], clipDuration: MediaTime, windowStart: MediaTime, windowEnd: MediaTime,
        suggestedStill: String, size: PixelSize?, warnings: [String]
    ) {
        (self.pictures, self.clipDuration, self.size, self.warnings) = (pictures, clipDuration, size, warnings)
        (self.windowStart, self.windowEnd, self.suggestedStill) = (windowStart, windowEnd, suggestedStill)
    }
}
