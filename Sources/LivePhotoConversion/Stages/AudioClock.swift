package import MediaModel

/// Gives decoded sound its presentation times: by counting samples, corrected where its time stamps consistently disagree.
///
/// Time stamps are wrong for a moment where a container's reader has to guess the durations of packets (Vorbis in Ogg, by
/// 10 ms), coarse in others (Matroska, 1 ms), or all alike (AAC in RealMedia). Following each of them would insert silence
/// and drop samples.
package struct AudioClock {
    /// The presentation time of the next sound if it follows without a gap; nil before the first.
    private var next: MediaTime?
    private var lastStamp: MediaTime?
    /// By how much the latest time stamps differ from the count, and when.
    private var errors: [(time: MediaTime, error: MediaTime)] = []

    /// A larger error is a gap or an overlap, and is followed at once.
    private let limit: MediaTime
    /// Whether the count is corrected by the median error of the latest time stamps.
    private let correctsDrift: Bool

    /// Smaller median errors are inaudible. (Below a tick of the time stamps no error can be measured.)
    private static let tolerance = MediaTime(value: 4, timescale: 1000)
    /// How long an error is remembered.
    private static let memory = MediaTime(value: 1, timescale: 4)
    private static let fewestErrors = 4

    /// - Parameter lags: whether all time stamps but the first are late by a frame or two.
    ///
    ///   Those of libavcodec's decoders of Windows Media Audio are. A frame that begins in one packet and ends in the next is
    ///   output with the next and gets its time. Of the first packet only the frames that begin in it are output.
    package init(lags: Bool = false) {
        limit = lags ? MediaTime(value: 1, timescale: 4) : MediaTime(value: 40, timescale: 1000)
        correctsDrift = !lags
    }

    /// The time of a piece of sound.
    ///
    /// - Parameters:
    ///   - stamp: its time stamp; nil where it has none.
    ///   - packet: the time of the packet that it came out with.
    /// - Returns: nil where its time is unknown.
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
        if Self.isAbove(limit, error) {
            errors = []
            return stamp
        }
        guard correctsDrift else { return next }
        errors.append((next, error))
        guard next - errors[0].time >= Self.memory else { return next }
        let median = errors.map(\.error).sorted()[errors.count / 2]
        let tick = MediaTime(value: 1, timescale: stamp.timescale)
        guard errors.count >= Self.fewestErrors, Self.isAbove(max(Self.tolerance, tick), median) else {
            errors.removeFirst()
            return next
        }
        errors = []
        return next + median
    }

    private static func isAbove(_ limit: MediaTime, _ error: MediaTime) -> Bool {
        error > limit || .zero - error > limit
    }
}
