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
    let place: StillPlace

    /// - Parameters:
    ///   - samples: in the order of their times.
    ///   - prefersCalm: whether motion counts more than otherwise, as for the lock screen.
    package init(_ samples: [Sample], in place: StillPlace, prefersCalm: Bool = false) {
        self.place = place
        candidates = zip(samples, FrameParts.parts(of: samples, prefersCalm: prefersCalm)).map { sample, parts in
            StillCandidate(time: sample.time, score: parts.score(position: Self.position(sample.time, place)))
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
    ///
    /// - Parameter start: earlier frames are left out, unless there are no others.
    package func suggestions(_ count: Int, from start: MediaTime = .zero) -> [StillCandidate] {
        let length = (place.end - place.start).seconds
        return best(
            count, from: start, spacing: MediaTime(seconds: min(length * Self.spacing, 1), timescale: 600))
    }

    /// The best frames at different moments, from the best one on.
    ///
    /// - Parameters:
    ///   - start: earlier frames are left out, unless there are no others.
    ///   - spacing: the shortest time between two of them.
    package func best(
        _ count: Int, from start: MediaTime = .zero, spacing: MediaTime
    ) -> [StillCandidate] {
        var rest = candidates.filter { $0.time >= start }
        if rest.isEmpty { rest = candidates }
        var chosen: [StillCandidate] = []
        while chosen.count < count, let next = choice(among: rest) {
            chosen.append(next)
            rest.removeAll { ($0.time - next.time).magnitude < spacing || $0 == next }
        }
        return chosen
    }

    /// Each part of the window that is missing costs up to 30 %, and the way from the middle to an end 5 %.
    private static func position(_ time: MediaTime, _ place: StillPlace) -> Double {
        let wanted = place.length.seconds
        let (before, after) = ((time - place.start).seconds, (place.end - time).seconds)
        let missing = max(place.before.seconds - before, 0) + max(place.after.seconds - after, 0)
        let share = wanted > 0 ? min(missing / wanted, 1) : 0
        let length = (place.end - place.start).seconds
        let way = length > 0 ? min(abs(2 * before / length - 1), 1) : 0
        return (1 - 0.3 * share) * (1 - 0.05 * way)
    }
}
