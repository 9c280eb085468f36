import MediaModel
import SystemPackage

/// One container's pair on its way to a folder.
struct Extraction {
    let target: PublishTarget
    private let container: PairContainer
    private let source: SourcePair

    /// - Throws: `LivePhotoError` for what cannot be taken apart, or is not a JPEG or HEIC and a movie.
    init(_ container: PairContainer, name: String?, to directory: FilePath) throws(LivePhotoError) {
        self.container = container
        do {
            source = try SourcePair(
                photo: container.photoFile, bytes: container.photoBytes(), movie: container.movieFile,
                file: container.openMovie(unpackingIn: OutputDirectory.nearest(to: directory)))
            target = try source.target(in: directory, name: name ?? container.pairName)
        } catch {
            throw LivePhotoLinker.explain(error, photo: container.photoFile, movie: container.movieFile)
        }
    }

    /// The pair at the target, where it is what would be written: of a container without an identifier, with the one
    /// that was made up for it then. Bytes are compared, since neither names nor identifiers say that two pairs are the
    /// same: an edited Live Photo keeps its own.
    func standing() -> LivePhotoLinker.Result? {
        guard FileIdentity(target.photo) != nil, FileIdentity(target.movie) != nil,
            let report = try? LivePhotoVerifier().verify(photo: target.photo, movie: target.movie), report.isGood,
            let identifier = report.contentIdentifier.flatMap({ ContentIdentifier($0) }),
            identifier == source.identifier ?? identifier,
            let linked = try? LinkedPair(source, stillTime: container.stillTime, contentIdentifier: identifier),
            (try? linked.stand(at: target)) == true
        else { return nil }
        return linked.result(photo: target.photo, movie: target.movie)
    }

    /// What keeps the pair from being written, found out without writing.
    func check(replacing: Bool) throws(LivePhotoError) {
        try explaining {
            _ = try LinkedPair(source, stillTime: container.stillTime, contentIdentifier: nil)
            try target.check(inputs: [source.photo, source.movie], replacing: replacing)
        }
    }

    func write(replacing: Bool) throws(LivePhotoError) -> LivePhotoLinker.Result {
        try explaining {
            let linked = try LinkedPair(source, stillTime: container.stillTime, contentIdentifier: nil)
            return try LivePhotoLinker().write(linked, to: target, replacing: replacing)
        }
    }

    private func explaining<Value>(_ body: () throws -> Value) throws(LivePhotoError) -> Value {
        do {
            return try body()
        } catch {
            throw LivePhotoLinker.explain(error, photo: source.photo, movie: source.movie)
        }
    }
}
