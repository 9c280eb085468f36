import LivePhotoKit
import LivePhotoRequests

/// A Live Photo as an argument of `export` and `edit`: a pair of files, or a container of both.
struct LivePhotoSource: Sendable {
    /// As given on the command line.
    let name: String
    /// In a container, the container.
    let photo: FilePath
    /// In a container, the container.
    let movie: FilePath
    /// The name of the result without extension.
    let stem: FilePath.Component
    /// What contains both; nil for two files.
    let container: PairContainer?

    /// The files of a pair.
    ///
    /// - Throws: `LivePhotoError` for a container.
    func files() throws(LivePhotoError) -> PairPaths { try PairPaths(photo, movie) }

    /// Whether the photo is a HEIC.
    var isHEIC: Bool {
        get throws(LivePhotoError) {
            guard let container else { return try PhotoFile.isHEIC(photo) }
            return try container.publishedPhotoExtension() == "HEIC"
        }
    }

    private static let defaultStem: FilePath.Component = "photo"

    private init(_ pair: PairPaths, name: String) {
        (self.name, photo, movie, container) = (name, pair.photo, pair.movie, nil)
        stem = pair.photo.lastComponent?.base ?? Self.defaultStem
    }

    private init(_ container: PairContainer, name: String) {
        (self.name, photo, movie, self.container) = (name, container.path, container.path, container)
        stem = FilePath.Component(container.photoName)?.base ?? Self.defaultStem
    }

    /// The pairs in the order of the arguments. A pair of which both files are given is listed once.
    ///
    /// - Parameter byIdentifierOnly: as for `PairPaths.init(besides:)`.
    /// - Throws: `LivePhotoError` for a file that does not exist or is no part of a pair; `UsageError` for a folder that is
    ///   no bundle.
    static func all(_ arguments: [String], byIdentifierOnly: Bool = false) throws -> [LivePhotoSource] {
        let paths = [FilePath](arguments: arguments)
        // These two belong together even if their names differ.
        if paths.count == 2, !paths.contains(where: LivePhotoFiles.isContainer),
            let pair = try? PairPaths(paths[0], paths[1])
        {
            guard !areOfTwoPairs(pair) else {
                throw UsageError(
                    "\(quoted(arguments[0])) and \(quoted(arguments[1])) are of two pairs; give the photos of both, or the "
                        + "photo and the movie of one")
            }
            return [LivePhotoSource(pair, name: arguments[0])]
        }
        var sources: [LivePhotoSource] = []
        var known: Set<FileIdentity?> = []
        for (path, name) in zip(paths, arguments) {
            if (try? path.stat().type) == .directory, path.extension?.lowercased() != "pvt" {
                throw UsageError(
                    "\(quoted(name)) is a folder; give the photos of pairs, such as \(shellWord(name))/*.JPG")
            }
            let source =
                switch try LivePhotoFiles(path, byIdentifierOnly: byIdentifierOnly) {
                case .container(let container): LivePhotoSource(container, name: name)
                case .pair(let pair): LivePhotoSource(pair, name: name)
                }
            // One file may be written in two ways.
            if known.insert(FileIdentity(source.movie, followingLink: true)).inserted { sources.append(source) }
        }
        return sources
    }

    /// Whether each of the two files has another partner beside it.
    private static func areOfTwoPairs(_ pair: PairPaths) -> Bool {
        guard let ofPhoto = try? PairPaths(besides: pair.photo), let ofMovie = try? PairPaths(besides: pair.movie)
        else { return false }
        return ofPhoto.photo.lexicallyNormalized() != ofMovie.photo.lexicallyNormalized()
    }
}
