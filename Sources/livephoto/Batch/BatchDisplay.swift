import LivePhotoBatch
import MediaModel
import Synchronization

/// Shows the progress and errors of a batch on stderr.
final class BatchDisplay: Sendable {
    private let options: ProgressOptions
    private let display: ProgressDisplay
    private let start = ContinuousClock.now
    private let shown = Mutex(Shown())

    private struct Shown {
        var ended = 0
        var time = ContinuousClock.now - interval
    }

    /// Minimum time between two updates, except for the last one.
    private static let interval = Duration.milliseconds(200)

    init(_ options: ProgressOptions) {
        self.options = options
        display = ProgressDisplay("batch", options.form)
    }

    func show(_ progress: BatchProgress) {
        let ended = progress.done + progress.failed
        let (isNew, isDue) = shown.withLock { shown in
            let now = ContinuousClock.now
            let isNew = ended > shown.ended
            let isDue = ended == progress.total || now - shown.time >= Self.interval
            shown = Shown(ended: ended, time: isDue ? now : shown.time)
            return (isNew, isDue)
        }
        if isNew, let latest = progress.latest, latest.status == .failed {
            Terminal.say(
                "error: \(latest.id): \(latest.error ?? "failed")", code: latest.code, file: latest.errorFile)
        }
        guard isDue else { return }
        // Pairs of earlier runs took no time.
        let new = progress.total - progress.doneEarlier
        let measured = new > 0 ? (Double(ended - progress.doneEarlier) + progress.running) / Double(new) : 1
        display.show(progress.fraction, measured: measured, note(progress)) { ProgressLine(progress, secondsLeft: $0) }
    }

    /// Prints a summary.
    func end(_ result: BatchResult) {
        display.clear()
        let progress = result.progress
        let earlier = progress.doneEarlier > 0 ? " (\(progress.doneEarlier) by earlier runs)" : ""
        let rest = progress.total - progress.done - progress.failed
        let parts =
            ["\(progress.done) done\(earlier)", "\(progress.failed) failed"] + (rest > 0 ? ["\(rest) not started"] : [])
        let time = Words.time(seconds: (ContinuousClock.now - start) / .seconds(1))
        options.say("\(parts.joined(separator: ", ")); \(counted(progress.total, "job")) in \(time)")
        if result.reachedFailureLimit { Terminal.say("error: too many jobs failed (--max-failures)") }
    }

    /// `12/40 jobs, 3 failed, 1.8/s`
    private func note(_ progress: BatchProgress) -> String {
        let ended = progress.done + progress.failed
        var parts = ["\(ended)/\(counted(progress.total, "job"))"]
        if progress.failed > 0 { parts.append("\(progress.failed) failed") }
        let elapsed = ContinuousClock.now - start
        // Pairs of earlier runs took no time.
        let made = Double(ended - progress.doneEarlier) + progress.running
        if made > 0.5, elapsed > .seconds(1) {
            let rate = made / (elapsed / .seconds(1))
            parts.append("\(((rate * 10).rounded() / 10))/s")
        }
        return parts.joined(separator: ", ")
    }
}

extension JobRecord {
    /// The file that the error is about, which precedes its reason.
    fileprivate var errorFile: String? {
        guard let error, let reason, error.hasSuffix(": " + reason) else { return nil }
        return String(error.dropLast(reason.count + 2))
    }
}

/// A line of `--progress json`.
private struct ProgressLine: Encodable {
    let total: Int
    let done: Int
    let failed: Int
    /// From 0 to 1.
    let fraction: Double
    let secondsLeft: Int?

    init(_ progress: BatchProgress, secondsLeft: Int?) {
        (total, done, failed) = (progress.total, progress.done, progress.failed)
        self.secondsLeft = secondsLeft
        fraction = (progress.fraction * 10_000).rounded() / 10_000
    }
}
