import FFmpegKit
import LivePhotoRequests
package import MediaModel

/// Collects the largest amplitudes of sound in intervals of equal length, which become longer if there are too many.
package struct LevelMeter {
    private var peaks: [Float] = []
    /// How many of the shortest intervals an interval consists of; a power of 2.
    private var multiple: Int64 = 1

    /// Times that are further from zero are wrong: more than a hundred days.
    private static let longest = MediaTime(value: 10_000_000, timescale: 1)

    package init() {}

    package var levels: SoundLevels {
        SoundLevels(
            interval: MediaTime(
                value: SoundLevels.shortest.value * multiple, timescale: SoundLevels.shortest.timescale),
            levels: peaks.map { Int((min($0, 1) * 1000).rounded()) })
    }

    /// Adds decoded sound.
    ///
    /// - Parameter time: when it begins; what is before zero is left out.
    mutating func add(_ sound: Frame, at time: MediaTime) {
        add(count: sound.sampleCount, rate: sound.sampleRate, at: time) { sound.peak(of: $0) }
    }

    /// - Parameters:
    ///   - count: the number of samples of each channel.
    ///   - rate: samples a second.
    ///   - peak: the largest magnitude of a range of samples; 1 is full scale.
    package mutating func add(count: Int, rate: Int, at time: MediaTime, peak: (Range<Int>) -> Float) {
        guard let rate = Int32(exactly: rate), rate > 0, time.magnitude < Self.longest else { return }
        let first = time.rescaled(to: rate).value
        var sample = max(0, -first)
        while sample < count {
            let place = interval(of: first + sample, rate)
            if place >= SoundLevels.mostLevels {
                lengthen()
                continue
            }
            // The first sample of the next interval, rounded up.
            let (length, scale) = (Int64(rate) * multiple, Int64(SoundLevels.shortest.timescale))
            let end = min(((Int64(place) + 1) * length + scale - 1) / scale - first, Int64(count))
            while peaks.count <= place { peaks.append(0) }
            peaks[place] = max(peaks[place], peak(Int(sample)..<Int(end)))
            sample = end
        }
    }

    private func interval(of sample: Int64, _ rate: Int32) -> Int {
        Int(sample * Int64(SoundLevels.shortest.timescale) / (Int64(rate) * multiple))
    }

    private mutating func lengthen() {
        peaks = stride(from: 0, to: peaks.count, by: 2).map { max(peaks[$0], $0 + 1 < peaks.count ? peaks[$0 + 1] : 0) }
        multiple *= 2
    }
}
