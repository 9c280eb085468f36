/// Estimates how long work still takes, from the fraction that is done.
///
/// The estimated end follows new estimates slowly, so that the remaining time counts down instead of jumping. Only an
/// estimate that is far off is replaced at once.
package struct RemainingTime: Sendable {
    private let start: ContinuousClock.Instant
    /// The estimated end, and when it was estimated.
    private var latest: (end: ContinuousClock.Instant, time: ContinuousClock.Instant)?

    /// Before this, start-up makes the estimate useless.
    private static let shortest = Duration.seconds(1)
    private static let smallestFraction = 0.05
    /// The minimum time in which a new estimate replaces the former one; at least a third of the remaining time.
    private static let inertia = Duration.seconds(2)
    /// How far off an estimate has to be; at least half of the remaining time.
    private static let largeError = Duration.seconds(5)

    package init(start: ContinuousClock.Instant = .now) {
        self.start = start
    }

    /// - Parameter fraction: from 0 to 1.
    /// - Returns: whole seconds, at least 1; nil while it is unknown, and when all is done.
    package mutating func seconds(after fraction: Double, at now: ContinuousClock.Instant = .now) -> Int? {
        let elapsed = now - start
        guard elapsed >= Self.shortest, fraction >= Self.smallestFraction, fraction < 1 else { return nil }
        var end = start + elapsed / fraction
        if let latest, isNear(end, latest.end, now) {
            let inertia = max(Self.inertia, (latest.end - now) / 3)
            let weight = min((now - latest.time) / inertia, 1)
            end = latest.end + (end - latest.end) * weight
        }
        latest = (end, now)
        return max(Int(min(((end - now) / .seconds(1)).rounded(.up), 1e9)), 1)
    }

    private func isNear(
        _ end: ContinuousClock.Instant, _ former: ContinuousClock.Instant, _ now: ContinuousClock.Instant
    ) -> Bool {
        let limit = max(Self.largeError, (former - now) / 2)
        return (former - limit...former + limit).contains(end)
    }
}
