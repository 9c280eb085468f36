import SystemPackage

/// The outcomes of undoing the entries of several journals, which may have changed the same files.
struct FileOutcomes {
    typealias Outcome = InPlaceUndo.Outcome

    private struct File {
        /// That of the journals that did not refuse the file.
        var done: Outcome.Status?
        var refusal: LivePhotoError?
    }

    private var files: [FilePath: File] = [:]
    /// The order of `files`.
    private var paths: [FilePath] = []

    /// Adds the outcomes of one journal.
    ///
    /// - Returns: Whether any file was refused.
    mutating func add(_ outcomes: [Outcome]) -> Bool {
        var hasRefused = false
        for outcome in outcomes {
            if files[outcome.path] == nil { paths.append(outcome.path) }
            var file = files[outcome.path] ?? File()
            switch outcome.status {
            case .refused(let error):
                hasRefused = true
                // That something else has changed it says more than that another journal has.
                if file.refusal == nil || file.refusal?.code == .changedLater { file.refusal = error }
            case .unchanged: file.done = file.done ?? .unchanged
            case .restored: file.done = .restored
            }
            files[outcome.path] = file
        }
        return hasRefused
    }

    /// Before the journals that refused files are asked again.
    mutating func forgetRefusals() {
        for path in files.keys { files[path]?.refusal = nil }
    }

    /// One outcome for each file. In a dry run, a change that one of another journal has followed is counted if the other one
    /// is undone.
    func all(ofDryRun isDryRun: Bool) -> [Outcome] {
        paths.compactMap { path in
            guard let file = files[path] else { return nil }
            let isPlanned = isDryRun && file.done != nil && file.refusal?.code == .changedLater
            let status = isPlanned ? .restored : file.refusal.map { .refused($0) } ?? file.done
            return status.map { Outcome(path: path, status: $0) }
        }
    }
}
