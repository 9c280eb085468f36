import Synchronization
import SystemPackage

extension FolderLinker {
    /// What the jobs of one run share.
    struct Work: Sendable {
        let decisions: PairDecisions
        let journal: SharedJournal
        /// Limits how many pairs are read and decoded at a time.
        let planning: TaskLimit

        init(root: FilePath, planning: TaskLimit, _ decisions: PairDecisions) {
            journal = SharedJournal(root)
            self.planning = planning
            self.decisions = decisions
        }
    }

    /// The journal of a run, which is created before the first change.
    final class SharedJournal: Sendable {
        private let root: FilePath
        private let journal = Mutex<UndoJournal?>(nil)

        init(_ root: FilePath) {
            self.root = root
        }

        /// - Throws: `LivePhotoError`.
        func opened() throws(LivePhotoError) -> UndoJournal {
            try journal.withLock { (journal) throws(LivePhotoError) in
                if let journal { return journal }
                let created = try UndoJournal(createdIn: root)
                journal = created
                return created
            }
        }

        func close() {
            journal.withLock { journal in
                journal?.removeIfEmpty()
                journal?.unlock()
            }
        }
    }

    /// Converts a movie in a format that cannot be linked.
    private func convert(_ job: Job) async -> Outcome.Status {
        guard let convertClip, case .pair(let pair) = job.found,
            case .directory(let directory, let replacesExisting) = job.place
        else { return .convertible }
        do throws(LivePhotoError) {
            return .converted(
                try await convertClip(
                    pair.photo.path, pair.movie.path, directory, job.name, job.content, replacesExisting))
        } catch {
            return .failed(error)
        }
    }

    /// Decides what to do with a pair, and does it.
    ///
    /// - Returns: An error if there can be no journal.
    func complete(
        _ job: Job, _ work: Work
    ) async -> Result<(Job, Outcome.Status), LivePhotoError> {
        let planned = await work.planning.run { await plan(job, work.decisions) }
        if case .convertible = planned.status, !isDryRun {
            return .success((planned.job, await work.planning.run { await convert(planned.job) }))
        }
        guard case .linkable(let moment, let plan) = planned.status, !isDryRun, case .pair(let pair) = job.found else {
            return .success((planned.job, planned.status))
        }
        var journal: UndoJournal?
        do throws(LivePhotoError) {
            if job.place == .inPlace { journal = try work.journal.opened() }
        } catch {
            return .failure(error)
        }
        do throws(LivePhotoError) {
            let result = try linker.link(
                photo: pair.photo.path, movie: pair.movie.path, stillTime: moment.time,
                contentIdentifier: planned.job.identifier, name: job.name, adding: plan.added, to: job.place,
                noting: journal)
            return .success((planned.job, .linked(result, moment.source)))
        } catch {
            return .success((planned.job, .failed(error)))
        }
    }
}
