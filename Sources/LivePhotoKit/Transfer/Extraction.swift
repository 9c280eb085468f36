import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The extraction of a container's pair to a folder.
struct Extraction {
    let target: PublishTarget
    private let container: PairContainer
    private let source: SourcePair

    /// - Throws: `LivePhotoError` if the container cannot be read or does not contain a JPEG or HEIC and a movie.
    init(_ container: PairContainer, name: String?, to directory: FilePath) throws(LivePhotoError) {
        self.container = container
        do {
            source = try SourcePair(
                photo: container.photoFile, bytes: container.photoBytes(), movie: container.movieFile,
                file: container.openMovie(unpackingIn: OutputDirectory.nearest(to: directory)))
            target = try source.target(in: directory, name: name, usual: container.pairName)
        } catch {
            throw LivePhotoLinker.explain(error, photo: container.photoFile, movie: container.movieFile)
        }
    }

    private var stillTime: MediaTime { source.moments.still(at: container.stillTime) }

    /// What the written pair leaves out, moves or takes over though it is wrong: each one sentence.
    var notes: [String] { isLivePhoto ? [] : (try? source.withOneVideo())?.notes ?? [] }

    /// Whether the target has exactly the pair that would be written. For a container without an identifier, the one that
    /// was generated for the target is used. Names and identifiers prove nothing: an edited Live Photo keeps its own.
    var isPresent: Bool {
        guard FileSystem.exists(target.photo), FileSystem.exists(target.movie) else { return false }
        if isLivePhoto { return (try? source.isPresent(at: target)) ?? false }
        guard let report = try? LivePhotoVerifier().verify(photo: target.photo, movie: target.movie), report.isGood,
            let identifier = report.contentIdentifier.flatMap({ ContentIdentifier($0) }),
            identifier == source.identifier ?? identifier,
            let linked = try? LinkedPair(source, stillTime: stillTime, contentIdentifier: identifier)
        else { return false }
        return (try? linked.isPresent(at: target)) ?? false
    }

    /// Checks without writing whether the pair can be written.
    func check(replacing: Bool) throws(LivePhotoError) {
        try explaining {
            if !isLivePhoto { _ = try LinkedPair(source, stillTime: stillTime, contentIdentifier: nil) }
            try target.check(inputs: [source.photo, source.movie], replacing: replacing)
            try Publisher.checkCase(of: [target.photo, target.movie])
        }
    }

    func write(replacing: Bool) throws(LivePhotoError) {
        try explaining {
            try Publisher.checkCase(of: [target.photo, target.movie])
            if isLivePhoto { return try source.copy(to: target, replacing: replacing) }
            let linked = try LinkedPair(source, stillTime: stillTime, contentIdentifier: nil)
            _ = try LivePhotoLinker().write(linked, to: target, replacing: replacing)
        }
    }

    /// Whether the container holds both files of a Live Photo, which need no change.
    private var isLivePhoto: Bool { container.stillTime == nil && source.isLivePhoto }

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
