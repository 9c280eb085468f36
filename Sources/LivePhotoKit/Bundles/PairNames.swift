import MediaModel
import SystemPackage

/// The only photo and the only movie in a container, by the names of its files.
struct PairNames {
    /// Places in the list of names.
    let photo: Int
    let movie: Int
    private let names: [FileText]

    /// - Parameter names: including folders.
    /// - Throws: `LivePhotoError` unless there is exactly one of each.
    init(_ names: [FileText], in container: FilePath) throws(LivePhotoError) {
        let visible = names.indices.filter {
            !names[$0].hasSuffix("/") && !names[$0].hasPrefix("__MACOSX/") && !Self.last(names[$0]).hasPrefix(".")
        }
        func of(_ kinds: Set<String>) -> [Int] {
            visible.filter { Self.isKind(Self.parts(Self.last(names[$0])).kind, of: kinds) }
        }
        let (photos, movies) = (of(FileTree.photoExtensions), of(FileTree.movieExtensions))
        guard photos.count == 1, movies.count == 1, let photo = photos.first, let movie = movies.first else {
            func listed(_ places: [Int], _ what: String) -> String { Self.listed(places.map { names[$0] }, what) }
            throw LivePhotoError(
                .unusableMedia, container,
                "holds \(listed(photos, "photo")) and \(listed(movies, "movie")), and a pair is one of each")
        }
        (self.photo, self.movie, self.names) = (photo, movie, names)
    }

    /// Names for the extracted files: without folders, and `IMG_1.HEIC` for Baidu's `IMG_1.HEIC.heic`.
    ///
    /// - Throws: `LivePhotoError` for names that cannot be used.
    func fileNames(in container: FilePath) throws(LivePhotoError) -> (photo: String, movie: String) {
        func name(_ entry: FileText) throws(LivePhotoError) -> String {
            let name = Self.last(entry)
            let (stem, kind) = Self.parts(name)
            let (inner, innerKind) = Self.parts(stem)
            let isDouble = Self.isKind(innerKind, of: FileTree.photoExtensions) && !inner.isEmpty
            let result: FileText =
                !isDouble ? name : innerKind.lowercasedASCII == kind.lowercasedASCII ? stem : "\(inner).\(kind)"
            let text = result.string(limit: FileName.limit)
            guard !stem.isEmpty, result.bytes.count <= FileName.limit, !text.unicodeScalars.contains(where: isControl)
            else { throw LivePhotoError(.unusableMedia, container, "holds a file whose name cannot be used") }
            return text
        }
        return (try name(names[photo]), try name(names[movie]))
    }

    /// The part after the last slash or backslash.
    private static func last(_ name: FileText) -> FileText {
        let start = name.bytes.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return start.map { FileText(name.bytes[($0 + 1)...]) } ?? name
    }

    /// The parts before and after the last full stop.
    private static func parts(_ name: FileText) -> (stem: FileText, kind: FileText) {
        guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")) else { return (name, "") }
        return (FileText(name.bytes[..<dot]), FileText(name.bytes[(dot + 1)...]))
    }

    private static func isKind(_ text: FileText, of kinds: Set<String>) -> Bool {
        kinds.contains { text.lowercasedASCII.bytes.elementsEqual($0.utf8) }
    }

    private static let shownNames = 4

    private static func listed(_ names: [FileText], _ what: String) -> String {
        guard !names.isEmpty else { return "no \(what)" }
        let joined = names.prefix(shownNames).map { $0.shown(60) }.joined(separator: ", ")
        return "\(counted(names.count, what)) (\(joined)\(names.count > shownNames ? ", …" : ""))"
    }
}

// MARK: Names that are written

extension PairNames {
    /// A name for a file in a container: its own, but without what archives and other systems do not hold or programs skip,
    /// so that everything that is packed can be unpacked again. Replaced are control characters, backslashes, bytes that
    /// are not UTF-8, and a full stop at the beginning, which hides a file.
    ///
    /// - Parameters:
    ///   - name: nil for a file without a name.
    ///   - reserve: bytes of the extension that follows.
    static func written(_ name: FilePath.Component?, reserve: Int = 0) -> FileText {
        let own = FileText(name?.bytes ?? [])
        var text = String.UnicodeScalarView()
        var bytes = 0
        for scalar in own.string(limit: FileName.limit).unicodeScalars {
            let isUsable = !isControl(scalar) && scalar != "\\" && scalar != "\u{FFFD}"
            let kept: Unicode.Scalar = isUsable && !(text.isEmpty && scalar == ".") ? scalar : "_"
            bytes += UTF8.width(kept)
            guard bytes <= FileName.limit - reserve else { break }
            text.append(kept)
        }
        return text.isEmpty ? "photo" : FileText(String(text))
    }
}
