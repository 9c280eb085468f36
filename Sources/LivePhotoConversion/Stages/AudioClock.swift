package import MediaModel

/// Computes the presentation times of decoded sound by counting samples, corrected if its time stamps consistently
/// differ.
///
/// Time stamps can be wrong temporarily because a demuxer guesses the durations of packets (Vorbis in Ogg, by 10 ms),
/// coarse (Matroska, 1 ms), or all equal (AAC in RealMedia). Following each of them would insert silence and drop
/// samples.
package struct AudioClock {
    /// The presentation time of the next frame if it follows without a gap; nil before the first.
    private var next: MediaTime?
    private var lastStamp: MediaTime?
    /// The latest differences between time stamps and the count.
    private var errors: [(time: MediaTime, error: MediaTime)] = []

    /// A larger error is a gap or an overlap, which is followed immediately.
    private let limit: MediaTime
    /// Whether the count is corrected by the median error of the latest time stamps.
    private let correctsDrift: Bool

    /// Smaller median errors are inaudible. (Errors below a tick of the time stamps cannot be measured.)
    private static let tolerance = MediaTime(value: 4, timescale: 1000)
    /// How long an error is remembered.
    private static let memory = MediaTime(value: 1, timescale: 4)
    private static let fewestErrors = 4

    /// - Parameter lags: whether all time stamps but the first are late by a frame or two, as those of libavcodec's
    ///   Windows Media Audio decoders: a frame that begins in one packet and ends in the next is output with the next
    ///   and gets its time.
    package init(lags: Bool = false) {
        limit = lags ? MediaTime(value: 1, timescale: 4) : MediaTime(value: 40, timescale: 1000)
        correctsDrift = !lags
    }

    /// The presentation time of a frame of sound; nil if unknown.
    ///
    /// - Parameters:
    ///   - stamp: its time stamp.
    ///   - packet: the time of the packet with which it was output.
    package mutating func place(
        _ stamp: MediaTime?, of packet: MediaTime? = nil, lasting duration: MediaTime
    ) -> MediaTime? {
        guard let time = chosen(stamp) ?? packet else { return nil }
        next = time + duration
        return time
    }

    private mutating func chosen(_ stamp: MediaTime?) -> MediaTime? {
        defer { lastStamp = stamp ?? lastStamp }
        guard let stamp, let next, stamp != lastStamp else { return next ?? stamp }
        let error = stamp - next
        if error.magnitude > limit {
            errors = []
            return stamp
        }
        guard correctsDrift else { return next }
        errors.append((next, error))
        guard next - errors[0].time >= Self.memory else { return next }
        let median = errors.map(\.error).sorted()[errors.count / 2]
        let tick = MediaTime(value: 1, timescale: stamp.timescale)
        guard errors.count >= Self.fewestErrors, median.magnitude > max(Self.tolerance, tick) else {
            errors.removeFirst()
            return next
        }
        errors = []
        return next + median
    }
}
