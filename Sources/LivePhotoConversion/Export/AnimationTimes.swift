package import MediaModel

/// The times of an animation's frames on the clock of its format.
///
/// Each time is rounded by itself, so that errors do not add up. A frame that would be shown too briefly is left out, and
/// the one before it is shown longer.
package struct AnimationTimes: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// Of the frame in the movie.
        package let index: Int
        /// In ticks.
        package let time: Int64
        /// In ticks.
        package internal(set) var duration: Int64
    }

    package private(set) var entries: [Entry] = []
    /// Ticks a second.
    package let timescale: Int32

    /// - Parameter shortest: the shortest duration of a frame in ticks; at least 1.
    package init(_ frames: FrameSequence, timescale: Int32, shortest: Int64) {
        self.timescale = timescale
        func ticks(_ time: MediaTime) -> Int64 { time.rescaled(to: timescale).value }
        for (index, entry) in frames.items.enumerated() {
            let time = ticks(entry.time)
            if let last = entries.last {
                guard time - last.time >= shortest else { continue }
                entries[entries.count - 1].duration = time - last.time
            }
            entries.append(Entry(index: index, time: time, duration: shortest))
        }
        let end = ticks(MediaTime(value: frames.durationTicks, timescale: FrameSchedule.timescale))
        if let last = entries.last, entries.count > 1, end - last.time < shortest { entries.removeLast() }
        guard let last = entries.last else { return }
        entries[entries.count - 1].duration = max(end - last.time, shortest)
    }

    package var duration: MediaTime {
        MediaTime(value: entries.last.map { $0.time + $0.duration } ?? 0, timescale: timescale)
    }
}
