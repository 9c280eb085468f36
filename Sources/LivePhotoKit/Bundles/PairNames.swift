import MediaModel
import SystemPackage

/// The only photo and the only movie in a container, by the names of its files.
struct PairNames {
    /// Including folders.
    let photo: String
    let movie: String

    /// - Throws: `LivePhotoError` unless there is exactly one of each.
    init(_ names: [String], in container: FilePath) throws(LivePhotoError) {
        let visible = names.filter { !$0.hasSuffix("/") && !$0.hasPrefix("__MACOSX/") && !Self.last($0).hasPrefix(".") }
        func of(_ kinds: Set<String>) -> [String] {
            visible.filter { kinds.contains(Self.parts(Self.last($0)).kind.lowercased()) }
        }
        let (photos, movies) = (of(FileTree.photoExtensions), of(FileTree.movieExtensions))
        guard photos.count == 1, movies.count == 1, let photo = photos.first, let movie = movies.first else {
            throw LivePhotoError(
                .unusableMedia, container,
                "holds \(Self.listed(photos, "photo")) and \(Self.listed(movies, "movie")), and a pair is one of each")
        }
        (self.photo, self.movie) = (photo, movie)
    }

    /// Names for the extracted files: without folders, and `IMG_1.HEIC` for Baidu's `IMG_1.HEIC.heic`.
    ///
    /// - Throws: `LivePhotoError` for names that cannot be used.
    func fileNames(in container: FilePath) throws(LivePhotoError) -> (photo: String, movie: String) {
        func name(_ entry: String) throws(LivePhotoError) -> String {
            let name = Self.last(entry)
            let (stem, kind) = Self.parts(name)
            let (inner, innerKind) = Self.parts(stem)
            let isDouble = FileTree.photoExtensions.contains(innerKind.lowercased()) && !inner.isEmpty
            let result =
                !isDouble ? name : innerKind.lowercased() == kind.lowercased() ? stem : "\(inner).\(kind)"
            let isName = !stem.isEmpty && !result.unicodeScalars.contains(where: isControl)
            guard isName else {
                throw LivePhotoError(.unusableMedia, container, "holds a file whose name cannot be used")
            }
            return result
        }
        return (try name(photo), try name(movie))
    }

    /// The part after the last slash or backslash.
    private static func last(_ name: String) -> String {
        name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
    }

    /// The parts before and after the last full stop.
    private static func parts(_ name: String) -> (stem: String, kind: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    private static let shownNames = 4

    private static func listed(_ names: [String], _ what: String) -> String {
        guard !names.isEmpty else { return "no \(what)" }
        let joined = names.prefix(shownNames).joined(separator: ", ") + (names.count > shownNames ? ", …" : "")
        return "\(counted(names.count, what)) (\(printable(joined)))"
    }
}
