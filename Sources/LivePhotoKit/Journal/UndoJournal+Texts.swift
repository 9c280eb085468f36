import Synchronization
import SystemPackage

extension UndoJournal {
    /// Records a small file that is about to be written beside a pair, so that undoing the pair's last change also undoes
    /// that.
    ///
    /// - Parameters:
    ///   - content: The new content.
    ///   - path: The file, which may exist.
    ///   - movie: The movie of the pair.
    ///   - limit: The maximum size of an existing file.
    /// - Throws: `LivePhotoError`.
    func noteText(
        _ content: [UInt8], at path: FilePath, ofMovie movie: FilePath, limit: Int
    ) throws(LivePhotoError) {
        do {
            let (recorded, recordedMovie) = (try recordedPath(path), try recordedPath(movie))
            let place = try entry(recorded)
            try self.content.withLock { journal in
                guard let entry = journal.entries.last(where: { $0.movie.path.path == recordedMovie }) else { return }
                let text = try JournalText(content, to: place, path: recorded, of: entry.number, limit: limit)
                try append(JournalLine(text: text), &journal)
            }
            try log.synchronize()
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: path, error)
        }
    }

    /// Undoes the files that were written with a change, the last one first.
    ///
    /// - Throws: `LivePhotoError`.
    func undoTexts(of number: Int) throws(LivePhotoError) {
        for text in content.withLock({ $0.texts[number] ?? [] }).reversed() where text.isWrittenHere {
            let place = try entry(text.path.path)
            do {
                try text.undo(at: place, by: folder.entry("unfinished-\(number)"))
            } catch {
                throw error as? LivePhotoError ?? LivePhotoError(writing: place.path, error)
            }
        }
    }
}
