import Synchronization

/// When progress is reported: at most ten times a second, and at the end. Its callers make one call at a time.
package final class ProgressSchedule: Sendable {
    private static let interval = Duration.milliseconds(100)
    private let next = Mutex(ContinuousClock.now)
    private let deliver: @Sendable (ConversionProgress) -> Void

    package init(_ deliver: @escaping @Sendable (ConversionProgress) -> Void) {
        self.deliver = deliver
    }

    package func report(_ progress: ConversionProgress) {
        let now = ContinuousClock.now
        let isDue = next.withLock { next in
            guard now >= next || progress.frames == progress.totalFrames else { return false }
            next = now + Self.interval
            return true
        }
        if isDue { deliver(progress) }
    }
}
