import Synchronization
import SystemPackage

/// The journals of the folders whose pairs a run edits in place. Each is read and locked once.
package final class EditJournals: Sendable {
    private let journals = Mutex<[FilePath: UndoJournal]>([:])

    package init() {}

    /// - Throws: `LivePhotoError`.
    func journal(in folder: FilePath) throws(LivePhotoError) -> UndoJournal {
        try journals.withLock { (journals) throws(LivePhotoError) in
            if let journal = journals[folder], UndoJournal.exists(in: folder) { return journal }
            let journal = try UndoJournal(createdIn: folder)
            journals[folder] = journal
            return journal
        }
    }
}
