package import LivePhotoRequests
package import MediaModel

/// Scores frames as key photos, compared with each other.
package struct StillScoring: Sendable {
    /// A measured frame.
    package struct Sample: Sendable, Hashable {
        package let time: MediaTime
        package let measures: FrameMeasures
        /// Whether the frame before it was not measured.
        package let startsRun: Bool
        /// How far the camera moved while the frame was exposed, in pixels of a picture of 1920 pixels, if the camera
        /// recorded that.
        package let recordedBlur: Double?

        package init(time: MediaTime, measures: FrameMeasures, startsRun: Bool, recordedBlur: Double? = nil) {
            (self.time, self.measures, self.startsRun) = (time, measures, startsRun)
            self.recordedBlur = recordedBlur
        }
    }

    /// All frames with their scores, in the order of their times.
    package let candidates: [StillCandidate]
    private let place: StillPlace

    /// - Parameter samples: in the order of their times.
    package init(_ samples: [Sample], in place: StillPlace) {
        self.place = place
        let frames = Frames(samples)
        candidates = samples.indices.map { index in
            StillCandidate(
                time: samples[index].time,
                score: frames.score(index, position: Self.position(samples[index].time, place)))
        }
    }

    /// The best frame. Of frames that are nearly as good, it is the one nearest to the middle, which is the still without a
    /// choice; so differences in rounding do not decide. Nil without frames.
    package var best: StillCandidate? { choice(among: candidates) }

    private func choice(among candidates: [StillCandidate]) -> StillCandidate? {
        guard let highest = candidates.map(\.score.total).max() else { return nil }
        let equal = candidates.filter { $0.score.total * 100 >= highest * Self.nearlyAsGood }
        return equal.min { distance($0) < distance($1) }
    }

    /// In percent of the highest score.
    private static let nearlyAsGood = 98

    private func distance(_ candidate: StillCandidate) -> MediaTime { (candidate.time - place.middle).magnitude }

    /// The shortest time between two suggested frames: a second, or less in a short clip.
    private static let spacing = 0.08

    /// The best frames at different moments, from the best one on.
    package func suggestions(_ count: Int) -> [StillCandidate] {
        let length = (place.end - place.start).seconds
        return best(count, spacing: MediaTime(seconds: min(length * Self.spacing, 1), timescale: 600))
    }

    /// The best frames at different moments, from the best one on.
    ///
    /// - Parameter spacing: the shortest time between two of them.
    package func best(_ count: Int, spacing: MediaTime) -> [StillCandidate] {
        var rest = candidates
        var chosen: [StillCandidate] = []
        while chosen.count < count, let next = choice(among: rest) {
            chosen.append(next)
            rest.removeAll { ($0.time - next.time).magnitude < spacing || $0 == next }
        }
        return chosen
    }

    /// Each part of the window that is missing costs up to 30 %, and the way from the middle to an end 5 %.
    private static func position(_ time: MediaTime, _ place: StillPlace) -> Double {
        let wanted = (place.before + place.after).seconds
        let (before, after) = ((time - place.start).seconds, (place.end - time).seconds)
        let missing = max(place.before.seconds - before, 0) + max(place.after.seconds - after, 0)
        let share = wanted > 0 ? min(missing / wanted, 1) : 0
        let length = (place.end - place.start).seconds
        let way = length > 0 ? min(abs(2 * before / length - 1), 1) : 0
        return (1 - 0.3 * share) * (1 - 0.05 * way)
    }
}

/// Measured frames in relation to each other.
private struct Frames {
    private let samples: [StillScoring.Sample]
    private let usable: [Bool]
    /// Detail in relation to contrast, so that a frame of higher contrast is not taken for a sharper one only.
    private let details: [Double]
    /// How far the picture moves in 1/30 s, in samples.
    private let motions: [Double]
    private let cuts: [MediaTime]
    private let mostDetail: Double
    private let leastMotion: Double
    private let leastRecordedBlur: Double
    private let leastNoise: Double
    private let leastClipped: Double
    private let leastFlat: Double

    /// The standard deviation of luma below which a picture shows nothing.
    private static let leastDeviation = 8.0
    /// How near a cut a frame is avoided.
    private static let cutMargin = MediaTime(value: 1, timescale: 4)

    init(_ samples: [StillScoring.Sample]) {
        self.samples = samples
        let measures = samples.map(\.measures)
        var usable = measures.map { $0.deviation >= Self.leastDeviation }
        if !usable.contains(true) { usable = usable.map { _ in true } }
        self.usable = usable
        details = measures.map { $0.detail / max($0.deviation, Self.leastDeviation).squareRoot() }
        motions = samples.indices.map { Self.motion(samples, $0) }
        cuts = Self.cuts(samples)
        func extreme(_ values: [Double], _ better: (Double, Double) -> Bool) -> Double {
            zip(values, usable).filter(\.1).map(\.0).min(by: better) ?? 0
        }
        mostDetail = extreme(details, >)
        leastMotion = extreme(motions, <)
        leastRecordedBlur = samples.compactMap(\.recordedBlur).min() ?? 0
        leastNoise = extreme(measures.map(\.noise), <)
        leastClipped = extreme(measures.map(Self.clipped), <)
        leastFlat = extreme(measures.map(\.flat), <)
    }

    /// The difference from the frame before, and the time between them; nil if there is none.
    private static func change(_ samples: [StillScoring.Sample], _ index: Int) -> (value: Double, seconds: Double)? {
        guard index > 0, index < samples.count, !samples[index].startsRun, let change = samples[index].measures.change
        else { return nil }
        return (change, (samples[index].time - samples[index - 1].time).seconds)
    }

    /// Whether a difference is that of two scenes, given the usual difference there.
    private static func isCut(_ change: Double, usual: Double) -> Bool { change > 20 && change > 3 * usual }

    private static func motion(_ samples: [StillScoring.Sample], _ index: Int) -> Double {
        // A frame is exposed between its neighbours, one of which may be of another scene.
        let changes = [change(samples, index), change(samples, index + 1)].compactMap(\.self)
        guard let least = changes.map(\.value).min() else { return 0 }
        let near = changes.filter { !isCut($0.value, usual: least) }
        let count = Double(max(near.count, 1))
        let seconds = near.map(\.seconds).reduce(0, +) / count
        guard seconds > 0 else { return 0 }
        let measures = samples[index].measures
        let change = near.map(\.value).reduce(0, +) / count
        // The mean absolute difference of two samples of noise is 1.13 of its standard deviation; a part of it is motion.
        let difference = max(change - 0.8 * measures.noise, 0)
        return 2 * difference / (measures.slope + 1) / (30 * seconds)
    }

    private static func cuts(_ samples: [StillScoring.Sample]) -> [MediaTime] {
        let changes = samples.indices.map { change(samples, $0)?.value ?? 0 }
        return changes.indices.filter { index in
            let before = index > 0 ? changes[index - 1] : 0
            let after = index + 1 < changes.count ? changes[index + 1] : 0
            return isCut(changes[index], usual: max(before, after))
        }.map { samples[$0].time }
    }

    func score(_ index: Int, position: Double) -> StillScore {
        let sharpness = mostDetail > 0 ? min(details[index] / mostDetail, 1) : 1
        let parts = [
            sharpness, steadiness(index), exposure(index),
            Self.decay(samples[index].measures.noise - leastNoise, half: 1.5), continuity(index), position,
        ]
        func thousandths(_ value: Double) -> Int { Int((value * 1000).rounded()) }
        return StillScore(
            total: thousandths(parts.reduce(1, *)), sharpness: thousandths(parts[0]), steadiness: thousandths(parts[1]),
            exposure: thousandths(parts[2]), cleanness: thousandths(parts[3]), continuity: thousandths(parts[4]),
            position: thousandths(parts[5]))
    }

    /// 1 for nothing, a half for `half`, and ever less for more.
    private static func decay(_ value: Double, half: Double) -> Double { half / (half + max(value, 0)) }

    private func steadiness(_ index: Int) -> Double {
        // What moves in front of the camera only shows in the pictures.
        let recorded = samples[index].recordedBlur.map { Self.decay($0 - leastRecordedBlur, half: Self.halfBlur) }
        return Self.decay(motions[index] - leastMotion, half: 2) * (recorded ?? 1)
    }

    /// In pixels of a picture of 1920 pixels.
    private static let halfBlur = 2.0

    private func exposure(_ index: Int) -> Double {
        let measures = samples[index].measures
        // What is clipped in all frames belongs to the scene.
        return Self.decay(Self.clipped(measures) - leastClipped, half: 0.25) * Self.brightness(measures.mean)
    }

    /// The share that is clipped; black is seldom a loss.
    private static func clipped(_ measures: FrameMeasures) -> Double { measures.bright + 0.3 * measures.dark }

    /// How good a mean is, on the scale of video: best from a third to two thirds.
    private static func brightness(_ mean: Double) -> Double {
        let points: [(mean: Double, value: Double)] = [(16, 0.2), (40, 0.6), (80, 1), (160, 1), (200, 0.8), (235, 0.3)]
        guard let next = points.firstIndex(where: { mean < $0.mean }), next > 0 else {
            return mean < points[0].mean ? points[0].value : points[points.count - 1].value
        }
        let (low, high) = (points[next - 1], points[next])
        return low.value + (high.value - low.value) * (mean - low.mean) / (high.mean - low.mean)
    }

    private func continuity(_ index: Int) -> Double {
        let measures = samples[index].measures
        var value = Self.decay(measures.flat - leastFlat, half: 1.0 / 3)
        if !usable[index] { value *= 0.001 }
        if cuts.contains(where: { (samples[index].time - $0).magnitude < Self.cutMargin }) { value *= 0.75 }
        guard index > 0, index + 1 < samples.count, !samples[index].startsRun, !samples[index + 1].startsRun else {
            return value
        }
        let (previous, next) = (samples[index - 1], samples[index + 1])
        let (before, after) = (measures.mean - previous.measures.mean, measures.mean - next.measures.mean)
        // A flash differs from both neighbours, a fade goes on in one direction.
        if before * after > 0 { value *= Self.decay(min(abs(before), abs(after)), half: 8) }
        let seconds = (next.time - previous.time).seconds
        guard seconds > 0 else { return value }
        return value * Self.decay(abs(next.measures.mean - previous.measures.mean) / seconds - 30, half: 150)
    }
}
