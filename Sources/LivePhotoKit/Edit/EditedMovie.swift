import Bytes
import QuickTime
package import SystemPackage

/// The movie of an edited pair that keeps its pictures and its sound bit for bit. The photo is made separately.
package struct EditedMovie: Sendable {
    private let edited: EditedPair

    /// Reads the pair.
    ///
    /// - Parameters:
    ///   - edits: The changes, with the identifier of the edited pair.
    ///   - isInPlace: Whether the movie itself is changed.
    /// - Throws: `LivePhotoError` for files that are no Live Photo, or cannot be edited like this.
    package init(
        _ edits: LivePhotoEdits, photo: FilePath, movie: FilePath, isInPlace: Bool
    ) throws(LivePhotoError) {
        do {
            edited = try EditedPair(
                edits, of: SourcePair(photo: photo, movie: movie, for: .edit),
                to: isInPlace ? .inPlace : .directory(".", replacesExisting: false), name: nil)
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie, .edit)
        }
    }

    /// What the edit does.
    package var plan: LivePhotoEditor.Plan { edited.plan }

    /// Writes an edited copy, which contains only what is used.
    ///
    /// - Parameter path: An existing file, which is overwritten.
    /// - Throws: `LivePhotoError`; `Errno` of writing.
    package func write(to path: FilePath) throws {
        do {
            let file = try OutputFile(rewriting: WritableFile(path))
            try edited.update.movie.write(to: file)
            try file.close()
        } catch let error as Errno {
            throw error
        } catch {
            throw LivePhotoLinker.explain(error, photo: edited.update.source.photo, movie: path, .edit)
        }
    }

    /// The changes of the movie's file in place.
    ///
    /// - Throws: `LivePhotoError`.
    func changesInPlace() throws -> [FileChange] { try edited.update.movie.changesInPlace() }

    /// Checks the edited files. Warnings that the pair deserved before are accepted.
    ///
    /// - Throws: `PairFault`; `LivePhotoError`.
    package func check(photo: FilePath, movie: FilePath) throws { try edited.check(photo, movie) }
}
