import Bytes
import MediaModel
import StillImage
import SystemPackage

/// A folder in the library and a name without extension.
struct ImportPlace: Sendable, Hashable {
    let folder: FilePath
    let name: FilePath.Component
}

/// Something that will be in the library once: a Live Photo or a file.
struct ImportItem: Sendable {
    enum Content: Sendable, Hashable {
        case livePhoto(photo: FilePath, movie: FilePath, StillMoment)
        /// A file or folder that contains a photo and its movie.
        case container(FilePath)
        case file(FilePath)
    }

    let content: Content
    /// All files that it stands for.
    let sources: [FilePath]
    var doubts: [Doubt] = []
    /// Other files that the doubts are about.
    var related: [FilePath] = []
    /// The date of an archive's photo or movie.
    var dateInside: CaptureDate?
    /// The photo that tells when a movie was taken that does not say so itself.
    var partner: FilePath?
    /// Whether a photo and its movie are in one folder.
    var isInOneFolder = true
    /// Items of the library that it replaces, because it has more: the movie of a photo was found.
    var replaced: [ImportLog.Entry] = []
    /// The folder in the library, and the name without extension.
    var place: ImportPlace?

    init(_ content: Content, doubts: [Doubt] = [], sources: [FilePath]? = nil) {
        (self.content, self.doubts) = (content, doubts)
        self.sources =
            sources
            ?? {
                switch content {
                case .livePhoto(let photo, let movie, _): [photo, movie]
                case .container(let path), .file(let path): [path]
                }
            }()
    }

    /// The photo of a Live Photo, or the file.
    var path: FilePath { sources.first ?? "" }

    /// Whether it is a photo with a movie.
    var isLivePhoto: Bool { if case .file = content { false } else { true } }

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
