/// The decode times of frames whose presentation order differs from their decode order.
///
/// They are independent of the encoder's time stamps: the i-th frame in decode order gets the i-th smallest presentation
/// time, which keeps the frame durations. Composition is delayed just enough that no frame is composed before it is
/// decoded.
package struct DecodeTimes: Equatable {
    /// In decode order, ticks: the difference to the next presentation time in order.
    package let durations: [UInt32]
    /// In decode order, ticks; none negative.
    package let compositionOffsets: [Int32]
    /// The delay of composition against presentation, in ticks: the media time at which the edit begins.
    package let delay: Int32

    /// Whether presentation order and decode order differ.
    package var isReordered: Bool { delay > 0 }

    /// - Parameters:
    ///   - presentation: times in decode order; the first is 0.
    ///   - duration: the end of the last frame in presentation order.
    package init(presentation: [Int32], duration: Int32) throws(MovieWriterError) {
        guard let first = presentation.first else { throw .noFrames }
        let shown = presentation.sorted()
        guard first == 0, shown.first == 0 else { throw .firstFrameNotAtZero }
        var durations: [UInt32] = []
        durations.reserveCapacity(shown.count)
        for (index, time) in shown.enumerated() {
            let isLast = index == shown.count - 1
            let end = isLast ? duration : shown[index + 1]
            guard end > time else {
                throw isLast ? .durationTooShort(MovieWriter.time(duration)) : .repeatedTime(MovieWriter.time(time))
            }
            durations.append(UInt32(end - time))
        }
        let delay = zip(shown, presentation).reduce(0) { max($0, $1.0 - $1.1) }
        self.durations = durations
        self.delay = delay
        // Times are at most 2³⁰, so that a sum of two fits.
        compositionOffsets = zip(presentation, shown).map { $0 + delay - $1 }
    }
}
