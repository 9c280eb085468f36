import Bytes
public import MediaModel
import QuickTime
import StillImage
public import SystemPackage

/// A file or folder that contains a photo and its movie. `PairTransfer` creates containers.
///
/// ```swift
/// let container = try PairContainer("PXL_1.MP.jpg")
/// try container.writePhoto(to: "PXL_1.jpg")
/// try container.writeMovie(to: "PXL_1.mp4")
/// ```
///
/// Both are written byte for byte, except that the metadata about the movie is removed from a motion photo, and a content
/// identifier that `PairTransfer` moved to XMP is in the MakerNote again. They need not be linked like the files of a Live
/// Photo.
public struct PairContainer: Sendable {
    /// How the container stores the pair.
    public enum Kind: String, Sendable, Hashable {
        /// The folder that Photos and AirDrop create on a Mac.
        case pvt
        /// Baidu's archive.
        case livp
        /// Another ZIP archive.
        case zip
        /// Google's Motion Photo, a JPEG or HEIC.
        case motionPhoto = "motion-photo"
        /// The predecessor of Motion Photo.
        case microVideo = "micro-video"
        /// A JPEG or HEIC with the trailer of Samsung's cameras.
        case samsung
        /// A JPEG or HEIC with the trailer of Huawei's and Honor's cameras.
        case huawei
        /// A JPEG or HEIC in which a movie was found that nothing describes.
        case undescribed
    }

    /// A format that pairs can be packed into.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// The folder that Photos and AirDrop create on a Mac.
        case pvt
        /// A ZIP archive with that folder, which the Files app of an iPhone unpacks.
        case pvtZip = "pvt.zip"
        /// Baidu's archive.
        case livp
        /// Google's Motion Photo 1.0.
        case motionPhoto = "motion-photo"
    }

    /// The file or folder.
    public let path: FilePath
    /// How it stores the pair, by its content.
    public let kind: Kind
    /// The time in the movie at which the photo was taken, in microseconds; nil if the container has none.
    public let stillTime: MediaTime?
    /// The photo's name, or a suggested one; always a plain file name.
    public let photoName: String
    /// The movie's name, or a suggested one; always a plain file name.
    public let movieName: String
    /// The photo's name without its extension.
    let pairName: FilePath.Component

    enum Photo: Sendable {
        case stored(StoredPart)
        case still(MotionPhoto)
    }

    let photo: Photo
    let movie: StoredPart

    /// Opens a file or folder and finds its photo and movie.
    ///
    /// - Throws: `LivePhotoError` if it does not exist or does not contain exactly one photo and one movie.
    public init(_ path: FilePath) throws(LivePhotoError) {
        do {
            try self.init(opening: path)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Nil for an ordinary photo or archive: one that does not contain exactly one photo and one movie and is not named
    /// `.pvt` or `.livp`.
    ///
    /// - Throws: `LivePhotoError` if it does not exist or is damaged.
    init?(ifPairIn path: FilePath) throws(LivePhotoError) {
        do {
            try self.init(opening: path)
        } catch is HoldsNoPair where !["pvt", "livp"].contains(path.extension?.lowercased()) {
            return nil
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// The file or folder is not a container of a pair, but is not damaged either.
    private struct HoldsNoPair: Error {
        let reason: String
        /// Whether a movie beside it may be meant, as some phones write a JPEG and an MP4 instead of one file.
        var mayHaveMovieBeside = false
    }

    private init(opening path: FilePath) throws {
        if try path.stat().type == .directory {
            try self.init(folder: path)
            return
        }
        let file = try InputFile(path)
        let head = try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize)
        if ZipDirectory.isZip(head) {
            try self.init(archive: file)
        } else if PhotoMetadata.Format(of: head) != nil {
            try self.init(motionPhoto: file)
        } else {
            throw HoldsNoPair(reason: "is not a .pvt folder, a ZIP archive or a motion photo")
        }
    }

    private init(folder: FilePath) throws {
        guard folder.isNamedAsBundle else {
            throw HoldsNoPair(reason: "is a folder whose name does not end in .pvt")
        }
        // Symbolic links could lead anywhere.
        let names = try FileSystem.names(in: folder).filter {
            try folder.appending($0).stat(followTargetSymlink: false).type == .regular
        }
        let pair = try PairNames(names.map { FileText($0.bytes) }, in: folder)
        let (photo, movie) = (names[pair.photo], names[pair.movie])
        self.init(
            folder, .pvt, photo.base, names: (photo.string, movie.string), stillTime: nil,
            photo: .stored(.file(try InputFile(folder.appending(photo)))),
            movie: .file(try InputFile(folder.appending(movie))))
    }

    /// One of several bundles in an archive, as `PairTransfer.packTogether` writes them.
    package struct Bundle: Sendable {
        /// Of the folder, without `.pvt`.
        let name: FilePath.Component
        fileprivate var entries: [ZipDirectory.Entry] = []
    }

    /// - Throws: `LivePhotoError`.
    package init(_ path: FilePath, bundle: Bundle) throws(LivePhotoError) {
        do {
            try self.init(archive: InputFile(path), bundle: bundle)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// The bundles of an archive with several; none for any other file.
    package static func bundles(in path: FilePath) -> [Bundle] {
        guard FileTree.archiveExtensions.contains(path.extension?.lowercased() ?? ""), let file = try? InputFile(path),
            let entries = try? ZipDirectory(file).entries
        else { return [] }
        var places: [[UInt8]: Int] = [:]
        var bundles: [Bundle] = []
        for entry in entries {
            guard let slash = entry.name.bytes.firstIndex(of: UInt8(ascii: "/")) else { continue }
            let folder = FileText(entry.name.bytes[..<slash])
            if places[Array(folder.bytes)] == nil {
                guard folder.lowercasedASCII.hasSuffix(".pvt"),
                    let name = FilePath.Component("\(folder.string(limit: FileName.limit).dropLast(4))"),
                    name.kind == .regular
                else { continue }
                places[Array(folder.bytes)] = bundles.count
                bundles.append(Bundle(name: name))
            }
            if let place = places[Array(folder.bytes)] { bundles[place].entries.append(entry) }
        }
        return bundles.count > 1 ? bundles : []
    }

    private init(archive: InputFile, bundle: Bundle? = nil) throws {
        let entries = try bundle?.entries ?? ZipDirectory(archive).entries
        let pair: PairNames
        do throws(LivePhotoError) {
            pair = try PairNames(entries.map(\.name), in: archive.path)
        } catch {
            let isOfMany = bundle == nil && !Self.bundles(in: archive.path).isEmpty
            throw HoldsNoPair(
                reason: isOfMany
                    ? "holds several Live Photos; livephoto extract \(shellWord(archive.path.string)) makes files of them"
                    : error.reason)
        }
        let (photo, movie) = (entries[pair.photo], entries[pair.movie])
        let isLIVP = archive.path.extension?.lowercased() == "livp"
        self.init(
            archive.path, isLIVP ? .livp : .zip, bundle?.name, names: try pair.fileNames(in: archive.path),
            stillTime: nil,
            photo: .stored(.entry(photo, archive)), movie: .entry(movie, archive))
    }

    private init(motionPhoto file: InputFile) throws {
        let reader = try PhotoReader(file)
        guard let video = try EmbeddedVideo(reader) else {
            throw HoldsNoPair(reason: "is a photo without a movie in it", mayHaveMovieBeside: true)
        }
        let movie = InputFile(video.range, of: file)
        let stillTime: MediaTime?
        do {
            let movie = try MovieReader(movie)
            try movie.checkPlayable(strictly: video.isFoundBySearching)
            stillTime = try video.stillTime(in: movie)
        } catch let error as any CustomStringConvertible & Error where !(error is Errno) {
            let reason = "has a movie in it that cannot be played: \(error)"
            guard video.kind != .undescribed else { throw HoldsNoPair(reason: reason) }
            throw LivePhotoError(.unusableMedia, file.path, reason, cause: error)
        }
        let kind: Kind =
            switch video.kind {
            case .motionPhoto, .motionPhotoBox: .motionPhoto
            case .microVideo: .microVideo
            case .samsung: .samsung
            case .huawei: .huawei
            case .undescribed: .undescribed
            }
        let name = Self.stillName(of: file.path.lastComponent?.base ?? Self.defaultName)
        self.init(
            file.path, kind, name, names: ("\(name).\(file.path.extension ?? "jpg")", "\(name).mp4"),
            stillTime: stillTime, photo: .still(try MotionPhoto(reader)),
            movie: .file(movie))
    }

    /// `PXL_1` for `PXL_1.MP`, and `PXL_1~2` for the edited `PXL_1.MP~2`: without its movie, it is no longer a motion photo.
    static func stillName(of stem: FilePath.Component) -> FilePath.Component {
        guard let mark = stem.extension, mark.lowercased().hasPrefix("mp"),
            mark.count == 2 || mark.dropFirst(2).hasPrefix("~")
        else { return stem }
        return stem.base.appending(String(mark.dropFirst(2)))
    }

    private static func linkAdvice(for photo: FilePath) -> String {
        guard let movie = try? PairPaths(besides: photo).movie else { return "" }
        if (try? LivePhoto(photo: photo, movie: movie)) != nil {
            return "; it and \(movie) are a Live Photo of two files already"
        }
        return "; to make a Live Photo of it and the movie beside it: livephoto link \(shellWord(photo.string)) "
            + "\(shellWord(movie.string)) --in-place"
    }

    private init(
        _ path: FilePath, _ kind: Kind, _ pairName: FilePath.Component? = nil, names: (photo: String, movie: String),
        stillTime: MediaTime?, photo: Photo, movie: StoredPart
    ) {
        (self.path, self.kind, self.stillTime, self.photo, self.movie) = (path, kind, stillTime, photo, movie)
        (photoName, movieName) = (names.photo, names.movie)
        self.pairName = pairName ?? FilePath.Component(names.photo)?.base ?? Self.defaultName
    }

    /// Of a photo without a usable name.
    private static let defaultName: FilePath.Component = "photo"

    /// Writes the photo to a new file, which appears only when it is complete.
    ///
    /// - Throws: `LivePhotoError`; with the code `outputExists` for an existing file.
    public func writePhoto(to target: FilePath) throws(LivePhotoError) {
        try Self.create(target, of: path) { output in
            switch photo {
            case .stored(let part): try part.write(to: output)
            case .still(let photo): try photo.still().write(to: output)
            }
        }
    }

    /// Writes the movie to a new file, as `writePhoto`.
    public func writeMovie(to target: FilePath) throws(LivePhotoError) {
        try Self.create(target, of: path) { try movie.write(to: $0) }
    }

    private static func create(
        _ target: FilePath, of source: FilePath, _ body: (OutputFile) throws -> Void
    ) throws(LivePhotoError) {
        try Publisher.check([target], replacing: false)
        guard let name = target.lastComponent else { throw LivePhotoError(writing: target, Errno.isDirectory) }
        let publisher = try Publisher([.init(name)], in: target.folder)
        do {
            try publisher.write(name) { output in
                do {
                    try body(output)
                } catch let error as Errno where ![.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(error) {
                    // Reading failed, rather than writing.
                    throw failure(error, source)
                }
            }
        } catch {
            throw failure(error, source)
        }
        try publisher.publish(replacing: false)
    }

    static func failure(_ error: any Error, _ path: FilePath) -> LivePhotoError {
        switch error {
        case let error as LivePhotoError: error
        case let error as HoldsNoPair:
            LivePhotoError(
                .unusableMedia, path, error.reason + (error.mayHaveMovieBeside ? linkAdvice(for: path) : ""))
        case let error as ParseError:
            LivePhotoError(.unusableMedia, path, "cannot be read: \(error)", cause: error)
        default: LivePhotoError(reading: path, error)
        }
    }
}
