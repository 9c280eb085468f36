import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The Live Photo that a photo and a movie become in a folder: copied byte for byte if they are one, otherwise linked.
struct LivePhotoCopy {
    let target: PublishTarget
    let source: SourcePair
    /// Where the source has the photo in its movie; nil if it does not say so.
    private let stillTime: MediaTime?
    /// Of a pair without one; nil for a new one.
    private let identifier: ContentIdentifier?
    /// What the files lack; nil to keep their dates and places.
    let added: AddedMetadata?
    /// Whether the source may be two files of a Live Photo, which need no change.
    private let mayBeLivePhoto: Bool
    /// Whether the source is two files of their own, and not a part of one.
    private let hasFiles: Bool

    /// The extraction of a container's pair.
    ///
    /// - Parameters:
    ///   - name: The requested name, without extension.
    ///   - usual: The name if none was requested; nil for the container's.
    ///   - addsMetadata: Whether missing dates and places come from sidecars and names.
    ///   - identifier: Of a pair without one; nil for a new one.
    /// - Throws: `LivePhotoError` if the container cannot be read or does not contain a JPEG or HEIC and a movie.
    init(
        _ container: PairContainer, name: String? = nil, usual: FilePath.Component? = nil, to directory: FilePath,
        addsMetadata: Bool = false, identifier: ContentIdentifier? = nil
    ) throws(LivePhotoError) {
        do {
            source = try SourcePair(
                photo: container.photoFile, bytes: container.photoBytes(), movie: container.movieFile,
                file: container.openMovie(unpackingIn: OutputDirectory.nearest(to: directory)))
            target = try source.target(in: directory, name: name, usual: usual ?? container.pairName)
        } catch {
            throw LivePhotoLinker.explain(error, photo: container.photoFile, movie: container.movieFile)
        }
        (stillTime, hasFiles) = (container.stillTime, false)
        mayBeLivePhoto = stillTime == nil
        added = addsMetadata ? AddedMetadata(to: source, requested: nil) : nil
        self.identifier = identifier
    }

    /// The copy of two files, with what they lack from sidecars and names.
    ///
    /// - Parameters:
    ///   - stillTime: Of a pair that is no Live Photo.
    ///   - identifier: Of a pair without one; nil for a new one.
    /// - Throws: `LivePhotoError` for files that are not a JPEG or HEIC and a movie.
    init(
        photo: FilePath, movie: FilePath, stillTime: MediaTime, identifier: ContentIdentifier?,
        name: FilePath.Component, to directory: FilePath
    ) throws(LivePhotoError) {
        do {
            source = try SourcePair(photo: photo, movie: movie)
            target = PublishTarget(directory: directory, name: name, photo: source.photoMetadata.format)
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie)
        }
        (self.stillTime, self.identifier, hasFiles) = (stillTime, identifier, true)
        added = AddedMetadata(to: source, requested: nil)
        mayBeLivePhoto = added?.isEmpty ?? true
    }

    private var still: MediaTime { source.moments.still(at: stillTime) }

    /// What the written pair leaves out, moves or takes over though it is wrong: each one sentence.
    var notes: [String] {
        (added?.warnings ?? []) + (isLivePhoto ? [] : (try? source.withOneVideo())?.notes ?? [])
    }

    /// The date that the photo or the movie states.
    var date: CaptureDate? { source.statedPhotoDate?.date ?? source.reader.captureDate }

    /// Throws unless the pair is a Live Photo or can be linked.
    func checkLinkable() throws(LivePhotoError) {
        try explaining { if !isLivePhoto { _ = try linked(nil) } }
    }

    /// Whether the target has exactly the pair that would be written. For a pair without an identifier, the one that was
    /// generated for the target is used. Names and identifiers prove nothing: an edited Live Photo keeps its own.
    var isPresent: Bool {
        guard FileSystem.exists(target.photo), FileSystem.exists(target.movie) else { return false }
        if isLivePhoto { return (try? source.isPresent(at: target)) ?? false }
        guard let report = try? PairCheck.report(photo: target.photo, movie: target.movie), report.isGood,
            let identifier = report.contentIdentifier.flatMap({ ContentIdentifier($0) }),
            identifier == source.identifier ?? self.identifier ?? identifier, let linked = try? linked(identifier)
        else { return false }
        return (try? linked.isPresent(at: target)) ?? false
    }

    /// Checks without writing whether the pair can be written.
    func check(replacing: Bool) throws(LivePhotoError) {
        try checkLinkable()
        try explaining {
            try target.check(inputs: [source.photo, source.movie], replacing: replacing)
            try Publisher.checkCase(of: [target.photo, target.movie])
        }
    }

    /// - Parameters:
    ///   - asHardLinks: Whether files that need no change get second names instead, if the file system allows that. Files that
    ///     are replaced may be such names.
    ///   - willPublish: Called with the complete files before they appear.
    func write(
        asHardLinks: Bool = false, replacing: Bool, willPublish: ([FilePath]) throws -> Void = { _ in }
    ) throws(LivePhotoError) {
        try OutputDirectory.check(target.photo.folder, for: target.photo)
        try explaining {
            try Publisher.checkCase(of: [target.photo, target.movie])
            if isLivePhoto {
                return try source.copy(to: target, asHardLinks: asHardLinks && hasFiles, replacing: replacing) {
                    try willPublish([$0, $1])
                }
            }
            let linked = try linked(source.identifier ?? identifier)
            try linked.update.copy(to: target, replacing: replacing, mayBeLinks: asHardLinks) { photo, movie in
                try linked.check(photo, movie)
                try willPublish([photo, movie])
            }
        }
    }

    private func linked(_ identifier: ContentIdentifier?) throws -> LinkedPair {
        try LinkedPair(source, stillTime: still, contentIdentifier: identifier, adding: added)
    }

    /// Whether both files are a Live Photo already.
    private var isLivePhoto: Bool { mayBeLivePhoto && source.isLivePhoto }

    private func explaining(_ body: () throws -> Void) throws(LivePhotoError) {
        do {
            try body()
        } catch {
            throw LivePhotoLinker.explain(error, photo: source.photo, movie: source.movie)
        }
    }
}

extension SourcePair {
    /// Whether both files are a Live Photo without errors, so that linking has nothing to add.
    fileprivate var isLivePhoto: Bool {
        guard let identifier = try? photoMetadata.contentIdentifier.get(), reader.contentIdentifier == identifier,
            let facts = try? PairFacts(self), let movie = facts.movie.facts,
            movie.isQuickTimeBrand || movie.brand == nil
        else { return false }
        return LivePhotoVerifier().rules.allSatisfy { $0.severity != .error || $0.check(facts).isEmpty }
    }
}
