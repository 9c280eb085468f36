import Bytes
public import MediaModel
import QuickTime
import StillImage
public import SystemPackage

/// Makes a Live Photo of a photo and a movie that exist, and plain ones of a Live Photo, without touching a pixel:
/// image data and media samples stay byte for byte.
public struct LivePhotoLinker: Sendable {
    /// Where the linked files go.
    public enum Destination: Sendable, Hashable {
        /// They stay where they are, in one folder. Both are changed or neither is: an error undoes what was done, and what
        /// a process leaves that is killed is undone by the next call that writes to that folder. Meanwhile the movie is
        /// locked: another run gets an error with the code `.temporary`.
        case inPlace
        /// Copies in a folder, which is made when missing.
        case directory(FilePath, replacesExisting: Bool)
    }

    /// A pair that was linked.
    public struct Result: Sendable, Hashable {
        public let livePhoto: LivePhoto
        /// On the movie's timeline; a frame of the movie stands exactly there.
        public let stillTime: MediaTime
    }

    public init() {}

    /// Writes one content identifier into both files and the still's moment into the movie.
    ///
    /// - Parameters:
    ///   - stillTime: on the movie's timeline; the frame that stands then, or the nearest, is taken. Nil keeps what the
    ///     movie says, or takes its middle.
    ///   - contentIdentifier: nil keeps the one that is there, where there are not two that differ, or makes a new one.
    ///   - name: of both copies, without extension; nil takes the photo's. Files in place keep their names.
    /// - Throws: `LivePhotoError` for files that cannot be linked as they are, and for what keeps them from being
    ///   written; with the code `.cancelled` where the task was before they were.
    public func link(
        photo: FilePath, movie: FilePath, stillTime: MediaTime? = nil, contentIdentifier: ContentIdentifier? = nil,
        name: String? = nil, to destination: Destination
    ) throws(LivePhotoError) -> Result {
        try link(
            photo: photo, movie: movie, stillTime: stillTime, contentIdentifier: contentIdentifier, name: name,
            to: destination, noting: nil)
    }

    /// - Parameter journal: takes note of what is changed in place, before it is.
    func link(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, contentIdentifier: ContentIdentifier? = nil,
        name: String? = nil, to destination: Destination, noting journal: LinkJournal?
    ) throws(LivePhotoError) -> Result {
        do {
            // A run over a folder has undone already what is left there.
            if destination == .inPlace, journal == nil { Publisher.removeLeftovers(in: photo.folder) }
            let lock = try destination == .inPlace ? Self.lock(photo: photo, movie: movie) : nil
            defer { withExtendedLifetime(lock) {} }
            let source = try SourcePair(photo: photo, movie: movie)
            let linked = try LinkedPair(source, stillTime: stillTime, contentIdentifier: contentIdentifier)
            switch destination {
            case .inPlace:
                try replace(linked.photo, linked.movie, source, noting: journal)
                return linked.result(photo: photo, movie: movie)
            case .directory(let directory, let replacesExisting):
                return try write(
                    linked, to: source.target(in: directory, name: name), replacing: replacesExisting)
            }
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    func write(_ linked: LinkedPair, to target: PublishTarget, replacing: Bool) throws -> Result {
        try copy(linked.photo, linked.movie, linked.source, to: target, replacing: replacing) { photo, movie in
            try PairCheck(
                photo: photo, movie: movie, contentIdentifier: linked.identifier, stillTime: linked.stillTime,
                allowsWarnings: true
            ).run()
        }
        return linked.result(photo: target.photo, movie: target.movie)
    }

    /// Takes the identifier out of both files and the still's moment out of the movie, which makes a plain photo and a
    /// plain movie of a Live Photo.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be changed.
    public func unlink(
        photo: FilePath, movie: FilePath, name: String? = nil, to destination: Destination
    ) throws(LivePhotoError) {
        do {
            if destination == .inPlace { Publisher.removeLeftovers(in: photo.folder) }
            let lock = try destination == .inPlace ? Self.lock(photo: photo, movie: movie) : nil
            defer { withExtendedLifetime(lock) {} }
            let source = try SourcePair(photo: photo, movie: movie)
            let edit = try MovieEdit(unlinking: source.reader)
            let newPhoto = try source.photo(with: .remove)
            switch destination {
            case .inPlace: try replace(newPhoto, edit, source, noting: nil)
            case .directory(let directory, let replacesExisting):
                let target = try source.target(in: directory, name: name)
                try copy(newPhoto, edit, source, to: target, replacing: replacesExisting) { photo, movie in
                    let facts = try PairFacts(photo: photo, movie: movie)
                    guard facts.photoIdentifier == nil, facts.movieIdentifier == nil else {
                        throw PairFault("an identifier is left")
                    }
                }
            }
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    private func replace(
        _ newPhoto: [UInt8], _ edit: MovieEdit, _ source: SourcePair, noting journal: LinkJournal?
    ) throws {
        let change = PairChange(
            photo: source.photo, newPhoto: newPhoto, movie: source.movie, movieChanges: try edit.changesInPlace())
        try Task.checkCancellation()
        let transaction = try PairTransaction(change)
        var note: Int?
        do {
            note = try journal?.note(change)
            try transaction.perform(change.steps)
            if let note { try journal?.markDone(note) }
            try transaction.commit()
        } catch {
            let error = Self.explain(error, photo: source.photo, movie: source.movie)
            let final = transaction.rolledBack(after: error)
            // Otherwise it tells how to bring back what is not yet.
            if let note, final == error { try? journal?.forget(note) }
            throw final
        }
    }

    private func copy(
        _ newPhoto: [UInt8], _ edit: MovieEdit, _ source: SourcePair, to target: PublishTarget, replacing: Bool,
        check: (FilePath, FilePath) throws -> Void
    ) throws {
        try target.check(inputs: [source.photo, source.movie], replacing: replacing)
        let publisher = try target.publisher()
        let (photo, movie) = (publisher.stagedPath(target.photoName), publisher.stagedPath(target.movieName))
        try publisher.write(target.photoName) { try $0.write(newPhoto) }
        try FileTimes(of: source.photo).set(photo)
        try publisher.write(target.movieName) { try edit.write(to: $0) }
        try FileTimes(of: source.movie).set(movie)
        try check(photo, movie)
        try publisher.publish(replacing: replacing, durability: .leftToSystem)
    }

    static func explain(_ error: any Error, photo: FilePath, movie: FilePath) -> LivePhotoError {
        switch error {
        case let error as LivePhotoError: error
        case is CancellationError: .cancellation
        case let error as MovieEditError:
            LivePhotoError(
                .unusableMedia, movie,
                "cannot be linked as it is: \(error); livephoto convert MOVIE --photo PHOTO re-encodes it", cause: error
            )
        case let error as ExifTooLarge:
            LivePhotoError(.unusableMedia, photo, "has no room for a content identifier: \(error)", cause: error)
        case let error as ParseError: LivePhotoError(.unusableMedia, photo, "cannot be linked: \(error)", cause: error)
        case let fault as PairFault:
            LivePhotoError(.internalFault, photo, "the linked pair did not pass its check: \(fault)")
        case let error as Errno: LivePhotoError(.inputOutput, photo, "cannot be linked: \(error)", cause: error)
        default: LivePhotoError(.internalFault, photo, "internal error: \(error)", cause: error)
        }
    }
}
