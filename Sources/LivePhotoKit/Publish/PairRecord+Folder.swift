import Bytes
import SystemPackage

// While a change is in progress, its hidden folder contains the record, `change.json`, and the originals of the files that
// it replaces.
extension PairRecord {
    private static let name: FilePath.Component = "change.json"
    private static let originalPhotoName: FilePath.Component = "original"
    private static let originalMovieName: FilePath.Component = "original-movie"
    /// The name of a record that can no longer be applied because its files were changed by something else.
    private static let refusedName: FilePath.Component = "refused.json"
    /// The record consists of the bytes of the movie that are overwritten or cut off (`MovieInverse.tailLimit`) in Base64.
    private static let limits = RecordSeal.Limits(line: 1 << 27, file: 1 << 27, lines: 1)

    /// Whether a folder has a record of an uncommitted change.
    static func exists(in folder: OpenFolder) -> Bool { folder.entry(name).exists }

    /// Whether a folder has a record that cannot be applied. It is kept because an original may be beside it.
    static func isRefused(in folder: OpenFolder) -> Bool { folder.entry(refusedName).exists }

    /// The number of names that a folder has for a file as an original.
    static func names(of file: FileIdentity, in folder: OpenFolder) -> Int {
        [originalPhotoName, originalMovieName].count { folder.entry($0).identity == file }
    }

    /// Keeps the originals and writes the record. Returns when everything is on the disk.
    ///
    /// - Parameters:
    ///   - folder: A hidden folder in the pair's folder.
    ///   - parent: The pair's folder.
    ///   - newPhoto: The prepared file; the photo itself if that stays as it is.
    ///   - newMovie: The prepared file; the movie itself if that is changed in place.
    /// - Throws: `Errno`.
    func write(
        in folder: OpenFolder, of parent: OpenFolder, newPhoto: FilePath, newMovie: FilePath, key: RecordKey
    ) throws {
        if photo.new != nil { try Self.entry(photo.path, in: parent).keep(as: folder.entry(Self.originalPhotoName)) }
        if case .replaced(let file) = movie {
            try Self.entry(file.path, in: parent).keep(as: folder.entry(Self.originalMovieName))
        }
        var record = self
        record.photo.inode = try Stat(newPhoto).inodeNumber
        record.movie.inode = try Stat(newMovie).inodeNumber
        let line = try RecordSeal(.change, of: folder, key: key).line(of: record).bytes
        // The record gets its name when it is complete.
        try folder.entry(Self.name).write(line, by: folder.entry("unfinished.json"))
        try parent.synchronize()
    }

    private static func entry(_ path: PathText, in folder: OpenFolder) throws(Errno) -> FolderEntry {
        guard let name = path.path.lastComponent, path.path.components.count == 1 else { throw .invalidArgument }
        return folder.entry(name)
    }

    /// The names of the photo and the movie before an uncommitted change; empty without one.
    ///
    /// - Throws: `LivePhotoError` for a record that this user's program did not write there; `Errno`; `DecodingError`.
    static func names(in folder: OpenFolder) throws -> [FilePath.Component] {
        guard exists(in: folder) else { return [] }
        let record = try read(in: folder)
        return [record.photo.path, record.movie.path].compactMap(\.path.lastComponent)
    }

    /// - Throws: as `names`.
    private static func read(in folder: OpenFolder) throws -> PairRecord {
        let file = try folder.entry(name).openState()
        var record: PairRecord?
        do {
            guard let key = try RecordKey.existing() else { throw RecordSeal.ForeignLine(offset: 0) }
            _ = try RecordSeal(.change, of: folder, key: key).read(file, limits) { record = try JSON.decode(from: $0) }
        } catch is RecordSeal.ForeignLine {}
        if let record { return record }
        throw LivePhotoError(
            .unusableMedia, folder.path,
            "is ignored: its \(name) was not written there by you on this machine, or not by this version; move the folder away"
        )
    }

    /// Commits the change: it can no longer be undone.
    static func forget(in folder: OpenFolder) throws(Errno) {
        try folder.entry(name).remove()
        // Otherwise a power failure could bring the record back.
        try? folder.synchronize()
    }

    /// Undoes the uncommitted change recorded in a folder, if there is one. Either both files are restored or neither.
    ///
    /// - Parameter parent: The pair's folder, which has the hidden one.
    /// - Returns: False if that is impossible now, or if something else has changed the files.
    static func undo(in folder: OpenFolder, of parent: OpenFolder) -> Bool {
        guard exists(in: folder) else { return !isRefused(in: folder) }
        do {
            let record = try read(in: folder)
            let photo = try replaced(record.photo, parent, folder.entry(originalPhotoName))
            var movie: ReplacedFile?
            var changed: (record: ChangedMovie, file: InputFile)?
            let (photoState, movieState): (MovieInverse.State?, MovieInverse.State?)
            photoState = try photo.state()
            switch record.movie {
            case .changed(let record):
                changed = try record.file(in: parent).map { (record, $0) }
                movieState = try changed.map { try $0.record.state(of: $0.file) }
            case .replaced(let file):
                movie = try replaced(file, parent, folder.entry(originalMovieName))
                movieState = try movie?.state()
            }
            guard photoState != .changed, movieState != .changed else {
                try folder.entry(name).move(to: folder.entry(refusedName))
                return false
            }
            // If both files are gone, their owner has removed them.
            let isGone = photoState == nil && movieState == nil
            if let changed, let movieState { try changed.record.undo(in: changed.file, from: movieState) }
            if let movie, !isGone, movieState != .old { try movie.restore() }
            if !isGone, photoState != .old { try photo.restore() }
            try forget(in: folder)
            return true
        } catch {
            return false
        }
    }

    /// - Throws: `Errno` for paths that this program does not record.
    private static func replaced(
        _ file: File, _ parent: OpenFolder, _ original: FolderEntry
    ) throws(Errno) -> ReplacedFile {
        guard file.inode != nil else { throw .invalidArgument }
        var newFile: FolderEntry?
        if let newPath = file.newPath { newFile = try entry(newPath, in: parent) }
        return ReplacedFile(
            record: file, file: try entry(file.path, in: parent), newFile: newFile, original: original)
    }
}

extension PairRecord.ChangedMovie {
    /// The movie, open for writing, so that it is the one that is checked that is changed.
    ///
    /// - Parameter folder: The movie's.
    /// - Returns: Nil if there is no such file.
    /// - Throws: `Errno`; `LivePhotoError`.
    fileprivate func file(in folder: OpenFolder) throws -> InputFile? {
        guard let name = path.path.lastComponent, path.path.components.count == 1 else { throw Errno.invalidArgument }
        do {
            return try folder.entry(name).open(writing: true)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
    }

    fileprivate func state(of movie: InputFile) throws -> MovieInverse.State {
        guard try movie.status().inodeNumber == inode else { return .changed }
        return try inverse.state(of: movie)
    }

    fileprivate func undo(in movie: InputFile, from state: MovieInverse.State) throws {
        try FileChange.apply(state == .old ? inverse.release : inverse.changes, to: movie)
        // Only the owner can set the times; restoring the contents matters more.
        try? times.set(movie)
    }
}
