package import LivePhotoRequests
import MediaModel

/// The frames of the movie in the order in which it shows them, with their times: those of a schedule at some speed, perhaps
/// as a loop or a bounce.
package struct FrameSequence: Sendable, Hashable {
    /// A frame of the movie.
    package struct Item: Sendable, Hashable {
        /// Its index in the schedule.
        package let index: Int
        /// What is faded in over it; nil for nothing.
        package var fade: Fade?
        /// Its presentation time in the movie in ticks of 1/600 s; the first frame's is 0.
        package var ticks: Int64
        var time: MediaTime { MediaTime(value: ticks, timescale: FrameSchedule.timescale) }
    }

    /// A frame that is faded in over another one.
    package struct Fade: Sendable, Hashable {
        /// Its index in the schedule, below that of the frame below it.
        package let index: Int
        /// How much of it is seen, from 0 to 1.
        package let opacity: Double
    }

    /// Never empty. The indices in the schedule ascend up to `turn`, and descend from there on; a frame that is shown several
    /// times has as many items.
    package private(set) var items: [Item]
    /// The number of items whose frames ascend.
    package let turn: Int
    /// The index of the first item with the frame of the still time.
    package let stillIndex: Int
    /// How much later than that item the still time is, in ticks of 1/600 s: not 0 where a camera wrote it between two frames.
    package private(set) var stillOffset: Int64
    /// The movie's duration, including the last frame, in ticks of 1/600 s.
    package private(set) var durationTicks: Int64
    /// The still time in the movie.
    var stillTime: MediaTime {
        let ticks = items[stillIndex].ticks + stillOffset
        return MediaTime(value: min(max(ticks, 0), durationTicks - 1), timescale: FrameSchedule.timescale)
    }

    /// - Parameters:
    ///   - effect: a loop or a bounce.
    ///   - loop: the frames of a loop; nil for all.
    ///   - speed: nil for 1.
    ///   - rate: how many times a second a frame is shown, a longer one so many times more; nil to show each once.
    ///   - still: the still time in the clip, if it is not that of the key photo's frame.
    package init(
        _ schedule: FrameSchedule, effect: MotionEffect? = nil, loop: LoopPart? = nil, speed: PlaybackSpeed? = nil,
        repeatingAt rate: FrameRate? = nil, still exactStill: MediaTime? = nil
    ) {
        let entries = schedule.entries
        let durations = (entries.dropFirst().map(\.ticks) + [schedule.durationTicks]).enumerated().map {
            $0.element - entries[$0.offset].ticks
        }
        var frames: [(index: Int, fade: Fade?)] = entries.indices.map { ($0, nil) }
        var turn = frames.count
        switch effect {
        case .bounce:
            frames += entries.indices.dropFirst().dropLast().reversed().map { ($0, nil) }
        case .loop:
            let part = loop ?? LoopPart(frames: entries.count)
            frames = part.frames.map { ($0, part.fade(over: $0)) }
            turn = frames.count
        case .longExposure, nil: break
        }
        let still = schedule.stillIndex
        stillOffset =
            exactStill.map {
                ($0 - schedule.start).rescaled(to: FrameSchedule.timescale).value - entries[still].ticks
            } ?? 0
        let nearest =
            frames.indices.prefix(turn).min { abs(frames[$0].index - still) < abs(frames[$1].index - still) } ?? 0
        var ticks: Int64 = 0
        items = []
        items.reserveCapacity(frames.count)
        /// For each frame, its first item; then the number of all.
        var firsts: [Int] = []
        for frame in frames {
            firsts.append(items.count)
            let duration = durations[frame.index]
            let times = rate.map { max($0.frames(in: duration), 1) } ?? 1
            for number in 0..<times {
                items.append(Item(index: frame.index, fade: frame.fade, ticks: ticks + number * duration / times))
            }
            ticks += duration
        }
        firsts.append(items.count)
        (self.turn, stillIndex) = (firsts[turn], firsts[nearest])
        durationTicks = ticks
        if let speed { play(at: speed) }
    }

    /// Times are rounded one by one, so that errors do not add up.
    private mutating func play(at speed: PlaybackSpeed) {
        let percent = Int64(speed.percent)
        func scaled(_ ticks: Int64) -> Int64 { (ticks * 100 + percent / 2) / percent }
        for index in items.indices {
            let time = scaled(items[index].ticks)
            // Two frames never share a time.
            items[index].ticks = index == 0 ? 0 : max(time, items[index - 1].ticks + 1)
        }
        stillOffset = stillOffset * 100 / percent
        durationTicks = max(scaled(durationTicks), items[items.count - 1].ticks + 1)
    }
}

extension FrameRate {
    /// How many frames there are in a number of ticks, to the nearest.
    fileprivate func frames(in ticks: Int64) -> Int64 {
        let whole = Int64(denominator) * Int64(FrameSchedule.timescale)
        return (ticks * Int64(numerator) + whole / 2) / whole
    }
}

/// The frames of a schedule that are played again and again. At its end, the frames before it fade in, so that its first
/// frame follows its last as it follows the one before it in the clip.
package struct LoopPart: Sendable, Hashable {
    /// The indices of its frames in the schedule.
    package let frames: Range<Int>
    /// How many frames at the end fade into those before the start: at most half of `frames`, and no more than are there.
    package let fadeLength: Int

    /// The longest crossfade: frames that are kept in memory.
    static let longestFade = 15

    /// - Parameter fadeLength: is shortened where it does not fit.
    package init(_ frames: Range<Int>, fadeLength: Int) {
        self.frames = frames
        self.fadeLength = max(min(fadeLength, frames.lowerBound, frames.count / 2, Self.longestFade), 0)
    }

    /// All of `count` frames, of which the first are only seen as they fade in.
    package init(frames count: Int) {
        let length = min(count / 4, Self.longestFade)
        self.init(length..<count, fadeLength: length)
    }

    /// What is faded in over a frame; nil for nothing.
    func fade(over index: Int) -> FrameSequence.Fade? {
        let position = index - (frames.upperBound - fadeLength)
        guard position >= 0 else { return nil }
        return FrameSequence.Fade(
            index: frames.lowerBound - fadeLength + position, opacity: Double(position + 1) / Double(fadeLength + 1))
    }
}
