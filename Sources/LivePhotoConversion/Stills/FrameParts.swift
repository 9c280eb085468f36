import LivePhotoRequests
import MediaModel

/// The parts of a frame's score that its picture and its neighbours decide, each from 0 to 1.
///
/// Each part is a measure in relation to the best of all frames, raised to a power. The powers are eighths, so that square
/// roots, which are exact, are enough. Documentation/Still.md says how they were chosen.
struct FrameParts {
    let contrast: Double
    let sharpness: Double
    let steadiness: Double
    let exposure: Double
    let cleanness: Double
    let continuity: Double

    /// - Parameters:
    ///   - samples: in the order of their times.
    ///   - prefersCalm: whether motion counts more than otherwise.
    static func parts(of samples: [StillScoring.Sample], prefersCalm: Bool) -> [FrameParts] {
        let comparison = FrameComparison(samples, prefersCalm: prefersCalm)
        let own = samples.indices.map { comparison.parts($0) }
        // A frame counts 50 % and its neighbours 25 % each: a single good frame is usually an error of measurement.
        return own.indices.map { index in
            let before = index > 0 && !samples[index].startsRun ? own[index - 1] : own[index]
            let after = index + 1 < own.count && !samples[index + 1].startsRun ? own[index + 1] : own[index]
            return own[index].mean(with: before.mean(with: after))
        }
    }

    func score(position: Double) -> StillScore {
        func thousandths(_ value: Double) -> Int { Int((value * 1000).rounded()) }
        let total = contrast * sharpness * steadiness * exposure * cleanness * continuity * position
        return StillScore(
            total: thousandths(total), contrast: thousandths(contrast), sharpness: thousandths(sharpness),
            steadiness: thousandths(steadiness), exposure: thousandths(exposure), cleanness: thousandths(cleanness),
            continuity: thousandths(continuity), position: thousandths(position))
    }

    /// The geometric mean, but for steadiness, in which the neighbours are counted already.
    private func mean(with other: FrameParts) -> FrameParts {
        func mean(_ part: KeyPath<FrameParts, Double>) -> Double {
            (self[keyPath: part] * other[keyPath: part]).squareRoot()
        }
        return FrameParts(
            contrast: mean(\.contrast), sharpness: mean(\.sharpness), steadiness: steadiness,
            exposure: mean(\.exposure), cleanness: mean(\.cleanness), continuity: mean(\.continuity))
    }
}
