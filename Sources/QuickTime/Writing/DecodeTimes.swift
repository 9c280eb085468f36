/// The decode times of frames that are shown in another order than they are decoded in.
///
/// They do not depend on the encoder's own: the i-th frame to be decoded is decoded at the i-th of the presentation
/// times in order, so that frame durations stay what they are. Composition is then delayed by the least that lets no
/// frame be composed before it is decoded.
package struct DecodeTimes: Equatable {
    /// In decode order, ticks: the difference to the next presentation time in order.
    package let durations: [UInt32]
    /// In decode order, ticks; none negative.
    package let compositionOffsets: [Int32]
    /// By how many ticks composition is later than presentation: the media time at which the edit begins.
    package let delay: Int32

    /// Whether some frame is shown in another order than decoded.
    package var isReordered: Bool { delay > 0 }

    /// - Parameters:
    ///   - presentation: times in decode order; the first is 0.
    ///   - duration: the end of the frame that is shown last.
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
