import LivePhotoBatch
import LivePhotoKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the figures of a batch to a file: when it begins, every five seconds, and when it ends.
final class MetricsLog: Sendable {
    private static let interval = Duration.seconds(5)

    private let file: MetricsFile
    private let options: ProgressOptions
    private let figures: Mutex<Figures>
    /// Locked while the file is written.
    private let output = Mutex(Output())

    private struct Figures {
        var metrics: BatchMetrics
        var timer: Task<Void, Never>?
    }

    private struct Output {
        var hasEnded = false
        var hasWarned = false
    }

    init(_ path: FilePath, _ batch: Batch, _ options: ProgressOptions) {
        file = MetricsFile(path, folder: batch.folder, shard: batch.shard, start: Self.now)
        figures = Mutex(Figures(metrics: BatchMetrics(jobs: batch.jobs.count)))
        self.options = options
    }

    /// Refuses a file that is not one of metrics. Whatever else is wrong must not keep the batch from its work.
    static func check(_ path: FilePath) throws(LivePhotoError) {
        do throws(LivePhotoError) {
            try MetricsFile.check(path)
        } catch {
            if FileSystem.exists(path) { throw error }
        }
    }

    /// The first call begins the schedule: before it, another batch may use the folder and the file.
    func show(_ progress: BatchProgress) {
        figures.withLock { figures in
            figures.metrics = progress.metrics
            guard figures.timer == nil else { return }
            figures.timer = Task.detached { [self] in
                while !Task.isCancelled {
                    _ = try? await BlockingWork.run { _ in self.write(isRunning: true) }
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
    }

    /// - Parameter result: nil after an error, which may be that the batch could not begin.
    func end(_ result: BatchResult?) {
        let hasBegun = figures.withLock { figures in
            figures.timer?.cancel()
            if let result { figures.metrics = result.progress.metrics }
            figures.metrics.running = 0
            return figures.timer != nil
        }
        if hasBegun || result != nil { write(isRunning: false) }
    }

    private func write(isRunning: Bool) {
        output.withLock { output in
            guard !output.hasEnded else { return }
            output.hasEnded = !isRunning
            let metrics = figures.withLock { $0.metrics }
            do throws(LivePhotoError) {
                try file.write(metrics, MetricsFile.State(time: Self.now, isRunning: isRunning))
            } catch {
                if !output.hasWarned { options.say("warning: \(error); the batch goes on without its metrics") }
                output.hasWarned = true
            }
        }
    }

    private static var now: Double { (Date.now.timeIntervalSince1970 * 1_000).rounded() / 1_000 }
}
