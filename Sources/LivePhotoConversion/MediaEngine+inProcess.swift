public import LivePhotoRequests

extension MediaEngine {
    /// Works in this process. A crash of a library ends it; `MediaWorker` of LivePhotoWorker is for files of strangers.
    public static let inProcess = inProcess(nil)

    /// - Parameters:
    ///   - processor: changes the pictures before they are encoded.
    ///   - waits: whether work that is cancelled is waited for, so that the next does not overlap with it.
    static func inProcess(_ processor: LivePhotoFrameProcessor?, waits: Bool = false) -> MediaEngine {
        MediaEngine { work, outputs, progress in
            let schedule = ProgressSchedule(progress)
            let perform = { @Sendable (cancellation: CancellationFlag) throws -> WorkResult in
                try OpenWork(work, into: outputs, cancellation, processor: processor).run {
                    if !cancellation.isCancelled { schedule.report($0) }
                }
            }
            return waits
                ? try await BlockingWork.run(perform) : try await BlockingWork.runUnlessCancelled(perform)
        }
    }
}
