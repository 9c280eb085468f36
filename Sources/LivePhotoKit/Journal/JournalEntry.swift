import Bytes

/// A pair that a command has changed in place, or was about to, and how to undo that.
struct JournalEntry: Codable, Sendable {
    /// Increasing numbers; also in the name of the photo's original.
    let number: Int
    /// Nil in journals of versions that recorded only links.
    let command: InPlaceUndo.Command?
    /// Its path is relative to the folder with the journal.
    let photo: PairRecord.Photo
    /// Its path is relative to the folder with the journal.
    let movie: PairRecord.Movie

    /// The command that undoes the change.
    var undoneBy: InPlaceUndo.Command { command ?? .link }
}

/// One line of a journal: a pair that is about to be changed, the number of one that has been, or both.
struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: Int?
}
