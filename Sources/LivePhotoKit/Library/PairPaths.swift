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

    /// Finds the file of the other kind with the same name in the same folder. Of several, it is the one with the same
    /// content identifier; if that does not decide, the one with the extension of a Live Photo (`.JPG`, `.HEIC`, `.MOV`).
    ///
    /// - Parameter byIdentifierOnly: Whether the extension must not decide, as for files that are changed.
    /// - Throws: `LivePhotoError` if there is none, or if it is ambiguous.
    package init(besides path: FilePath, byIdentifierOnly: Bool = false) throws(LivePhotoError) {
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
        }.sorted { $0.string < $1.string }
        let missing = isPhoto ? "movie" : "photo"
        guard let first = others.first else {
            throw LivePhotoError(
                .noInput, path, "there is no \(missing) of the same name beside it; give both files")
        }
        let partner =
            others.count == 1
            ? first : Self.partner(of: path, isPhoto: isPhoto, among: others, byIdentifierOnly: byIdentifierOnly)
        guard let partner else {
            let listed = others.map { $0.lastComponent?.string ?? "" }.joined(separator: " and ")
            throw LivePhotoError(
                .noInput, path,
                "there are \(others.count) \(missing)s of the same name beside it (\(listed)), and no content identifier "
                    + "shows which one belongs to it; give both files: \(path) \(first)")
        }
        (photo, movie) = isPhoto ? (path, partner) : (partner, path)
    }

    /// - Returns: Nil if it is ambiguous.
    private static func partner(
        of path: FilePath, isPhoto: Bool, among others: [FilePath], byIdentifierOnly: Bool
    ) -> FilePath? {
        func identifier(_ path: FilePath, ofPhoto isPhoto: Bool) -> String? {
            (isPhoto ? try? PairFinder.Item(photo: path) : try? PairFinder.Item(movie: path))?.identifier
        }
        let own = identifier(path, ofPhoto: isPhoto)
        let linked = own == nil ? [] : others.filter { identifier($0, ofPhoto: !isPhoto) == own }
        if linked.count == 1 { return linked.first }
        guard !byIdentifierOnly else { return nil }
        let ranked = Dictionary(grouping: linked.isEmpty ? others : linked, by: rank)
        return ranked.min { $0.key < $1.key }.flatMap { $0.value.count == 1 ? $0.value.first : nil }
    }

    /// How much a file's extension is like that of a Live Photo, from 0.
    private static func rank(_ path: FilePath) -> Int {
        let usual = ["JPG", "HEIC", "MOV"]
        let kind = path.extension ?? ""
        return usual.contains(kind) ? 0 : usual.contains(kind.uppercased()) ? 1 : 2
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
