import LivePhotoKit
import Synchronization
import SystemPackage

/// The jobs of the studio, which run one after another in the order in which they came.
final class JobList: Sendable {
    private struct State {
        var jobs: [StudioJob] = []
        var tasks: [Int: Task<Void, Never>] = [:]
        /// The photos of the Live Photos that a job has changed in place.
        var changed: [Int: Set<FilePath>] = [:]
        var nextID = 1
        var isStopped = false
    }

    private let state = Mutex(State())
    private let limit = TaskLimit(1)
    /// Jobs that are shown; older ones that have ended are forgotten.
    private static let most = 200

    var all: [StudioJob] { state.withLock { $0.jobs } }

    /// Whether something is waiting or running.
    var isBusy: Bool { state.withLock { !$0.tasks.isEmpty } }

    /// - Parameters:
    ///   - work: does the job, and reports what becomes of its parts. What it throws is the error of all that have not ended.
    /// - Returns: the number of the job.
    /// - Throws: `LivePhotoError` if too many jobs wait.
    func start(
        _ kind: StudioJob.Kind, _ title: String, parts: [StudioJob.Part],
        _ work: @escaping @Sendable (JobReport) async throws -> Void
    ) throws(LivePhotoError) -> Int {
        let id: Int? = state.withLock { state in
            while state.jobs.count >= Self.most,
                let ended = state.jobs.firstIndex(where: { state.tasks[$0.id] == nil })
            {
                state.changed[state.jobs.remove(at: ended).id] = nil
            }
            guard state.jobs.count < Self.most, !state.isStopped else { return nil }
            let id = state.nextID
            state.nextID += 1
            state.jobs.append(
                StudioJob(id: id, kind: kind, title: title, parts: parts))
            state.tasks[id] = Task(executorPreference: BlockingExecutor.shared) { [self] in
                await limit.run { await run(id, work) }
                self.state.withLock { $0.tasks[id] = nil }
            }
            return id
        }
        guard let id else {
            throw LivePhotoError(.temporary, nil, "no more jobs can wait; try again when some are done")
        }
        return id
    }

    private func run(_ id: Int, _ work: @Sendable (JobReport) async throws -> Void) async {
        let report = JobReport(list: self, id: id)
        guard !Task.isCancelled else { return change(id) { $0.end(.cancelled) } }
        change(id) { $0.state = .running }
        do {
            try await work(report)
            let hasFailed = state.withLock { state in
                state.jobs.first { $0.id == id }?.parts.contains { $0.state == .failed } ?? false
            }
            change(id) { $0.end(hasFailed ? .failed : .done) }
        } catch {
            let known = error as? LivePhotoError
            let isCancelled = Task.isCancelled || known?.code == .cancelled
            change(id) { job in
                for index in job.parts.indices where [.waiting, .running].contains(job.parts[index].state) {
                    job.parts[index].state = isCancelled ? .cancelled : .failed
                    guard !isCancelled else { continue }
                    job.parts[index].error = known.map { "\($0)" } ?? "internal error: \(error)"
                    job.parts[index].code = known?.code.rawValue
                }
            }
            change(id) { $0.end(isCancelled ? .cancelled : .failed) }
        }
    }

    fileprivate func change(_ id: Int, _ change: (inout StudioJob) -> Void) {
        state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return }
            change(&state.jobs[index])
        }
    }

    func job(_ id: Int) -> StudioJob? { state.withLock { $0.jobs.first { $0.id == id } } }

    func cancel(_ id: Int) {
        let task = state.withLock { state in
            // One that waits has nothing to end.
            if let index = state.jobs.firstIndex(where: { $0.id == id }), state.jobs[index].state == .waiting {
                state.jobs[index].end(.cancelled)
            }
            return state.tasks[id]
        }
        task?.cancel()
    }

    /// The photos of the Live Photos that a job has changed in place, and that are not undone.
    func changed(by id: Int) -> Set<FilePath> { state.withLock { $0.changed[id] ?? [] } }

    /// Notes that Live Photos are as they were before all changes. A job of which nothing is left has no results any more.
    func noteUndone(_ photos: Set<FilePath>, by id: Int, _ note: String) {
        state.withLock { state in
            for index in state.jobs.indices {
                let number = state.jobs[index].id
                state.changed[number]?.subtract(photos)
                if state.jobs[index].canUndo, state.changed[number]?.isEmpty != false {
                    state.jobs[index].canUndo = false
                    for part in state.jobs[index].parts.indices { state.jobs[index].parts[part].result = nil }
                }
                if number == id { state.jobs[index].notes.append(note) }
            }
        }
    }

    fileprivate func allowUndo(_ id: Int, of photo: FilePath) {
        state.withLock { state in
            _ = state.changed[id, default: []].insert(photo)
        }
        change(id) { $0.canUndo = true }
    }

    /// Ends all jobs, and waits for that.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopped = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

/// What a job reports about its parts.
struct JobReport: Sendable {
    fileprivate let list: JobList
    let id: Int

    func begin(_ part: Int) { change(part) { $0.state = .running } }

    func show(_ part: Int, fraction: Double) {
        change(part) { part in
            part.state = .running
            part.fraction = min(max(fraction, 0), 1)
        }
    }

    func end(_ part: Int, result: Int?) {
        change(part) { part in
            (part.state, part.fraction, part.result) = (.done, 1, result)
        }
    }

    func fail(_ part: Int, _ error: LivePhotoError) {
        change(part) { part in
            (part.state, part.error, part.code) = (.failed, "\(error)", error.code.rawValue)
        }
    }

    func note(_ sentences: [String]) {
        list.change(id) { job in
            for sentence in sentences where !job.notes.contains(sentence) { job.notes.append(sentence) }
        }
    }

    /// - Parameter photo: of a Live Photo that was changed in place.
    func allowUndo(of photo: FilePath) { list.allowUndo(id, of: photo) }

    func offerReport() { list.change(id) { $0.hasReport = true } }

    private func change(_ part: Int, _ change: (inout StudioJob.Part) -> Void) {
        list.change(id) { job in
            guard job.parts.indices.contains(part) else { return }
            change(&job.parts[part])
        }
    }
}
