import MediaModel

/// Measured frames in relation to each other.
struct FrameComparison {
    private let samples: [StillScoring.Sample]
    private let usable: [Bool]
    /// How far the picture moves in 1/30 s, in samples.
    private let motions: [Double]
    private let cuts: [MediaTime]
    private let mostContrast: Double
    private let steepestEdges: Double
    private let leastMotion: Double
    private let leastRecordedBlur: Double
    private let leastNoise: Double
    private let leastWhite: Double
    private let leastPlain: Double
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
        motions = samples.indices.map { Self.motion(samples, $0) }
        cuts = Self.cuts(samples)
        let candidates = zip(measures, usable).filter(\.1).map(\.0)
        func most(_ value: (FrameMeasures) -> Double) -> Double { candidates.map(value).max() ?? 0 }
        func least(_ value: (FrameMeasures) -> Double) -> Double { candidates.map(value).min() ?? 0 }
        mostContrast = most(\.contrast)
        steepestEdges = most(\.edges)
        leastMotion = zip(motions, usable).filter(\.1).map(\.0).min() ?? 0
        leastRecordedBlur = samples.compactMap(\.recordedBlur).min() ?? 0
        leastNoise = least(\.noise)
        leastPlain = least(\.plain)
        leastFlat = least(\.flat)
        // What is white in a frame that shows as much belongs to the scene; in a dark or blurred one, it may be missing.
        let mostShown = most(Self.shown)
        leastWhite = candidates.filter { Self.shown($0) * 1.3 >= mostShown }.map(\.white).min() ?? 0
    }

    /// Detail in relation to brightness above black, which an exposure does not change.
    private static func shown(_ measures: FrameMeasures) -> Double { measures.detail / max(measures.mean - 14, 1) }

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

    /// The parts of a frame's score, by this frame alone.
    func parts(_ index: Int) -> FrameParts {
        let measures = samples[index].measures
        func relation(_ value: Double, _ best: Double) -> Double { min((value + 0.001) / (best + 0.001), 1) }
        return FrameParts(
            contrast: Self.power(relation(measures.contrast, mostContrast), eighths: 6),
            sharpness: relation(measures.edges, steepestEdges),
            steadiness: steadiness(index),
            exposure: Self.power(Self.decay(measures.white - leastWhite, half: 0.015), eighths: 1),
            cleanness: Self.power(Self.decay(measures.noise - leastNoise, half: 1.5), eighths: 9),
            continuity: continuity(index))
    }

    private func steadiness(_ index: Int) -> Double {
        // What moves in front of the camera only shows in the pictures.
        let recorded = samples[index].recordedBlur.map { Self.decay($0 - leastRecordedBlur, half: Self.halfBlur) }
        return Self.power(Self.decay(motions[index] - leastMotion, half: 2), eighths: 2) * (recorded ?? 1)
    }

    /// In pixels of a picture of 1920 pixels.
    private static let halfBlur = 2.0

    private func continuity(_ index: Int) -> Double {
        // A title, an object in front of the lens and blocks of a damaged picture are plain where others are not.
        let measures = samples[index].measures
        var value = Self.power(Self.decay(measures.plain - leastPlain, half: 1), eighths: 12)
        value *= Self.power(Self.decay(measures.flat - leastFlat, half: 1.0 / 3), eighths: 4)
        if !usable[index] { value *= 0.001 }
        if cuts.contains(where: { (samples[index].time - $0).magnitude < Self.cutMargin }) { value *= 0.9 }
        return value
    }

    /// 1 for nothing, a half for `half`, and ever less for more.
    private static func decay(_ value: Double, half: Double) -> Double { half / (half + max(value, 0)) }

    /// A power of a value from 0 to 1.
    private static func power(_ value: Double, eighths: Int) -> Double {
        let root = value.squareRoot().squareRoot().squareRoot()
        return (0..<eighths).reduce(1) { power, _ in power * root }
    }
}
