import Bytes
import SystemPackage

/// A pair that a command has changed in place, or was about to, and how to undo that.
struct JournalEntry: Codable, Sendable {
    private let recordedNumber: RecordNumber
    /// Nil in journals of versions that recorded only links.
    let command: InPlaceUndo.Command?
    /// Its path is relative to the folder with the journal.
    let photo: PairRecord.File
    /// Its path is relative to the folder with the journal.
    let movie: PairRecord.Movie

    private enum CodingKeys: String, CodingKey {
        case recordedNumber = "number"
        case command, photo, movie
    }

    init(number: Int, command: InPlaceUndo.Command, photo: PairRecord.File, movie: PairRecord.Movie) {
        recordedNumber = RecordNumber(number)
        (self.command, self.photo, self.movie) = (command, photo, movie)
    }

    /// Increasing numbers; also in the name of the photo's original.
    var number: Int { recordedNumber.value }

    /// The command that undoes the change.
    var undoneBy: InPlaceUndo.Command { command ?? .link }

    /// All recorded paths.
    var paths: [FilePath] { [photo.path.path, photo.currentPath, movie.path.path] }

    /// The entries among `older`, which are in their order, that changed the same pair before this one.
    func previous(among older: some BidirectionalCollection<JournalEntry>) -> [JournalEntry] {
        var photo = photo.path.path
        return older.reversed().filter { entry in
            guard entry.movie.path == movie.path, entry.photo.currentPath == photo else { return false }
            photo = entry.photo.path.path
            return true
        }.reversed()
    }
}

/// One line of a journal: a pair that is about to be changed, the number of one that has been, or both; or a file that is
/// about to be written beside a changed pair.
package struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: RecordNumber?
    var text: JournalText?
}
