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
    private let leastGrain: Double
    private let leastWhite: Double
    private let leastPlain: Double

    /// The standard deviation of luma below which a picture shows nothing.
    private static let leastDeviation = 8.0
    /// How near a cut a frame is avoided.
    private static let cutMargin = MediaTime(value: 1, timescale: 4)

    private let steadinessEighths: Int

    /// - Parameter prefersCalm: whether motion counts more than otherwise, as the lock screen is reported to judge it.
    init(_ samples: [StillScoring.Sample], prefersCalm: Bool) {
        // As much as sharpness and noise, or little, because a sharp frame of a moving scene is a good photo.
        steadinessEighths = prefersCalm ? 12 : 2
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
        leastGrain = least(\.grain)
        leastPlain = least(\.plain)
        // What is white in each frame that shows much belongs to the scene; in a dark or blurred one, it may be missing.
        let muchContrast = mostContrast / 3
        leastWhite = candidates.filter { $0.contrast >= muchContrast }.map(\.white).min() ?? 0
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

    /// The parts of a frame's score, by this frame alone.
    func parts(_ index: Int) -> FrameParts {
        let measures = samples[index].measures
        return FrameParts(
            contrast: Self.relation(measures.contrast, mostContrast, floor: 0.03),
            sharpness: Self.power(Self.relation(measures.edges, steepestEdges, floor: 0), eighths: 16),
            steadiness: steadiness(index),
            exposure: Self.power(Self.relation(leastWhite, measures.white, floor: 0.015), eighths: 2),
            cleanness: Self.power(Self.relation(leastNoise, measures.noise, floor: 5), eighths: 16)
                * Self.power(Self.relation(leastGrain, measures.grain, floor: 0.03), eighths: 3),
            continuity: continuity(index))
    }

    private func steadiness(_ index: Int) -> Double {
        // What moves in front of the camera only shows in the pictures.
        let recorded = samples[index].recordedBlur.map { Self.decay($0 - leastRecordedBlur, half: Self.halfBlur) }
        return Self.power(Self.decay(motions[index] - leastMotion, half: 2), eighths: steadinessEighths)
            * (recorded ?? 1)
    }

    /// In pixels of a picture of 1920 pixels.
    private static let halfBlur = 0.7

    private func continuity(_ index: Int) -> Double {
        // Titles and blocks of a damaged picture are plain where others are not.
        var value = Self.power(Self.decay(samples[index].measures.plain - leastPlain, half: 0.015), eighths: 2)
        if !usable[index] { value *= 0.001 }
        if cuts.contains(where: { (samples[index].time - $0).magnitude < Self.cutMargin }) { value *= 0.9 }
        return value
    }

    /// One value in relation to a greater one, at most 1.
    ///
    /// - Parameter floor: added to both, so that values that are much less than it hardly differ.
    private static func relation(_ less: Double, _ greater: Double, floor: Double) -> Double {
        greater + floor > 0 ? min((less + floor) / (greater + floor), 1) : 1
    }

    /// 1 for nothing, a half for `half`, and ever less for more.
    private static func decay(_ value: Double, half: Double) -> Double { half / (half + max(value, 0)) }

    /// A power of a value from 0 to 1.
    private static func power(_ value: Double, eighths: Int) -> Double {
        let root = value.squareRoot().squareRoot().squareRoot()
        return (0..<eighths).reduce(1) { power, _ in power * root }
    }
}
