package import Bytes
package import FFmpegKit
import LivePhotoKit
import MediaModel

/// Decodes a clip once for several movies that are near each other. Each conversion runs on a thread of its own: it joins with
/// its plan, waits until all have joined, and takes its frames from its feed.
///
/// The frames are those that each conversion would decode by itself, so its files have the same bytes. Where that is not
/// certain, as in a damaged clip, there is no feed, or it ends early, and the conversion decodes alone.
package final class SharedDecoding: Sendable {
    private let joined: BoundedQueue<(member: Int, plan: ConversionPlan?)>
    private let answers: [BoundedQueue<FrameFeed?>]

    /// - Parameter members: the number of conversions. Each has to use its `Member`.
    package init(members: Int) {
        joined = BoundedQueue(capacity: members)
        answers = (0..<members).map { _ in BoundedQueue(capacity: 1) }
    }

    /// A conversion of those that share the decoding, used by its own thread.
    package final class Member {
        private let decoding: SharedDecoding
        private let index: Int
        private var hasJoined = false
        private var feed: FrameFeed?

        package init(_ index: Int, of decoding: SharedDecoding) { (self.index, self.decoding) = (index, decoding) }

        /// Waits until all other conversions have joined or left.
        ///
        /// - Returns: where to take the frames from; nil to decode them alone, always from the second attempt on.
        package func join(_ plan: ConversionPlan) -> FrameFeed? {
            if hasJoined { return nil }
            hasJoined = true
            _ = decoding.joined.put((index, plan))
            feed = decoding.answers[index].take() ?? nil
            return feed
        }

        /// Has to be called at the end, so that nobody waits for this conversion.
        package func leave() {
            if !hasJoined { _ = decoding.joined.put((index, nil)) }
            feed?.close()
        }
    }

    /// Waits for all plans, and decodes the clip on this thread.
    ///
    /// - Parameter onPlans: called before the first frame is decoded.
    package func run(_ clip: InputFile, _ cancellation: CancellationFlag, onPlans: ([ConversionPlan]) -> Void) {
        var plans = [ConversionPlan?](repeating: nil, count: answers.count)
        for _ in answers {
            if let (member, plan) = joined.take() { plans[member] = plan }
        }
        onPlans(plans.compactMap(\.self))
        let isShareable = plans.map { $0?.decoding.isShareable == true }
        let isShared = isShareable.count { $0 } > 1
        let feeds = isShareable.map { isShared && $0 ? FrameFeed() : nil }
        for (answer, feed) in zip(answers, feeds) { _ = answer.put(feed) }
        defer { for feed in feeds { feed?.close() } }
        let consumers = zip(plans, feeds).compactMap { plan, feed in
            plan.flatMap { plan in feed.map { (plan.decoding, $0) } }
        }
        // An error ends the feeds early. A conversion that then decodes alone finds the error if it concerns its movie.
        if isShared { try? Self.decode(clip, for: consumers, cancellation) }
    }

    private static func decode(
        _ clip: InputFile, for consumers: [(plan: DecodingPlan, feed: FrameFeed)], _ cancellation: CancellationFlag
    ) throws {
        let reader = try ClipReader(clip, cancellation)
        let schedules = consumers.map { consumer in
            Dictionary(
                consumer.plan.schedule.entries.enumerated().map { ($1.source, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let times = Set(schedules.flatMap(\.keys)).sorted()
        let entries = consumers.map(\.plan.clip.entry).sorted { $0.keyFrame ?? .zero < $1.keyFrame ?? .zero }
        _ = try reader.decodeFrames(
            at: times, from: entries.contains(.clipStart) ? .clipStart : entries[0],
            threads: min(consumers.reduce(0) { $0 + $1.plan.decodingThreads }, Decoder.defaultThreads)
        ) { frame, index in
            // Another frame than the scheduled one did not decode.
            guard reader.damage == nil, reader.clipTime(frame.presentationTime) == times[index] else {
                throw FrameFeed.EndedEarly()
            }
            for (consumer, schedule) in zip(consumers, schedules) {
                if let place = schedule[times[index]] { consumer.feed.put(frame, at: place) }
            }
        }
    }
}

/// The frames of a schedule, decoded on another thread.
package final class FrameFeed: Sendable {
    /// The frames cannot be had from here: the conversion has to decode them itself.
    struct EndedEarly: Error {}

    private let queue = BoundedQueue<(frame: Frame, index: Int)>(capacity: 1)

    /// Waits until the conversion has taken the last frame. Does nothing if it needs no more.
    fileprivate func put(_ frame: Frame, at index: Int) { _ = queue.put((frame, index)) }

    fileprivate func close() { queue.close() }

    /// Takes frames.
    ///
    /// - Parameters:
    ///   - range: the indices of the needed ones in the schedule.
    ///   - body: called with each frame and its index.
    /// - Throws: `EndedEarly`; errors of `body`.
    package func read(_ range: Range<Int>, _ body: (_ frame: Frame, _ index: Int) throws -> Void) throws {
        defer { queue.close() }
        while let (frame, index) = queue.take() {
            if range.contains(index) { try body(frame, index) }
            if index == range.upperBound - 1 { return }
        }
        throw EndedEarly()
    }
}

extension DecodingPlan {
    /// Whether each frame is the same wherever decoding starts. Deinterlacing needs the picture before.
    fileprivate var isShareable: Bool {
        clip.damage == nil && clip.hasPacketTimes && !picture.isInterlaced
    }
}
