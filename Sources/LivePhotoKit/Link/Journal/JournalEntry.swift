import Bytes

/// A pair that `FolderLinker` has changed in place, or was about to, and how to undo that.
struct JournalEntry: Codable, Sendable {
    /// Increasing numbers; also in the name of the photo's original.
    let number: Int
    /// Its path is relative to the folder with the journal.
    let photo: PairRecord.Photo
    /// Its path is relative to the folder with the journal.
    let movie: PairRecord.Movie
}

/// One line of a journal: a pair that is about to be changed, the number of one that has been, or both.
struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: Int?
}
