/// A pair that `FolderLinker` has changed in place, or was about to, and how to bring it back.
struct JournalEntry: Codable, Sendable {
    /// Counts up; the photo's original has it in its name.
    let number: Int
    /// Its path is below the journal's folder.
    let photo: PairRecord.Photo
    /// Its path is below the journal's folder.
    let movie: PairRecord.Movie
}

/// One line of a journal: a pair that is about to be changed, or the number of one that has been.
struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: Int?
}
