import Bytes
import MediaModel

/// The movie's timescale before and after an edit that makes a frame's time a whole number of ticks.
struct MovieClock: Sendable, Hashable {
    let old: Int32
    let new: Int32

    /// The finest timescale chosen to avoid rounding, with rounding errors below a microsecond.
    private static let finest: Int64 = 1_000_000

    /// A change from one timescale to another.
    init(old: Int32, new: Int32) {
        (self.old, self.new) = (max(old, 1), max(new, 1))
    }

    /// Keeps the clock if it can. Otherwise chooses a multiple of the old clock and the media's, so that nothing is
    /// rounded, or a multiple of the media's alone if that would be too fine.
    init(movie: Int32, media: Int32, isExact: Bool) {
        old = movie
        guard !isExact else {
            new = movie
            return
        }
        let divisor = Int64(greatestCommonDivisor(UInt64(movie), UInt64(media)))
        let common = Int64(movie) / divisor * Int64(media)
        new = common <= Self.finest ? Int32(common) : media * max(1, Int32(Self.finest) / media)
    }

    /// The nearest number of new ticks.
    func rescaled(_ ticks: UInt64) -> UInt64 {
        guard old != new else { return ticks }
        let numerator = Int128(ticks) * Int128(new)
        return UInt64(clamping: numerator.divided(by: Int128(old), .toNearestOrAwayFromZero))
    }

    func rescale(_ header: inout MovieHeaderBox) {
        guard old != new else { return }
        header.timescale = UInt32(new)
        header.duration = header.duration.map(rescaled)
        header.playbackTimes = header.playbackTimes.map { UInt32(clamping: rescaled(UInt64($0))) }
    }

    /// - Parameter track: the boxes in `trak`.
    func rescale(_ track: inout [OpaqueBox]) throws {
        guard old != new else { return }
        try track.edit([TrackHeaderBox.type]) {
            try $0.edit(as: TrackHeaderBox.self) { $0.duration = $0.duration.map(rescaled) }
        }
        try track.edit([EditBox.type, EditListBox.type]) {
            try $0.edit(as: EditListBox.self) { list in
                list.entries = list.entries.map { entry in
                    var entry = entry
                    entry.duration = rescaled(entry.duration)
                    return entry
                }
            }
        }
    }
}
