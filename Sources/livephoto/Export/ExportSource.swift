import LivePhotoKit
import LivePhotoRequests

/// A Live Photo to export.
struct ExportSource: Sendable {
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

    private static let defaultStem: FilePath.Component = "photo"

    private init(_ pair: PairPaths, name: String) {
        (self.name, photo, movie, container) = (name, pair.photo, pair.movie, nil)
        stem = pair.photo.lastComponent?.base ?? Self.defaultStem
    }

    private init(_ container: PairContainer, name: String) {
        (self.name, photo, movie, self.container) = (name, container.path, container.path, container)
        stem = FilePath.Component(container.photoName)?.base ?? Self.defaultStem
    }

    /// The pairs in the order of the arguments. A pair of which both files are given is exported once.
    ///
    /// - Throws: `LivePhotoError` for a file that does not exist or is no part of a pair.
    static func all(_ arguments: [String]) throws -> [ExportSource] {
        let paths = arguments.map { FilePath(argument: $0) }
        // These two belong together even if their names differ.
        if paths.count == 2, !paths.contains(where: isContainer), let pair = try? PairPaths(paths[0], paths[1]),
            !areOfTwoPairs(pair)
        {
            return [ExportSource(pair, name: arguments[0])]
        }
        var sources: [ExportSource] = []
        var known: Set<FilePath> = []
        for (path, name) in zip(paths, arguments) {
            let source =
                isContainer(path)
                ? ExportSource(try PairContainer(path), name: name)
                : ExportSource(try PairPaths(besides: path), name: name)
            if known.insert(source.photo.lexicallyNormalized()).inserted { sources.append(source) }
        }
        return sources
    }

    /// Whether each of the two files has another partner beside it.
    private static func areOfTwoPairs(_ pair: PairPaths) -> Bool {
        guard let ofPhoto = try? PairPaths(besides: pair.photo), let ofMovie = try? PairPaths(besides: pair.movie)
        else { return false }
        return ofPhoto.photo.lexicallyNormalized() != ofMovie.photo.lexicallyNormalized()
    }

    /// Whether it is a folder, an archive, or a photo with a movie in it.
    private static func isContainer(_ path: FilePath) -> Bool {
        (try? path.stat().type) == .directory || FileTree.archiveExtensions.contains(path.extension?.lowercased() ?? "")
            || PairPaths.isMotionPhoto(path)
    }
}
