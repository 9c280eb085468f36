import Bytes
public import MediaModel
import QuickTime
import StillImage
public import SystemPackage

/// Turns an existing photo and movie into a Live Photo, and a Live Photo into a plain photo and movie. Image data and media
/// samples are not changed.
public struct LivePhotoLinker: Sendable {
    /// Where the linked files go.
    public enum Destination: Sendable, Hashable {
        /// Both files, in one folder, are changed in place, or neither is. An error undoes the change; if the process is
        /// killed, the next call that writes to that folder does. The movie is locked meanwhile: other runs get an error
        /// with the code `.temporary`.
        case inPlace
        /// Copies in a folder, which is created if missing.
        case directory(FilePath, replacesExisting: Bool)
    }

    /// A pair that was linked.
    public struct Result: Sendable, Hashable {
        /// The linked files: those given, or their copies.
        public let livePhoto: LivePhoto
        /// The still time on the movie's timeline: exactly the time of a frame, or the one that the movie had.
        public let stillTime: MediaTime
        /// The date that was written to a file without one, or to both files; nil if the files kept theirs.
        public let writtenDate: CaptureDate?
        /// Where `writtenDate` comes from.
        public let writtenDateSource: CaptureDateSource?
        /// The place that was written to both files, which had none.
        public let writtenLocation: GeographicLocation?
        /// What was left out of the movie, and ignored in sidecars and dates: each one sentence.
        public let warnings: [String]
    }

    /// Whether to take a photo and a movie from the files that they belong to by their content identifiers. Without it,
    /// linking files with different identifiers is an error with the code `differentPairs`, and unlinking files that do not
    /// have the same one, though one of them has one, an error with the code `notLinked`.
    public var acceptsDifferentPairs = false
    /// The date for both files when linking. Nil keeps their dates, and gives a file without one the date of the other; if
    /// neither has one, that of a sidecar of Google Takeout, or in the file names.
    public var captureDate: CaptureDate?
    /// Where `captureDate` comes from.
    package var captureDateSource = CaptureDateSource.request

    /// What linking adds to the metadata of two files.
    func added(to source: SourcePair) -> AddedMetadata {
        AddedMetadata(to: source, requested: captureDate.map { ($0, captureDateSource) })
    }

    /// A linker, which keeps no state between calls.
    public init() {}

    /// Writes a content identifier into both files, the still time into the movie, a missing date into either, and a missing
    /// place, which a sidecar has, into both. A change in place is recorded in a hidden journal in the pair's folder;
    /// `InPlaceUndo` undoes it.
    ///
    /// - Parameters:
    ///   - photo: A JPEG or HEIC.
    ///   - movie: A QuickTime movie or MP4 of H.264 or HEVC.
    ///   - stillTime: On the movie's timeline; the nearest frame is used, unless it is the movie's still time. Nil keeps that,
    ///     or uses the middle.
    ///   - contentIdentifier: Nil keeps the existing one, or creates one if there is none or the files have different ones
    ///     (see `acceptsDifferentPairs`).
    ///   - name: Of both copies, without extension; nil for the photo's. Ignored in place.
    ///   - destination: Where the linked files go.
    /// - Throws: `LivePhotoError` for files that cannot be linked or written; with the code `.cancelled` if the task was
    ///   cancelled before they were written.
    public func link(
        photo: FilePath, movie: FilePath, stillTime: MediaTime? = nil, contentIdentifier: ContentIdentifier? = nil,
        name: String? = nil, to destination: Destination
    ) throws(LivePhotoError) -> Result {
        try link(
            photo: photo, movie: movie, stillTime: stillTime, contentIdentifier: contentIdentifier, name: name,
            to: destination, noting: nil)
    }

    /// - Parameters:
    ///   - added: What the plan adds; nil reads sidecars and names.
    ///   - journal: Records changes in place before they are made; nil for that of the pair's folder.
    func link(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, contentIdentifier: ContentIdentifier? = nil,
        name: String? = nil, adding added: AddedMetadata? = nil, to destination: Destination,
        noting journal: UndoJournal?
    ) throws(LivePhotoError) -> Result {
        // FolderLinker has already removed leftovers.
        try withSource(photo, movie, destination, removingLeftovers: journal == nil) { source in
            try checkLinking(source.photoItem, source.movieItem)
            return try link(source, stillTime, contentIdentifier, name, added, to: destination, noting: journal)
        }
    }

    /// - Parameters:
    ///   - source: The files; locked if they are changed in place.
    ///   - added: As for `link`.
    private func link(
        _ source: SourcePair, _ stillTime: MediaTime?, _ contentIdentifier: ContentIdentifier?, _ name: String?,
        _ added: AddedMetadata? = nil, to destination: Destination, noting journal: UndoJournal? = nil
    ) throws -> Result {
        let linked = try LinkedPair(
            source, stillTime: source.moments.still(at: stillTime), contentIdentifier: contentIdentifier,
            adding: added ?? self.added(to: source))
        switch destination {
        case .inPlace:
            try linked.update.replace(noting: journal, of: .link) { try linked.check(source.photo, source.movie) }
            return linked.result(photo: source.photo, movie: source.movie)
        case .directory(let directory, let replacesExisting):
            return try write(linked, to: source.target(in: directory, name: name), replacing: replacesExisting)
        }
    }

    /// Reads two files, and checks that linking them does not take them from the files that they belong to.
    ///
    /// - Throws: `LivePhotoError`.
    package func read(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> LinkSource {
        do {
            let pair = try SourcePair(photo: photo, movie: movie)
            try checkLinking(pair.photoItem, pair.movieItem)
            return LinkSource(pair: pair)
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    /// Links files that were read, as `link(photo:movie:)` does. In place, they are read again when they are locked.
    package func link(
        _ source: LinkSource, stillTime: MediaTime, contentIdentifier: ContentIdentifier?, name: String?,
        to destination: Destination
    ) throws(LivePhotoError) -> Result {
        let pair = source.pair
        if destination == .inPlace {
            return try link(
                photo: pair.photo, movie: pair.movie, stillTime: stillTime, contentIdentifier: contentIdentifier,
                to: destination)
        }
        do {
            return try link(pair, stillTime, contentIdentifier, name, to: destination)
        } catch {
            throw Self.explain(error, photo: pair.photo, movie: pair.movie)
        }
    }

    func write(_ linked: LinkedPair, to target: PublishTarget, replacing: Bool) throws -> Result {
        try linked.update.copy(to: target, replacing: replacing) { try linked.check($0, $1) }
        return linked.result(photo: target.photo, movie: target.movie)
    }

    /// Removes the identifier from both files and the still time from the movie. `InPlaceUndo` of the command `link` undoes
    /// a change in place.
    ///
    /// - Returns: The changed files, or their copies.
    /// - Throws: `LivePhotoError` for files that cannot be changed.
    @discardableResult
    public func unlink(
        photo: FilePath, movie: FilePath, name: String? = nil, to destination: Destination
    ) throws(LivePhotoError) -> (photo: FilePath, movie: FilePath) {
        try unlink(photo: photo, movie: movie, name: name, to: destination) { _ in }
    }

    /// - Parameter willPublish: Called with the complete copies before they appear.
    @discardableResult
    func unlink(
        photo: FilePath, movie: FilePath, name: String?, to destination: Destination,
        willPublish: ([FilePath]) throws -> Void
    ) throws(LivePhotoError) -> (photo: FilePath, movie: FilePath) {
        try withSource(photo, movie, destination) { source in
            try checkUnlinking(source.photoItem, source.movieItem)
            let update = PairUpdate(
                source: source, photo: try source.photo(with: .remove), movie: try MovieEdit(unlinking: source.reader))
            func check(_ photo: FilePath, _ movie: FilePath) throws {
                let facts = try PairFacts(photo: photo, movie: movie)
                guard facts.photoIdentifier == nil, facts.movieIdentifier == nil else {
                    throw PairFault("an identifier is left")
                }
            }
            switch destination {
            case .inPlace:
                try update.replace(noting: nil, of: .link) { try check(photo, movie) }
                return (photo, movie)
            case .directory(let directory, let replacesExisting):
                let target = try source.target(in: directory, name: name)
                try update.copy(to: target, replacing: replacesExisting) { photo, movie in
                    try check(photo, movie)
                    try willPublish([photo, movie])
                }
                return (target.photo, target.movie)
            }
        }
    }

    /// Reads a pair, which is locked while `body` runs if it is changed in place.
    private func withSource<Value>(
        _ photo: FilePath, _ movie: FilePath, _ destination: Destination, removingLeftovers: Bool = true,
        _ body: (SourcePair) throws -> Value
    ) throws(LivePhotoError) -> Value {
        do {
            let lock: FileLock? =
                switch destination {
                case .inPlace where removingLeftovers: try Self.recoverAndLock(photo: photo, movie: movie)
                case .inPlace: try Self.lock(photo: photo, movie: movie)
                case .directory: nil
                }
            defer { withExtendedLifetime(lock) {} }
            return try body(SourcePair(photo: photo, movie: movie))
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    static func explain(
        _ error: any Error, photo: FilePath, movie: FilePath, _ command: InPlaceUndo.Command = .link
    ) -> LivePhotoError {
        let done = command.participle
        if let error = LivePhotoError.interruption(of: movie, error) { return error }
        return switch error {
        case let error as LivePhotoError: error
        case let error as MovieEditError:
            LivePhotoError(
                .unusableMedia, movie,
                "cannot be \(done) as it is: \(error); \(SourcePair.conversionAdvice(photo: photo, movie: movie))",
                cause: error)
        case let error as ExifTooLarge:
            LivePhotoError(.unusableMedia, photo, "has no room for a content identifier: \(error)", cause: error)
        case let error as ParseError: LivePhotoError(.unusableMedia, photo, "cannot be \(done): \(error)", cause: error)
        case let fault as PairFault:
            LivePhotoError(.internalError, photo, "the \(done) pair did not pass its check: \(fault)")
        case let error as Errno: LivePhotoError(.inputOutput, photo, "cannot be \(done): \(error)", cause: error)
        default: LivePhotoError(.internalError, photo, "internal error: \(error)", cause: error)
        }
    }
}

/// A photo and a movie that were read to be linked.
package struct LinkSource: Sendable {
    let pair: SourcePair

    package var moments: MovieMoments { pair.moments }
}
