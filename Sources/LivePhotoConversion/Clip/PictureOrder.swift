package import MediaModel

/// Decides which pictures belong to a clip, by their times in the order of the file, from a seek on.
package struct PictureOrder: Sendable {
    package enum Place: Sendable, Hashable {
        case shown
        /// It is decoded for other pictures, but not shown.
        case hidden
        /// The clip ends before it: another recording begins.
        case jump
    }

    private var latestDecodeTime: MediaTime?
    /// Pictures in a row whose times are too early.
    private var early = 0

    /// Pictures that are decoded after the first key frame, but shown before it, are closer to it.
    private static let longestLead = MediaTime(value: 1, timescale: 1)
    /// Single wrong time stamps are no jump.
    private static let fewestEarly = 3

    package init() {}

    /// - Parameters:
    ///   - time: the presentation time of the next picture on the clip's clock.
    ///   - decodeTime: nil if it is unknown.
    package mutating func place(of time: MediaTime, decodedAt decodeTime: MediaTime?) -> Place {
        guard time >= .zero - Self.longestLead else { return .jump }
        if let decodeTime {
            if let latest = latestDecodeTime, latest - decodeTime > Self.longestLead {
                early += 1
                return early < Self.fewestEarly ? .hidden : .jump
            }
            early = 0
            latestDecodeTime = max(latestDecodeTime ?? decodeTime, decodeTime)
        }
        return time < .zero ? .hidden : .shown
    }
}
