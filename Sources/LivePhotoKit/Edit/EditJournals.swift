import Synchronization
import SystemPackage

/// The journals of the folders whose pairs a run edits in place. Each is read and locked once.
package final class EditJournals: Sendable {
    private let journals = Mutex<[FileIdentity: UndoJournal]>([:])

    package init() {}

    /// - Throws: `LivePhotoError`.
    func journal(in folder: FilePath) throws(LivePhotoError) -> UndoJournal {
        // A folder may be written in several ways.
        let identity = FileIdentity(folder.orCurrentFolder, followingLink: true)
        return try journals.withLock { (journals) throws(LivePhotoError) in
            if let identity, let journal = journals[identity], journal.log.isPresent { return journal }
            if let identity { journals[identity] = nil }
            let journal = try UndoJournal(createdIn: folder)
            if let identity { journals[identity] = journal }
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
