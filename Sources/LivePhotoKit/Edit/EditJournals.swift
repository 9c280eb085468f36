import Synchronization
import SystemPackage

/// The journals of the folders whose pairs a run edits in place. Each is read and locked once.
package final class EditJournals: Sendable {
    private let journals = Mutex<[FilePath: UndoJournal]>([:])

    package init() {}

    /// - Throws: `LivePhotoError`.
    func journal(in folder: FilePath) throws(LivePhotoError) -> UndoJournal {
        try journals.withLock { (journals) throws(LivePhotoError) in
            if let journal = journals[folder], journal.log.isPresent { return journal }
            journals[folder] = nil
            let journal = try UndoJournal(createdIn: folder)
            journals[folder] = journal
            return journal
        }
    }

    /// Removes the journals in which nothing is recorded, as after errors, and unlocks all.
    package func close() {
        journals.withLock { journals in
            for journal in journals.values {
                journal.removeIfEmpty()
                journal.unlock()
            }
            journals = [:]
        }
    }
}

/// Equal only to itself.
extension EditJournals: Hashable {
    package static func == (one: EditJournals, other: EditJournals) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
