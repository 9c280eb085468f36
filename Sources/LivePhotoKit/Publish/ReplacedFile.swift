import Bytes
import SystemPackage

/// A file that a change of a pair replaces: how far the change has got, and how to undo it.
struct ReplacedFile {
    let record: PairRecord.File
    /// Where the file was before the change.
    let file: FolderEntry
    /// Where the new file is if it has another name.
    let newFile: FolderEntry?
    /// Where the old file is kept.
    let original: FolderEntry

    /// Where the file is after the change.
    var current: FolderEntry { newFile ?? file }

    /// - Returns: Nil if there is neither the old nor the new file.
    /// - Throws: `Errno` of reading a file.
    func state() throws -> ChangeInverse.State? {
        let old = try state(of: file)
        guard let newFile else { return old }
        let new = try state(of: newFile)
        return switch (old, new) {
        case (nil, nil): nil
        case (.old?, .new?): .between
        // The name is another file's; it was taken before the change got that far.
        case (.old?, _): .old
        case (nil, .new?): .new
        case (nil, _), (_?, _): .changed
        }
    }

    /// - Returns: Nil if there is no such file. A link or a folder is not what the change wrote.
    private func state(of file: FolderEntry) throws -> ChangeInverse.State? {
        guard let status = try file.status() else { return nil }
        return try status.type == .regular ? record.state(of: file.open()) : .changed
    }

    /// Puts the old file back in place of the new one. Can be repeated after an interruption.
    ///
    /// - Throws: `Errno`; `LivePhotoError` if the old file is not kept any more.
    func restore() throws {
        guard record.new != nil else { return }
        if let newFile {
            if !file.exists {
                try checkOriginal()
                try original.place(at: file)
                try file.folder.synchronize()
            }
            if try state(of: newFile) == .new { try newFile.remove() }
        } else {
            try checkOriginal()
            try original.move(to: file)
        }
        try file.folder.synchronize()
    }

    /// Throws if the old file is needed and not kept any more.
    func checkRestorable() throws {
        if newFile == nil || !file.exists { try checkOriginal() }
    }

    private func checkOriginal() throws {
        guard original.exists, try record.state(of: original.open()) == .old else {
            throw LivePhotoError(.unusableMedia, original.path, "is not the original of \(file.path) any more")
        }
    }
}
