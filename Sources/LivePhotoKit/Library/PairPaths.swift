import Bytes
import StillImage
package import SystemPackage

/// The two files of a pair, given in either order, or found by one of them.
package struct PairPaths: Sendable, Hashable {
    package let photo: FilePath
    package let movie: FilePath

    /// Names both files without looking at them.
    package init(photo: FilePath, movie: FilePath) { (self.photo, self.movie) = (photo, movie) }

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

    /// Finds the file of the other kind with the same name in the same folder. Files that belong to another one of that
    /// name by their content identifiers do not count. Of several, it is the one with the same content identifier; if that
    /// does not decide, the one with the extension of a Live Photo (`.JPG`, `.HEIC`, `.MOV`).
    ///
    /// - Parameter byIdentifierOnly: Whether the extension must not decide, as for files that are changed.
    /// - Throws: `LivePhotoError` if there is none, or if it is ambiguous.
    package init(besides path: FilePath, byIdentifierOnly: Bool = false) throws(LivePhotoError) {
        let isPhoto = try Self.isPhoto(path)
        let (photos, movies) = try Self.files(besides: path)
        let (others, rivals) = isPhoto ? (movies, photos) : (photos, movies)
        let missing = isPhoto ? "movie" : "photo"
        guard let first = others.first else {
            let kind = isPhoto || Self.isNamedAsMovie(path) ? "" : "is not a photo, and "
            let advice =
                Self.isNamedAsMovie(path)
                ? ", or make a Live Photo of the clip: livephoto convert \(shellWord(path.string))" : ""
            throw LivePhotoError(
                .noInput, path, "\(kind)there is no \(missing) of the same name beside it; give both files\(advice)")
        }
        let own = Self.item(path, isPhoto: isPhoto)?.identifier
        func owner(of other: PairFinder.Item) -> FilePath? {
            guard let identifier = other.identifier, identifier != own else { return nil }
            return rivals.first { $0.identifier == identifier }?.path
        }
        let free = others.filter { owner(of: $0) == nil }
        if free.isEmpty, let owner = owner(of: first) {
            throw LivePhotoError(
                .noInput, path,
                "the \(missing) of the same name beside it, \(first.path), belongs to \(owner) by its content identifier; "
                    + "give both files of the pair that you mean")
        }
        guard let partner = Self.partner(own, among: free, byIdentifierOnly: byIdentifierOnly) else {
            let listed = free.map { $0.path.lastComponent?.string ?? "" }.joined(separator: " and ")
            throw LivePhotoError(
                .noInput, path,
                "there are \(free.count) \(missing)s of the same name beside it (\(listed)), and no content identifier "
                    + "shows which one belongs to it; give both files: \(path) \(free.first?.path ?? path)")
        }
        (photo, movie) = isPhoto ? (path, partner) : (partner, path)
    }

    /// The other photos and movies with the same name in the same folder, in the order of names.
    private static func files(
        besides path: FilePath
    ) throws(LivePhotoError) -> (photos: [PairFinder.Item], movies: [PairFinder.Item]) {
        let folder = path.removingLastComponent()
        let names: [FilePath.Component]
        do {
            names = try FileSystem.names(in: folder.orCurrentFolder)
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
        let name = PairFinder.Item(path: path, identifier: nil).name
        let others = names.map { folder.appending($0) }.filter {
            PairFinder.Item(path: $0, identifier: nil).name == name && $0.lastComponent != path.lastComponent
        }.sorted { $0.string < $1.string }
        func items(_ extensions: Set<String>, isPhoto: Bool) -> [PairFinder.Item] {
            others.filter { extensions.contains($0.extension?.lowercased() ?? "") }
                .map { item($0, isPhoto: isPhoto) ?? PairFinder.Item(path: $0, identifier: nil) }
        }
        return (items(FileTree.photoExtensions, isPhoto: true), items(FileTree.movieExtensions, isPhoto: false))
    }

    /// Nil if the file cannot be read.
    private static func item(_ path: FilePath, isPhoto: Bool) -> PairFinder.Item? {
        isPhoto ? try? PairFinder.Item(photo: path) : try? PairFinder.Item(movie: path)
    }

    /// - Returns: Nil if it is ambiguous.
    private static func partner(
        _ identifier: StoredIdentifier?, among others: [PairFinder.Item], byIdentifierOnly: Bool
    ) -> FilePath? {
        if others.count == 1 { return others.first?.path }
        let linked = identifier == nil ? [] : others.filter { $0.identifier == identifier }
        if linked.count == 1 { return linked.first?.path }
        guard !byIdentifierOnly else { return nil }
        let ranked = Dictionary(grouping: (linked.isEmpty ? others : linked).map(\.path), by: rank)
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
    package static func isPhoto(_ path: FilePath) throws(LivePhotoError) -> Bool {
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
