import Bytes
import StillImage
package import SystemPackage

/// The two files of a pair, given in either order, or found by one of them.
package struct PairPaths: Sendable, Hashable {
    package let photo: FilePath
    package let movie: FilePath

    /// - Throws: `LivePhotoError` if one does not exist, or both are of one kind.
    package init(_ first: FilePath, _ second: FilePath) throws(LivePhotoError) {
        switch (try Self.isPhoto(first), try Self.isPhoto(second)) {
        case (true, false): (photo, movie) = (first, second)
        case (false, true): (photo, movie) = (second, first)
        case (true, true): throw LivePhotoError(.invalidRequest, second, "is a photo like the first; give its movie")
        // A photo in another format is reported when it is read.
        case (false, false) where Self.isNamedAsMovie(second) && !Self.isNamedAsMovie(first):
            (photo, movie) = (first, second)
        case (false, false) where Self.isNamedAsMovie(first) && !Self.isNamedAsMovie(second):
            (photo, movie) = (second, first)
        case (false, false):
            throw LivePhotoError(
                .invalidRequest, second, "is not a photo, and neither is the first file; give one photo")
        }
    }

    /// Finds the file of the other kind with the same name in the same folder.
    ///
    /// - Throws: `LivePhotoError` if there is none, or more than one.
    package init(besides path: FilePath) throws(LivePhotoError) {
        let isPhoto = try Self.isPhoto(path)
        let folder = path.removingLastComponent()
        let names: [FilePath.Component]
        do {
            names = try FileSystem.names(in: folder.orCurrentFolder)
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
        let extensions = isPhoto ? FileTree.movieExtensions : FileTree.photoExtensions
        let others = names.map { folder.appending($0) }.filter {
            $0.stem == path.stem && extensions.contains($0.extension?.lowercased() ?? "")
        }
        let missing = isPhoto ? "movie" : "photo"
        guard let other = others.first, others.count == 1 else {
            throw LivePhotoError(
                .noInput, path,
                others.isEmpty
                    ? "there is no \(missing) of the same name beside it; give both files"
                    : "there are \(others.count) \(missing)s of the same name beside it; give both files")
        }
        (photo, movie) = isPhoto ? (path, other) : (other, path)
    }

    private static func isNamedAsMovie(_ path: FilePath) -> Bool {
        FileTree.movieExtensions.contains(path.extension?.lowercased() ?? "")
    }

    /// By the extension, or if that is unknown by the content.
    private static func isPhoto(_ path: FilePath) throws(LivePhotoError) -> Bool {
        do {
            let file = try InputFile(path)
            let kind = path.extension?.lowercased() ?? ""
            if FileTree.movieExtensions.contains(kind) { return false }
            let head = try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize)
            return FileTree.photoExtensions.contains(kind) || PhotoMetadata.Format(of: head) != nil
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}
