import Bytes
import Synchronization
import SystemPackage

/// What was changed after the entries of a journal, by commands whose changes stay and according to journals in other folders,
/// which are read once.
final class LaterChanges: Sendable {
    private typealias EntriesByMovie = [FilePath.Component: [JournalEntry]]

    private let journal: UndoJournal
    /// Their entries in this journal are undone, the last one first.
    private let undone: Set<InPlaceUndo.Command>
    private let own: EntriesByMovie
    /// The entries of the journals in other folders.
    private let others = Mutex<[FilePath: EntriesByMovie]>([:])

    init(than journal: UndoJournal, undoing commands: Set<InPlaceUndo.Command>) {
        (self.journal, undone) = (journal, commands)
        own = Self.byMovie(journal.entries)
    }

    /// The change of an entry's movie that followed, according to any journal in the movie's folder or its parents; nil if the
    /// movie is as the entry left it, or something else has changed it.
    func change(after entry: JournalEntry) -> LaterChange? {
        guard let place = try? journal.entry(entry.movie.path.path), let movie = try? place.open(),
            (try? entry.movie.state(of: movie)) == .changed, let status = try? movie.status(),
            let ownFolder = try? Stat(journal.folder.descriptor)
        else { return nil }
        for parent in UndoJournal.folders(of: place.path) {
            let isThis = parent.entry(UndoJournal.folderName).identity == FileIdentity(ownFolder)
            let entries = (isThis ? own : entries(in: parent))[place.name] ?? []
            let later = entries.last { other in
                let folder = other.movie.path.path.removingLastComponent()
                return !(isThis && undone.contains(other.undoneBy))
                    && (try? parent.folder(at: folder).entry(place.name).identity) == FileIdentity(status)
                    && (try? other.movie.state(of: movie)) == .new
            }
            if let later { return LaterChange(command: later.undoneBy, folder: parent.path) }
        }
        return nil
    }

    private func entries(in folder: OpenFolder) -> EntriesByMovie {
        others.withLock { others in
            if let known = others[folder.path] { return known }
            let entries = Self.byMovie((try? UndoJournal.entries(in: folder)) ?? [])
            others[folder.path] = entries
            return entries
        }
    }

    private static func byMovie(_ entries: [JournalEntry]) -> EntriesByMovie {
        var result: EntriesByMovie = [:]
        for entry in entries {
            if let name = entry.movie.path.path.lastComponent { result[name, default: []].append(entry) }
        }
        return result
    }
}

/// A change of a pair that has to be undone before an older one.
struct LaterChange {
    let command: InPlaceUndo.Command
    /// The folder whose journal records it.
    let folder: FilePath

    /// The error for a file that it has changed.
    func error(of file: FilePath?) -> LivePhotoError {
        LivePhotoError(
            .changedLater, file,
            "was changed by 'livephoto \(command.rawValue)' since; undo that first: livephoto undo \(shellWord(folder.string))"
        )
    }
}
