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

    /// The hidden folder.
    package let folder: OpenFolder
    private let root: OpenFolder
    private let kind: Kind
    private let seal: RecordSeal
    private let lock: FileLock
    private let written: Mutex<RecordSeal.Contents>

    private static let lockName: FilePath.Component = "lock"
    private var file: FolderEntry { folder.entry(kind.file) }

    /// Whether a folder has such a log, whoever wrote it.
    package static func exists(_ kind: Kind, in root: OpenFolder) -> Bool { root.entry(kind.folder).exists }

    /// Creates a log in a folder if it has none, and opens and locks it.
    ///
    /// - Parameter onLine: Called with the content of each line that is there.
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has it, and for a log that this user's
    ///   program did not write there; errors of `onLine`.
    package convenience init(_ kind: Kind, createdIn root: FilePath, _ onLine: ([UInt8]) throws -> Void) throws {
        let key = try RecordKey()
        let opened: OpenFolder
        do throws(Errno) {
            opened = try OpenFolder(named: root)
            do throws(Errno) {
                try opened.createFolder(kind.folder, .ownerReadWriteExecute)
                try opened.synchronize()
            } catch {
                if error != .fileExists { throw error }
            }
        } catch {
            throw LivePhotoError(writing: root.appending(kind.folder), error)
        }
        try self.init(kind, opened, key, onLine)
    }

    /// Opens and locks the log of a folder.
    ///
    /// - Throws: As when it is created.
    package convenience init(_ kind: Kind, openedIn root: OpenFolder, _ onLine: ([UInt8]) throws -> Void) throws {
        try self.init(kind, root, RecordKey.existing(), onLine)
    }

    private init(
        _ kind: Kind, _ root: OpenFolder, _ key: RecordKey?, _ onLine: ([UInt8]) throws -> Void
    ) throws {
        (self.root, self.kind) = (root, kind)
        (folder, seal) = try Self.opened(kind, in: root, key)
        lock = try Self.lock(folder, kind)
        written = Mutex(try Self.read(kind, in: folder, seal, onLine))
    }

    /// Reads the lines of a log that another run may be writing.
    ///
    /// - Throws: As when it is opened.
    package static func read(_ kind: Kind, in root: OpenFolder, _ onLine: ([UInt8]) throws -> Void) throws {
        guard exists(kind, in: root) else { return }
        let (folder, seal) = try opened(kind, in: root, RecordKey.existing())
        _ = try read(kind, in: folder, seal, onLine)
    }

    /// Appends the line of a value.
    ///
    /// - Throws: `LivePhotoError`.
    package func append(_ value: some Encodable) throws(LivePhotoError) {
        do {
            try written.withLock { written in
                let (bytes, code) = try seal.line(of: value, after: written.code)
                // Nothing could be read any more.
                guard kind.limits.allow(line: bytes.count, after: written) else { throw Errno.fileTooLarge }
                try file.openState(writing: true, creating: .ownerReadWrite).append(line: bytes, at: &written.size)
                written.lines += 1
                written.code = code
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

    /// Waits until everything is on the disk.
    ///
    /// - Throws: `LivePhotoError`.
    package func synchronize() throws(LivePhotoError) {
        guard file.exists else { return }
        do {
            try file.openState().synchronize()
            try folder.synchronize()
        } catch {
            throw LivePhotoError(writing: file.path, error)
        }
    }

    /// Removes the log with its hidden folder.
    package func remove() { WorkFolder.discard(kind.folder, in: root) }

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
                .cannotCreateOutput, path, "is a link or a file in place of a log; check it and move it away")
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: path, error)
        }
    }

    private static func lock(_ folder: OpenFolder, _ kind: Kind) throws(LivePhotoError) -> FileLock {
        do {
            return try FileLock(folder.entry(lockName).openState(writing: true, creating: .ownerReadWrite))
        } catch let error as LivePhotoError where error.code == .temporary {
            throw LivePhotoError(
                .temporary, folder.path.folder,
                "another run of livephoto is writing in this folder; try again when that has ended")
        } catch {
            throw LivePhotoError(writing: folder.entry(lockName).path, error)
        }
    }

    private static func read(
        _ kind: Kind, in folder: OpenFolder, _ seal: RecordSeal, _ onLine: ([UInt8]) throws -> Void
    ) throws -> RecordSeal.Contents {
        let entry = folder.entry(kind.file)
        guard entry.exists else { return RecordSeal.Contents() }
        do {
            return try seal.read(entry.openState(), kind.limits, onLine)
        } catch let error as RecordSeal.ForeignLine {
            throw foreign(folder.path, at: error.offset)
        } catch let error as DecodingError {
            // Signed, so another version of this program wrote it.
            throw LivePhotoError(
                .unusableMedia, entry.path, "cannot be used by this version; nothing was changed", cause: error)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: entry.path, error)
        }
    }

    private static func foreign(_ folder: FilePath, at offset: Int = 0) -> LivePhotoError {
        let place = offset > 0 ? " from byte \(offset) of its file on" : ""
        return LivePhotoError(
            .unusableMedia, folder,
            "was not written there by you on this machine\(place), or not by this version; nothing was changed; move it "
                + "away if you do not need it")
    }
}
