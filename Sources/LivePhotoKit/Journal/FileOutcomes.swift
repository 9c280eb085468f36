import SystemPackage

/// The outcomes of undoing the entries of several journals, which may have changed the same files.
struct FileOutcomes {
    typealias Outcome = InPlaceUndo.Outcome

    private struct File {
        /// As the first outcome has it.
        let path: FilePath
        /// That of the journals that did not refuse the file.
        var done: Outcome.Status?
        var refusal: LivePhotoError?
    }

    /// In the order of their first outcomes.
    private var files: [File] = []
    /// By absolute paths: those of a journal are relative if its folder was named so.
    private var indices: [FilePath: Int] = [:]

    /// Adds the outcomes of one journal.
    ///
    /// - Returns: Whether any file was refused.
    mutating func add(_ outcomes: [Outcome]) -> Bool {
        var hasRefused = false
        for outcome in outcomes {
            let path = CurrentProcess.folder.pushing(outcome.path).lexicallyNormalized()
            let index = indices[path] ?? files.count
            indices[path] = index
            if index == files.count { files.append(File(path: outcome.path)) }
            var file = files[index]
            switch outcome.status {
            case .refused(let error):
                hasRefused = true
                // That something else has changed it says more than that another journal has.
                if file.refusal == nil || file.refusal?.code == .changedLater { file.refusal = error }
            case .unchanged: file.done = file.done ?? .unchanged
            case .restored: file.done = .restored
            }
            files[index] = file
        }
        return hasRefused
    }

    /// Before the journals that refused files are asked again.
    mutating func forgetRefusals() {
        for index in files.indices { files[index].refusal = nil }
    }

    /// One outcome for each file. In a dry run, a change that one of another journal has followed is counted if the other one
    /// is undone.
    func all(ofDryRun isDryRun: Bool) -> [Outcome] {
        files.compactMap { file in
            let isPlanned = isDryRun && file.done != nil && file.refusal?.code == .changedLater
            let status = isPlanned ? .restored : file.refusal.map { .refused($0) } ?? file.done
            return status.map { Outcome(path: file.path, status: $0) }
        }
    }
}
