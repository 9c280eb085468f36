import Bytes
import SystemPackage

/// A file that a change of a pair replaces: how far the change has got, and how to undo it.
struct ReplacedFile {
    let record: PairRecord.File
    /// Where the file was before the change.
    let path: FilePath
    /// Where the new file is if it has another name.
    let newPath: FilePath?
    /// Where the old file is kept.
    let original: FilePath

    /// - Returns: Nil if there is neither the old nor the new file.
    /// - Throws: `Errno` of reading a file.
    func state() throws -> MovieInverse.State? {
        let old = try state(of: path)
        guard let newPath else { return old }
        let new = try state(of: newPath)
        return switch (old, new) {
        case (nil, nil): nil
        case (.old?, .new?): .between
        // The name is another file's; it was taken before the change got that far.
        case (.old?, _): .old
        case (nil, .new?): .new
        case (nil, _), (_?, _): .changed
        }
    }

    /// - Returns: Nil if there is no such file.
    private func state(of path: FilePath) throws -> MovieInverse.State? {
        // A journal may be used through links.
        guard let inode = try FileSystem.inode(of: path, followingLink: record.inode == nil) else { return nil }
        // A forged record must not match a link or a folder.
        guard let number = inode else { return .changed }
        guard let newNumber = record.inode else { return try record.state(of: path) }
        if try record.new == nil || number == (FileSystem.inode(of: original) ?? nil) { return .old }
        // The original is a copy if the file system has no hard links.
        let state = try record.state(of: path)
        return state == .new && number != newNumber ? .changed : state
    }

    /// Puts the old file back in place of the new one. Can be repeated after an interruption.
    ///
    /// - Throws: `Errno`; `LivePhotoError` if the old file is not kept any more.
    func restore() throws {
        guard record.new != nil else { return }
        if let newPath {
            if !FileSystem.exists(path) {
                try checkOriginal()
                try FileSystem.place(original, at: path)
                try FileSystem.synchronize(path.folder)
            }
            if try state(of: newPath) == .new {
                try FileSystem.removeFile(newPath)
            }
        } else {
            try checkOriginal()
            try FileSystem.move(original, to: path)
        }
        try FileSystem.synchronize(path.folder)
    }

    /// Throws if the old file is needed and not kept any more.
    func checkRestorable() throws {
        if newPath == nil || !FileSystem.exists(path) { try checkOriginal() }
    }

    private func checkOriginal() throws {
        guard FileSystem.exists(original), try record.state(of: original) == .old else {
            throw LivePhotoError(.unusableMedia, original, "is not the original of \(path) any more")
        }
    }
}

extension FileSystem {
    /// - Returns: Nil if there is nothing; a nil number for anything but a regular file.
    fileprivate static func inode(of path: FilePath, followingLink: Bool = false) throws(Errno) -> UInt64?? {
        do throws(Errno) {
            let status = try Stat(path, followTargetSymlink: followingLink)
            return .some(status.type == .regular ? UInt64(status.inode.rawValue) : nil)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }

    /// Gives a file another name, at which there is none.
    ///
    /// - Throws: `Errno`; `.fileExists` if there is one.
    static func place(_ file: FilePath, at path: FilePath) throws(Errno) {
        do throws(Errno) {
            try addName(path, of: file)
            // The next run removes it if that fails.
            try? removeFile(file)
        } catch {
            guard error.meansNoSecondNames else { throw error }
            // An empty file reserves the name.
            try createFile(path)
            do throws(Errno) {
                try move(file, to: path)
            } catch {
                try? removeFile(path)
                throw error
            }
        }
    }
}
