public import LivePhotoRequests

extension MediaEngine {
    /// Works in this process. A crash of a library ends it; `MediaWorker` of LivePhotoWorker is for files of strangers.
    public static let inProcess = inProcess(nil)

    /// - Parameter processor: changes the pictures before they are encoded.
    static func inProcess(_ processor: LivePhotoFrameProcessor?) -> MediaEngine {
        MediaEngine { work, outputs, progress in
            let schedule = ProgressSchedule(progress)
            return try await BlockingWork.runUnlessCancelled { cancellation in
                try OpenWork(work, into: outputs, cancellation, processor: processor).run { schedule.report($0) }
            }
        }
    }
}
