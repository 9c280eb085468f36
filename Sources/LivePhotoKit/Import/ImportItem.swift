import Bytes
import MediaModel
import StillImage
import SystemPackage

/// A folder in the library and a name without extension.
struct ImportPlace: Sendable, Hashable {
    let folder: FilePath
    let name: FilePath.Component
}

/// Something that will be in the library once: a Live Photo or a file. What few of them have is apart from it, because there
/// are many.
struct ImportItem: Sendable {
    enum Content: Sendable, Hashable {
        case livePhoto(photo: FilePath, movie: FilePath, still: MediaTime)
        /// A file or folder that contains a photo and its movie.
        case container(FilePath)
        case file(FilePath)
    }

    private struct Rare {
        var sources: [FilePath]?
        var doubts: [Doubt] = []
        var related: [FilePath] = []
        var dateInside: CaptureDate?
        var partner: FilePath?
        var replaced: [ImportLog.Entry] = []
        var name: FilePath.Component?
    }

    private final class RareBox: Sendable {
        let value: Rare

        init(_ value: Rare) { self.value = value }
    }

    let content: Content
    /// Whether a photo and its movie are in one folder.
    var isInOneFolder = true
    /// The folder in the library; nil until it is known.
    private(set) var folder: FilePath?
    private var box: RareBox?

    private var rare: Rare { box?.value ?? Rare() }

    private mutating func setRare<Value>(_ member: WritableKeyPath<Rare, Value>, _ value: Value) {
        var rare = rare
        rare[keyPath: member] = value
        box = RareBox(rare)
    }

    init(_ content: Content, doubts: [Doubt] = [], sources: [FilePath]? = nil) {
        self.content = content
        if !doubts.isEmpty { self.doubts = doubts }
        if let sources { setRare(\.sources, sources) }
    }

    /// All files that it stands for.
    var sources: [FilePath] {
        if let sources = box?.value.sources { return sources }
        return switch content {
        case .livePhoto(let photo, let movie, _): [photo, movie]
        case .container(let path), .file(let path): [path]
        }
    }

    var doubts: [Doubt] {
        get { box?.value.doubts ?? [] }
        set { setRare(\.doubts, newValue) }
    }

    /// Other files that the doubts are about.
    var related: [FilePath] {
        get { box?.value.related ?? [] }
        set { if !newValue.isEmpty || box != nil { setRare(\.related, newValue) } }
    }

    /// The date of an archive's photo or movie.
    var dateInside: CaptureDate? {
        get { box?.value.dateInside }
        set { setRare(\.dateInside, newValue) }
    }

    /// The photo that tells when a movie was taken that does not say so itself.
    var partner: FilePath? {
        get { box?.value.partner }
        set { if newValue != nil || box != nil { setRare(\.partner, newValue) } }
    }

    /// Items of the library that it replaces, because it has more: the movie of a photo was found.
    var replaced: [ImportLog.Entry] {
        get { box?.value.replaced ?? [] }
        set { if !newValue.isEmpty || box != nil { setRare(\.replaced, newValue) } }
    }

    /// The folder in the library, and the name without extension.
    var place: ImportPlace? {
        get { folder.map { ImportPlace(folder: $0, name: box?.value.name ?? baseName) } }
        set {
            folder = newValue?.folder
            let name = newValue?.name == baseName ? nil : newValue?.name
            if name != nil || box?.value.name != nil { setRare(\.name, name) }
        }
    }

    /// The photo of a Live Photo, or the file.
    var path: FilePath {
        switch content {
        case .livePhoto(let path, _, _), .container(let path), .file(let path): path
        }
    }

    /// How much is known about it besides its own metadata.
    var knowledge: Int { OutsidePairMetadata.knowledge(photo: path, movie: sources.last ?? path) }

    /// Whether it is a photo with a movie.
    var isLivePhoto: Bool { if case .file = content { false } else { true } }

    /// Whether it is a photo with or without a movie, by its name.
    var isPhoto: Bool { isLivePhoto || FileTree.photoExtensions.contains(path.extension?.lowercased() ?? "") }

    /// Whether it is a raw picture of a camera, by its name.
    var isRaw: Bool {
        guard case .file(let path) = content else { return false }
        return Self.rawExtensions.contains(path.extension?.lowercased() ?? "")
    }

    static let rawExtensions: Set<String> = [
        "3fr", "arw", "cr2", "cr3", "dng", "erf", "mrw", "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2",
        "srf", "srw", "x3f",
    ]

    /// The name that it would have, without extension.
    var baseName: FilePath.Component {
        guard let name = path.lastComponent else { return "photo" }
        return isLivePhoto ? PairContainer.stillName(of: name.base) : name.base
    }

    /// The date by which it is sorted, and where that comes from.
    func date() -> CaptureDate? {
        let movie: FilePath? = if case .livePhoto(_, let movie, _) = content { movie } else { nil }
        let rawDate = isRaw ? (try? InputFile(path)).flatMap { CaptureDate(ofTIFF: $0) } : nil
        return dateInside ?? rawDate ?? DateFolders.date(ofPhoto: path, movie: movie ?? path)
            ?? partner.flatMap { DateFolders.date(ofPhoto: $0, movie: $0) }
    }
}
