package import MediaModel

/// Compares how long the decoded sound of a part of the clip lasts with what the container states, to notice sound that is
/// lost without an error.
package struct SoundLength: Sendable {
    private let start: MediaTime
    private let end: MediaTime
    private var stated = MediaTime.zero
    private var decoded = MediaTime.zero
    /// The time of the last packet, if its container states no duration: it lasts until the next one, or as long as the
    /// packet before it where a pause follows.
    private var unfinished: MediaTime?
    /// Where the last packet ends, if its container states that.
    private var statedEnd: MediaTime?
    /// How far apart the last two packets were.
    private var spacing = MediaTime.zero

    /// A larger part of the stated length is a difference that the user should know of.
    private static let tolerance = 0.05
    /// Decoders and containers round, and the first packet after a seek may decode to less.
    private static let shortest = MediaTime(value: 1, timescale: 10)
    /// Some containers state durations in whole milliseconds, of which a packet may have few.
    private static let rounding = MediaTime(value: 1, timescale: 1000)
    /// Where packets are further apart, the clip has no sound between them.
    private static let longestPacket = MediaTime(value: 1, timescale: 1)

    /// - Parameters:
    ///   - start: the start of the part on the clip's clock.
    ///   - end: its end.
    package init(from start: MediaTime, to end: MediaTime) {
        (self.start, self.end) = (start, end)
    }

    /// - Parameters:
    ///   - time: the presentation time of a packet.
    ///   - duration: as its container states it; nil if it does not.
    package mutating func add(packetAt time: MediaTime, lasting duration: MediaTime?) {
        if let last = unfinished, time > last {
            if time - last <= Self.longestPacket { spacing = time - last }
            stated = stated + inside(last, last + spacing)
        }
        if let end = statedEnd, (time - end).magnitude <= Self.rounding {
            stated = stated + inside(end, time) - inside(time, end)
        }
        unfinished = duration == nil ? time : nil
        statedEnd = duration.map { time + $0 }
        if let duration { stated = stated + inside(time, time + duration) }
    }

    package mutating func add(soundAt time: MediaTime, lasting duration: MediaTime) {
        decoded = decoded + inside(time, time + duration)
    }

    private func inside(_ begin: MediaTime, _ end: MediaTime) -> MediaTime {
        max(min(end, self.end) - max(begin, start), .zero)
    }

    /// One sentence for the user; nil if the lengths agree.
    package var warning: String? {
        let difference = (decoded - stated).magnitude
        guard stated > .zero, difference > Self.shortest, difference.seconds > stated.seconds * Self.tolerance else {
            return nil
        }
        let (decoded, stated) = (decoded.rescaled(to: 1000), stated.rescaled(to: 1000))
        return decoded < stated
            ? "only \(decoded) of the clip's sound can be decoded, though its container states \(stated); the movie is "
                + "silent instead"
            : "the clip's sound lasts \(decoded), though its container states \(stated); it may not fit the pictures"
    }
}
