import Bytes
import MediaModel
import Synchronization
package import SystemPackage

/// A file of signed lines (`RecordSeal`) in a hidden folder of its own, to which lines are appended: a line is there whole,
/// or counts as not written. Only one run at a time has it.
package final class SignedLog: Sendable {
    /// What a log is for, and where it is.
    package struct Kind: Sendable {
        let purpose: RecordSeal.Purpose
        let folder: FilePath.Component
        let file: FilePath.Component
        let limits: RecordSeal.Limits

        package init(
            _ purpose: RecordSeal.Purpose, folder: FilePath.Component, file: FilePath.Component,
            _ limits: RecordSeal.Limits
        ) {
            (self.purpose, self.folder, self.file, self.limits) = (purpose, folder, file, limits)
        }
    }

    /// Called with the content of a line and where it is.
    package typealias OnLine = ([UInt8], Place) throws -> Void

    /// The hidden folder. The one that it is in is opened from it, which saves a descriptor for each log of a run.
    package let folder: OpenFolder
    private let kind: Kind
    private let seal: RecordSeal
    private let lock: FileLock
    private let written: Mutex<RecordSeal.Contents>

    private static let lockName: FilePath.Component = "lock"
    package var file: FolderEntry { folder.entry(kind.file) }

    /// Whether a folder has such a log, whoever wrote it.
    package static func exists(_ kind: Kind, in root: OpenFolder) -> Bool { root.entry(kind.folder).exists }

    /// Creates a log in a folder if it has none, and opens and locks it.
    ///
    /// - Parameter onLine: Called with the content of each line that is there.
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has it, and for a log that this user's
    ///   program did not write there.
    package convenience init(
        _ kind: Kind, createdIn root: FilePath, _ onLine: OnLine
    ) throws(LivePhotoError) {
        let key = try RecordKey()
        let opened: OpenFolder
        do throws(Errno) {
            opened = try OpenFolder(named: root)
        } catch {
            throw LivePhotoError(writing: root.appending(kind.folder), error)
        }
        try self.init(kind, opened, key, onLine, createsFolder: true)
    }

    /// Opens and locks the log of a folder.
    ///
    /// - Throws: As when it is created.
    package convenience init(
        _ kind: Kind, openedIn root: OpenFolder, _ onLine: OnLine
    ) throws(LivePhotoError) {
        try self.init(kind, root, RecordKey.existing(), onLine, createsFolder: false)
    }

    private init(
        _ kind: Kind, _ root: OpenFolder, _ key: RecordKey?, _ onLine: OnLine, createsFolder: Bool
    ) throws(LivePhotoError) {
        self.kind = kind
        var attempts = 0
        while true {
            if createsFolder { try Self.createFolder(kind, in: root) }
            do throws(LivePhotoError) {
                if let locked = try Self.locked(kind, in: root, key) {
                    (folder, seal, lock) = locked
                    break
                }
            } catch {
                // What was created here may have been removed already.
                guard createsFolder, error.code == .noInput else { throw error }
            }
            attempts += 1
            guard attempts < 100 else { throw Self.isHeld(root.path) }
        }
        written = Mutex(try Self.read(kind, in: folder, seal, onLine))
    }

    /// Creates the hidden folder if there is none.
    private static func createFolder(_ kind: Kind, in root: OpenFolder) throws(LivePhotoError) {
        do throws(Errno) {
            try root.createFolder(kind.folder, .ownerReadWriteExecute)
            try root.synchronize()
        } catch {
            guard error == .fileExists else { throw LivePhotoError(writing: root.entry(kind.folder).path, error) }
        }
    }

    /// Opens the hidden folder and locks the log.
    ///
    /// - Returns: Nil if the run that had the log before has removed it in between: what is written there would be lost.
    private static func locked(
        _ kind: Kind, in root: OpenFolder, _ key: RecordKey?
    ) throws(LivePhotoError) -> (folder: OpenFolder, seal: RecordSeal, lock: FileLock)? {
        let (folder, seal) = try opened(kind, in: root, key)
        do throws(LivePhotoError) {
            // Nothing is created in another's log.
            if !folder.entry(lockName).exists { _ = try read(kind, in: folder, seal) { _, _ in } }
            let lock = try lock(folder, kind)
            return isPresent(folder, kind, in: root) ? (folder, seal, lock) : nil
        } catch {
            guard error.code != .temporary, !isPresent(folder, kind, in: root) else { throw error }
            return nil
        }
    }

    /// Reads the lines of a log that another run may be writing.
    ///
    /// - Returns: The file of the log; nil if there is none.
    /// - Throws: As when it is opened.
    @discardableResult
    package static func read(
        _ kind: Kind, in root: OpenFolder, _ onLine: OnLine
    ) throws(LivePhotoError) -> FolderEntry? {
        guard exists(kind, in: root) else { return nil }
        let (folder, seal) = try opened(kind, in: root, RecordKey.existing())
        _ = try read(kind, in: folder, seal, onLine)
        return folder.entry(kind.file)
    }

    /// The folder that has the log.
    package func rootFolder(named path: FilePath) throws(LivePhotoError) -> OpenFolder {
        do throws(Errno) {
            return try folder.parent(named: path)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// Whether the hidden folder is still in its place.
    package var isPresent: Bool {
        guard let root = try? rootFolder(named: folder.path.folder) else { return false }
        return Self.isPresent(folder, kind, in: root)
    }

    private static func isPresent(_ folder: OpenFolder, _ kind: Kind, in root: OpenFolder) -> Bool {
        guard let status = try? Stat(folder.descriptor) else { return false }
        return root.entry(kind.folder).identity == FileIdentity(status)
    }

    /// Appends the line of a value.
    ///
    /// - Throws: `LivePhotoError`.
    @discardableResult
    package func append(_ value: some Encodable) throws(LivePhotoError) -> Place {
        do {
            return try written.withLock { written in
                let (bytes, code) = try seal.line(of: value, after: written.code)
                // Nothing could be read any more.
                guard kind.limits.allow(line: bytes.count, after: written) else { throw Errno.fileTooLarge }
                let content = RecordSeal.content(of: bytes)
                let place = Place(Array(content), at: written.size + content.startIndex)
                try file.openState(writing: true, creating: .ownerReadWrite).append(line: bytes, at: &written.size)
                written.lines += 1
                written.code = code
                return place
            }
        } catch {
            throw LivePhotoError(writing: file.path, error)
        }
    }

    /// Replaces all lines in one step.
    ///
    /// - Throws: `LivePhotoError`.
    package func rewrite(_ values: some Sequence<some Encodable>) throws(LivePhotoError) {
        do {
            try written.withLock { written in
                var (bytes, contents) = ([UInt8](), RecordSeal.Contents())
                for value in values {
                    let (line, code) = try seal.line(of: value, after: contents.code)
                    bytes += line
                    (contents.code, contents.size) = (code, bytes.count)
                    contents.lines += 1
                }
                try file.write(bytes, by: folder.entry("unfinished"))
                written = contents
            }
        } catch {
            throw LivePhotoError(writing: file.path, error)
        }
    }

    /// Waits until the lines are on the disk.
    ///
    /// - Throws: `LivePhotoError`.
    package func synchronize() throws(LivePhotoError) {
        do {
            try file.openState().synchronize()
        } catch {
            throw LivePhotoError(writing: file.path, error)
        }
    }

    /// Removes the log with its hidden folder, and lets go of its lock.
    package func remove() {
        guard let root = try? rootFolder(named: folder.path.folder) else { return }
        // NFS and FUSE keep a folder as long as a file in it is open, even if the file is removed.
        WorkFolder.discard(kind.folder, in: root) { lock.close() }
    }

    /// Lets other runs use the log, which this one must not use any more.
    package func unlock() { lock.release() }

    private static func opened(
        _ kind: Kind, in root: OpenFolder, _ key: RecordKey?
    ) throws(LivePhotoError) -> (folder: OpenFolder, seal: RecordSeal) {
        let path = root.entry(kind.folder).path
        do {
            guard let key else { throw foreign(path) }
            let folder = try root.hidden(kind.folder)
            return (folder, try RecordSeal(kind.purpose, of: folder, key: key))
        } catch Errno.notDirectory, Errno.tooManySymbolicLinkLevels {
            throw LivePhotoError(
                .cannotCreateOutput, path, "is a link or a file in place of a journal; check it and move it away")
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: path, error)
        }
    }

    private static func lock(_ folder: OpenFolder, _ kind: Kind) throws(LivePhotoError) -> FileLock {
        do {
            // A file, because network file systems lock no folders.
            return try FileLock(folder.entry(lockName).openState(writing: true, creating: .ownerReadWrite))
        } catch let error as LivePhotoError {
            guard error.code == .temporary else { throw error }
            throw isHeld(folder.path.folder)
        } catch {
            do {
                // On a read-only or full file system. Not the folder, which publishing waits for.
                return try FileLock(folder.entry(kind.file).openState())
            } catch {
                throw error as? LivePhotoError ?? LivePhotoError(reading: folder.path, error)
            }
        }
    }

    private static func isHeld(_ root: FilePath) -> LivePhotoError {
        LivePhotoError(
            .temporary, root,
            "another run of livephoto is changing files in this folder; try again when that has ended")
    }

    private static func read(
        _ kind: Kind, in folder: OpenFolder, _ seal: RecordSeal, _ onLine: OnLine
    ) throws(LivePhotoError) -> RecordSeal.Contents {
        let entry = folder.entry(kind.file)
        guard entry.exists else { return RecordSeal.Contents() }
        do {
            return try seal.read(entry.openState(), kind.limits) { try onLine($0, Place($0, at: $1)) }
        } catch let error as RecordSeal.ForeignLine {
            let place = error.offset > 0 ? " from byte \(error.offset) of its \(kind.file) on" : ""
            throw foreign(folder.path, place)
        } catch let error as DecodingError {
            // Signed, so another version of this program wrote it.
            throw LivePhotoError(
                .unusableMedia, entry.path, "cannot be used by this version; nothing was undone or changed",
                cause: error)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: folder.path, error)
        }
    }

    private static func foreign(_ folder: FilePath, _ place: String = "") -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, folder,
            "was not written there by you on this machine\(place), or not by this version; nothing was undone or changed; "
                + "move it away if you do not need it")
    }
}
