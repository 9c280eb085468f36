import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// A photo and a movie that are linked or unlinked.
struct SourcePair {
    let photo: FilePath
    let movie: FilePath
    let reader: MovieReader
    let moments: MovieMoments
    private let photoBytes: [UInt8]
    let photoMetadata: PhotoMetadata
    /// Which of several video tracks is kept, as a sentence; nil for a movie with one.
    private var videoNote: String?

    /// - Parameter command: What the pair is read for, for errors.
    /// - Throws: `LivePhotoError` for files that do not exist or are not a JPEG or HEIC and a movie.
    init(photo: FilePath, movie: FilePath, for command: InPlaceUndo.Command = .link) throws {
        func opened<Value>(_ path: FilePath, _ open: () throws -> Value) throws(LivePhotoError) -> Value {
            do {
                return try open()
            } catch {
                throw LivePhotoError(reading: path, error)
            }
        }
        let photoBytes = try opened(photo) { try InputFile(photo).contents(limit: PhotoEditor.fileSizeLimit) }
        try self.init(
            photo: photo, bytes: photoBytes, movie: movie, file: opened(movie) { try InputFile(movie) }, for: command)
    }

    /// - Parameters:
    ///   - photo: The file that contains the photo's bytes.
    ///   - movie: The file that contains the movie.
    ///   - file: The movie, which may be a part of that file.
    ///   - command: What the pair is read for, for errors.
    /// - Throws: `LivePhotoError` for files that are not a JPEG or HEIC and a movie.
    init(
        photo: FilePath, bytes: [UInt8], movie: FilePath, file: InputFile, for command: InPlaceUndo.Command = .link
    ) throws {
        self.photo = photo
        self.movie = movie
        photoBytes = bytes
        do {
            reader = try MovieReader(file)
            moments = try MovieMoments(reader)
        } catch let error as MovieEditError {
            throw error
        } catch let error as ParseError {
            throw LivePhotoError(
                unreadable: movie, error,
                advice: photo == movie ? "" : "; \(Self.conversionAdvice(photo: photo, movie: movie))")
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
        guard let format = PhotoMetadata.Format(of: photoBytes), format != .avif else {
            let kind = photo.extension?.lowercased() ?? ""
            let isOther =
                PhotoMetadata.Format(of: photoBytes) == .avif || ["png", "tif", "tiff", "webp"].contains(kind)
            throw LivePhotoError(
                .unusableMedia, photo,
                isOther
                    ? "is neither a JPEG nor a HEIC; livephoto convert MOVIE --photo PHOTO makes a key photo of it"
                    : FileTree.photoExtensions.contains(kind)
                        ? "is neither a JPEG nor a HEIC, whatever its name says; it may be damaged" : "is not a photo")
        }
        photoMetadata = try PhotoMetadata(photoBytes)
    }

    /// How a movie that cannot be linked as it is becomes a Live Photo. `convert` does not take a file that contains both.
    static func conversionAdvice(photo: FilePath, movie: FilePath) -> String {
        photo == movie
            ? "livephoto export FILE --as mp4 and --as jpeg make a clip and a photo of it, for livephoto convert CLIP --photo PHOTO"
            : "livephoto convert MOVIE --photo PHOTO re-encodes it"
    }

    /// The same pair with another description of its movie.
    ///
    /// - Throws: `MovieEditError` for a movie without a frame.
    func replacingMovie(_ reader: MovieReader) throws -> SourcePair {
        try SourcePair(self, reader)
    }

    /// The same pair with a movie that has the one video track that players show. Some phones write a second one in another
    /// size, and Live Photos have one.
    ///
    /// - Throws: `MovieEditError` for a movie that cannot be changed; `Errno` of pread(2).
    func withOneVideo() throws -> SourcePair {
        let count = reader.videoTrackCount
        guard count > 1, let shown = reader.shownVideo else { return self }
        var copy = try replacingMovie(reader.withOneVideo())
        copy.videoNote =
            "the movie has \(count) video tracks; track \(shown.id), which players show, is kept, and the others are left out"
        return copy
    }

    /// What a linked pair leaves out, moves or takes over though it is wrong: each one sentence.
    var notes: [String] {
        var notes = [videoNote].compactMap(\.self)
        // A photo in an archive or a motion photo is no file of its own.
        let reader = try? PhotoReader(InputFile(photo))
        if reader?.isCutOff == true { notes.append("\(PhotoReader.cutOffReason); look for another copy") }
        if photo != movie, reader?.isMotionPhoto == true {
            notes.append("the photo keeps a movie of its own, which some galleries play instead of the linked one")
        }
        if case .failure(.notApples) = photoMetadata.contentIdentifier {
            notes.append(
                "the photo's MakerNote is moved, because Apple's takes its place; exiftool finds it there, exiv2 does not"
            )
        }
        if photoMetadata.strayByteCount > 0 {
            notes.append(
                "the photo has \(counted(photoMetadata.strayByteCount, "byte")) between its segments that belong to none; "
                    + "decoders skip them")
        }
        return notes
    }

    private init(_ pair: SourcePair, _ reader: MovieReader) throws {
        videoNote = pair.videoNote
        (photo, movie, photoBytes, photoMetadata) = (pair.photo, pair.movie, pair.photoBytes, pair.photoMetadata)
        self.reader = reader
        moments = try MovieMoments(reader)
    }

    /// The existing identifier; nil if there is none, or if the files have different ones.
    var identifier: ContentIdentifier? {
        let found = [try? photoMetadata.contentIdentifier.get(), reader.contentIdentifier].compactMap {
            $0.flatMap { ContentIdentifier($0) }
        }
        return found.allSatisfy { $0 == found.first } ? found.first : nil
    }

    /// The capture date that the photo states.
    var statedPhotoDate: StatedDate? {
        // A photo in an archive is no file of its own.
        PhotoReader.statedDate(of: photo) ?? photoMetadata.exif?.captureDate.map { .date($0) }
    }

    /// Copies both files byte for byte.
    ///
    /// - Parameters:
    ///   - asHardLinks: Whether the files get second names instead, if the file system allows that. Files that are replaced may
    ///     be such names.
    ///   - check: Called with the complete copies before they appear.
    /// - Throws: `LivePhotoError`; `Errno` of reading; errors of `check`.
    func copy(
        to target: PublishTarget, asHardLinks: Bool = false, replacing: Bool,
        check: (FilePath, FilePath) throws -> Void = { _, _ in }
    ) throws {
        try target.check(inputs: asHardLinks ? [] : [photo, movie], replacing: replacing)
        let publisher = try target.publisher()
        func copy(_ source: FilePath, to name: FilePath.Component, _ write: (OutputFile) throws -> Void) throws {
            let staged = publisher.stagedPath(name)
            if asHardLinks, (try? FileSystem.addName(staged, of: source)) != nil { return }
            try publisher.write(name, write)
            try FileTimes(of: source).set(staged)
        }
        try copy(photo, to: target.photoName) { try $0.write(photoBytes) }
        try copy(movie, to: target.movieName) { try FilePieces(reader.file).write(to: $0) }
        try check(publisher.stagedPath(target.photoName), publisher.stagedPath(target.movieName))
        try publisher.publish(replacing: replacing, durability: .leftToSystem)
    }

    /// Whether the two files at a target have exactly the contents of these.
    ///
    /// - Throws: `Errno` of reading.
    func isPresent(at target: PublishTarget) throws -> Bool {
        try FilePieces(reader.file).areContent(of: InputFile(target.movie))
            && InputFile(target.photo).contents(limit: PhotoEditor.fileSizeLimit) == photoBytes
    }

    /// Whether the photo's file has exactly this content.
    func hasPhoto(_ bytes: [UInt8]) -> Bool { bytes == photoBytes }

    var photoItem: PairFinder.Item {
        PairFinder.Item(
            path: photo, identifier: (try? photoMetadata.contentIdentifier.get()).map(StoredIdentifier.init))
    }

    var movieItem: PairFinder.Item {
        PairFinder.Item(path: movie, identifier: reader.contentIdentifier.map(StoredIdentifier.init))
    }

    /// The contents of the photo's file after a change.
    ///
    /// - Parameters:
    ///   - date: Replaces the photo's; nil keeps it.
    ///   - location: Of a photo that has none; nil adds nothing.
    func photo(
        with change: ExifUpdate.Change<ContentIdentifier>, captureDate date: CaptureDate? = nil,
        location: GeographicLocation? = nil
    ) throws -> [UInt8] {
        try PhotoEditor(photoBytes).applying(
            ExifUpdate(
                contentIdentifier: change, captureDate: date.map { .set($0) } ?? .keep,
                location: location.map { .fillIn($0) } ?? .keep))
    }

    /// - Parameters:
    ///   - name: The requested name, without extension.
    ///   - usual: The name if none was requested; nil for the photo's.
    func target(
        in directory: FilePath, name: String?, usual: FilePath.Component? = nil
    ) throws(LivePhotoError) -> PublishTarget {
        guard name == nil, let usual = usual ?? photo.lastComponent?.base else {
            return try PublishTarget(directory: directory, name: name ?? "", photo: photoMetadata.format)
        }
        return PublishTarget(directory: directory, name: usual, photo: photoMetadata.format)
    }
}
