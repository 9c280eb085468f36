package import SystemPackage

/// What a path of a Live Photo leads to: a pair of files, or a container of both.
package enum LivePhotoFiles: Sendable {
    case pair(PairPaths)
    case container(PairContainer)

    /// - Parameters:
    ///   - path: A photo or movie, whose other file is beside it and has the same name; a bundle, an archive or a motion
    ///     photo.
    ///   - byIdentifierOnly: As for `PairPaths.init(besides:)`.
    /// - Throws: `LivePhotoError` for a file that does not exist or is no part of a pair.
    package init(_ path: FilePath, byIdentifierOnly: Bool = false) throws(LivePhotoError) {
        self =
            Self.isContainer(path)
            ? .container(try PairContainer(path))
            : .pair(try PairPaths(besides: path, byIdentifierOnly: byIdentifierOnly))
    }

    /// Whether it is a folder, an archive, or a photo with a movie in it that is not the photo of a Live Photo.
    package static func isContainer(_ path: FilePath) -> Bool {
        if (try? path.stat().type) == .directory { return true }
        if FileTree.archiveExtensions.contains(path.extension?.lowercased() ?? "") { return true }
        guard PairPaths.isMotionPhoto(path) else { return false }
        let pair = try? PairPaths(besides: path, byIdentifierOnly: true)
        return pair.map { (try? LivePhoto(photo: $0.photo, movie: $0.movie)) == nil } ?? true
    }

    /// Whether it is a file that belongs to no Live Photo and is none by itself, by its extension and content: a clip, or a
    /// file that no program here reads.
    package static func isClip(_ path: FilePath) -> Bool {
        let kind = path.extension?.lowercased() ?? ""
        guard (try? path.stat().type) == .regular, !FileTree.photoExtensions.contains(kind),
            !FileTree.archiveExtensions.contains(kind), (try? PairPaths.isPhoto(path)) == false
        else { return false }
        guard case .pair(let pair)? = try? LivePhotoFiles(path) else { return true }
        return (try? LivePhoto(photo: pair.photo, movie: pair.movie)) == nil
    }
}
