import LivePhotoBatch
import MediaModel
import Synchronization

/// Shows the progress and errors of a batch on stderr.
final class BatchDisplay: Sendable {
    private let form: BatchCommand.ProgressForm
    private let bar = ProgressBar("batch")
    private let start = ContinuousClock.now
    private let shown = Mutex(Shown())

    private struct Shown {
        var ended = 0
        var time = ContinuousClock.now
    }

    /// Minimum time between two updates, unless a job has ended.
    private static let interval = Duration.milliseconds(200)

    init(_ form: BatchCommand.ProgressForm) {
        self.form = form
    }

    func show(_ progress: BatchProgress) {
        let ended = progress.done + progress.failed
        let isNew = shown.withLock { shown in
            let now = ContinuousClock.now
            let isNew = ended > shown.ended
            guard isNew || now - shown.time >= Self.interval else { return nil as Bool? }
            shown = Shown(ended: ended, time: now)
            return isNew
        }
        guard let isNew else { return }
        if isNew, let latest = progress.latest, latest.status == .failed {
            bar.clear()
            Terminal.say("error: \(latest.id): \(latest.error ?? "failed")")
        }
        switch form {
        case .bar: bar.show(progress.fraction, note(progress))
        case .json: if let line = try? JSON.text(ProgressLine(progress)) { Terminal.say(line) }
        case .none: break
        }
    }

    /// Prints a summary.
    func end(_ result: BatchResult) {
        bar.clear()
        let progress = result.progress
        let earlier = progress.doneEarlier > 0 ? " (\(progress.doneEarlier) by earlier runs)" : ""
        let rest = progress.total - progress.done - progress.failed
        let parts =
            ["\(progress.done) done\(earlier)", "\(progress.failed) failed"] + (rest > 0 ? ["\(rest) not started"] : [])
        let time = Words.time(seconds: (ContinuousClock.now - start) / .seconds(1))
        Terminal.say("\(parts.joined(separator: ", ")); \(counted(progress.total, "job")) in \(time)")
        if result.reachedFailureLimit { Terminal.say("error: too many jobs failed (--max-failures)") }
    }

    /// `12/40 jobs, 3 failed, 1.8/s, 15 s left`
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
            let left = Double(progress.total - ended) - progress.running
            parts.append("\(Words.time(seconds: (left / rate).rounded(.up))) left")
        }
        return parts.joined(separator: ", ")
    }
}

/// A line of `--progress json`.
private struct ProgressLine: Encodable {
    let total: Int
    let done: Int
    let failed: Int
    /// From 0 to 1.
    let fraction: Double

    init(_ progress: BatchProgress) {
        (total, done, failed) = (progress.total, progress.done, progress.failed)
        fraction = (progress.fraction * 10_000).rounded() / 10_000
    }
}
