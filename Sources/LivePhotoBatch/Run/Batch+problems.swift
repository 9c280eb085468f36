import LivePhotoKit
import LivePhotoRequests

extension Batch {
    /// A job whose inputs are missing or cannot be used.
    public struct Problem: Sendable, Hashable {
        /// The job's name.
        public let id: String
        /// What is wrong.
        public let error: LivePhotoError
    }

    /// Looks at the inputs of all jobs without decoding them.
    ///
    /// - Parameter progress: Called after each job with the number of jobs so far.
    /// - Returns: At most one problem for each job, in the order of the jobs.
    public func problems(progress: (Int) -> Void = { _ in }) async throws(LivePhotoError) -> [Problem] {
        do {
            return try await withTaskExecutorPreference(BlockingExecutor.shared) {
                var problems: [Problem] = []
                var done = 0
                try await concurrentForEach(jobs, width: CurrentProcess.cores, work: { problem(of: $0) }) { problem in
                    if let problem { problems.append(problem) }
                    done += 1
                    progress(done)
                }
                return problems
            }
        } catch {
            throw .cancellation
        }
    }

    private func problem(of job: Job) -> Problem? {
        if let problem = job.problem { return Problem(id: job.id, error: problem) }
        do {
            let work = try JobWork(JobTask(job, root: folder), keepsHEIC: true)
            for file in work.files { try InputFileCheck.check(file, is: "file", "a file") }
            return nil
        } catch {
            let error =
                error as? LivePhotoError
                ?? LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error)
            return Problem(id: job.id, error: error)
        }
    }
}
