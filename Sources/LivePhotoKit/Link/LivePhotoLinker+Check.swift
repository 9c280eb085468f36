import Bytes
public import MediaModel
import QuickTime
import StillImage
public import SystemPackage

extension LivePhotoLinker {
    /// What linking two files would do.
    public struct Plan: Sendable, Hashable {
        /// The files that would be written: the photo and the movie.
        public let files: [FilePath]
        let evidence: PairEvidence
        let added: AddedMetadata
        let notes: [String]

        /// The date that would be written to a file without one, or to both files.
        public var writtenDate: CaptureDate? { added.date }
        /// Where `writtenDate` comes from.
        public var writtenDateSource: CaptureDateSource? { added.dateSource }
        /// Whether `writtenDate` is that of a name with only a day, so that the time is noon.
        public var isWrittenDateDayOnly: Bool { added.isDayOnly }
        /// The place that would be written to both files.
        public var writtenLocation: GeographicLocation? { added.location }
        /// What would be left out, moved, and ignored in sidecars and dates: each one sentence.
        public var warnings: [String] { added.warnings + notes }
    }

    /// Checks without writing anything whether two files can be linked, and whether they belong together.
    ///
    /// - Parameter hasWholeName: See `PairEvidence`.
    /// - Throws: `LivePhotoError`, as `link` does.
    package func plan(
        photo: FilePath, movie: FilePath, name: String?, to destination: Destination, hasWholeName: Bool = false
    ) throws(LivePhotoError) -> Plan {
        let (files, (evidence, added, notes)) = try check(photo, movie, name, destination) { source in
            try checkLinking(source.photoItem, source.movieItem)
            let added = self.added(to: source)
            let still = source.moments.still(at: nil)
            let linked = try LinkedPair(source, stillTime: still, contentIdentifier: nil, adding: added)
            let evidence = PairEvidence(source, hasWholeName: hasWholeName)
            return (linked.movie, (evidence, added, linked.source.notes))
        }
        return Plan(files: files, evidence: evidence, added: added, notes: notes)
    }

    /// Checks without writing anything whether two files can be unlinked.
    ///
    /// - Returns: The files that would be written.
    /// - Throws: `LivePhotoError`, as `unlink` does.
    package func checkUnlinkable(
        photo: FilePath, movie: FilePath, name: String? = nil, to destination: Destination
    ) throws(LivePhotoError) -> [FilePath] {
        try check(photo, movie, name, destination) { source in
            try checkUnlinking(source.photoItem, source.movieItem)
            _ = try source.photo(with: .remove)
            return (try MovieEdit(unlinking: source.reader), ())
        }.files
    }

    /// - Parameter edit: Plans the change of the movie, and returns a value for the caller.
    private func check<Value>(
        _ photo: FilePath, _ movie: FilePath, _ name: String?, _ destination: Destination,
        _ edit: (SourcePair) throws -> (MovieEdit, Value)
    ) throws(LivePhotoError) -> (files: [FilePath], value: Value) {
        do {
            let source = try SourcePair(photo: photo, movie: movie)
            let (edit, value) = try edit(source)
            switch destination {
            case .inPlace:
                _ = try Self.lock(photo: photo, movie: movie)
                _ = try edit.changesInPlace()
                return ([photo, movie], value)
            case .directory(let directory, let replacesExisting):
                let target = try source.target(in: directory, name: name)
                try target.check(inputs: [photo, movie], replacing: replacesExisting)
                return ([target.photo, target.movie], value)
            }
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie)
        }
    }

    func checkLinking(_ photo: PairFinder.Item, _ movie: PairFinder.Item) throws(LivePhotoError) {
        guard !acceptsDifferentPairs, let one = photo.identifier, let other = movie.identifier, one != other else {
            return
        }
        throw LivePhotoError(.differentPairs, photo.path, Self.difference(one, other, movie.path))
    }

    /// Checks that two files are linked to each other, or to none.
    func checkUnlinking(_ photo: PairFinder.Item, _ movie: PairFinder.Item) throws(LivePhotoError) {
        guard !acceptsDifferentPairs, photo.identifier != movie.identifier else { return }
        if let one = photo.identifier, let other = movie.identifier {
            throw LivePhotoError(.notLinked, photo.path, Self.difference(one, other, movie.path))
        }
        let kind = photo.identifier == nil ? "movie" : "photo"
        throw LivePhotoError(
            .notLinked, photo.path, "is not linked with \(movie.path): only the \(kind) has a content identifier")
    }

    private static func difference(_ one: StoredIdentifier, _ other: StoredIdentifier, _ movie: FilePath) -> String {
        "belongs to another pair than \(movie): their content identifiers are \(quoted(one.text)) and "
            + quoted(other.text)
    }

    /// Undoes what killed runs have left of changes in a pair's folder, and then locks the pair as `lock` does.
    ///
    /// - Throws: `LivePhotoError` as `lock`; with the code `.temporary` while another run undoes a change of the pair.
    static func recoverAndLock(
        photo: FilePath, movie: FilePath, for command: InPlaceUndo.Command = .link, replacesMovie: Bool = false
    ) throws(LivePhotoError) -> FileLock {
        for attempt in 0..<recoveryAttempts {
            Publisher.removeLeftovers(in: photo.folder)
            let lock = try lock(photo: photo, movie: movie, for: command, replacesMovie: replacesMovie)
            // The run that had the lock before may have been killed in between.
            switch PairTransaction.leftover(of: movie) {
            case nil: return lock
            // It cannot be undone, because something else has changed the files since.
            case .unused? where attempt > 0: return lock
            case .unused?, .used?: lock.release()
            }
            FileLock.pause()
        }
        throw FileLock.isHeld(movie)
    }

    private static let recoveryAttempts = 10

    /// Checks that a pair can be changed in place and locks it.
    ///
    /// - Parameters:
    ///   - command: What changes it.
    ///   - replacesMovie: Whether another file will replace the movie.
    /// - Throws: `LivePhotoError` if it cannot.
    static func lock(
        photo: FilePath, movie: FilePath, for command: InPlaceUndo.Command = .link, replacesMovie: Bool = false
    ) throws(LivePhotoError) -> FileLock {
        for path in [photo, movie] {
            // Replacing a symbolic link by a file would separate it from its target.
            guard let destination = FileSystem.destination(ofLink: path) else { continue }
            let file = path.removingLastComponent().pushing(destination)
            throw LivePhotoError(
                .invalidRequest, path, "is a link to \(file); name that file, or \(command.rawValue) a copy")
        }
        return try PairTransaction.lock(photo: photo, movie: movie, replacesMovie: replacesMovie) {
            UndoJournal.names(of: $0, $1)
        }
    }

    /// Whether the output folder has a good Live Photo with the pair's picture and video, and with its identifier if it has
    /// one.
    ///
    /// - Parameters:
    ///   - name: Of both copies, without extension; nil for the photo's.
    ///   - identifier: Of the copies if the pair has none; nil for any.
    /// - Throws: `LivePhotoError` for files that cannot be linked.
    func hasCopy(
        photo: FilePath, movie: FilePath, name: String?, in directory: FilePath, identifier: ContentIdentifier?
    ) throws(LivePhotoError) -> Bool {
        do {
            if let usual = photo.lastComponent?.base, let base = name.map({ FilePath.Component($0) }) ?? usual,
                !FileSystem.exists(PublishTarget(directory: directory, name: base, photo: nil).movie)
            {
                return false
            }
            let source = try SourcePair(photo: photo, movie: movie)
            let target = try source.target(in: directory, name: name)
            guard FileIdentity(target.photo) != nil, FileIdentity(target.movie) != nil else { return false }
            let report = try PairCheck.report(photo: target.photo, movie: target.movie)
            let expected = source.identifier ?? identifier
            guard report.isGood, expected.map({ $0.string == report.contentIdentifier }) ?? true else { return false }
            return try Self.sampleSizes(MovieReader(InputFile(target.movie))) == Self.sampleSizes(source.reader)
                && PhotoReader(InputFile(target.photo)).hasSamePictures(as: PhotoReader(InputFile(photo)))
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    /// The sample sizes of the video, which are practically never equal for different videos.
    private static func sampleSizes(_ reader: MovieReader) throws -> [Int] {
        try reader.shownVideo?.samples().map(\.size) ?? []
    }
}

extension LivePhotoError.Code {
    /// The photo and the movie belong to different pairs by their content identifiers.
    public static let differentPairs = unusableMedia.refined("differentPairs")
    /// The photo and the movie do not have the same content identifier, though one of them has one.
    public static let notLinked = unusableMedia.refined("notLinked")
}
