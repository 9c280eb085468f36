import Bytes
import FoundationEssentials
import SystemPackage

/// A small file that was written with a change of a pair, and what was there before.
struct JournalText: Codable, Sendable {
    private struct Old: Codable {
        let content: Data
        let times: FileTimes
    }

    /// The end of the names of all such files.
    static let ending = ".edit.yaml"

    /// The number of the entry.
    let number: Int
    /// Relative to the folder with the journal.
    let path: PathText
    private let old: Old?
    private let new: PairRecord.Digest

    /// - Parameters:
    ///   - content: What will be written.
    ///   - file: The file, which may exist.
    ///   - path: Its path relative to the folder with the journal.
    ///   - limit: The maximum size of an existing file.
    /// - Throws: `LivePhotoError` for anything but a regular file; `Errno` of reading it.
    init(_ content: [UInt8], to file: FilePath, path: FilePath, of number: Int, limit: Int) throws {
        (self.number, self.path, new) = (number, PathText(path), PairRecord.Digest(content))
        guard FileSystem.exists(file) else {
            old = nil
            return
        }
        try StagedFile.check(file, replacing: true)
        old = Old(content: Data(try InputFile(file).contents(limit: limit)), times: try FileTimes(of: file))
    }

    /// Whether this program writes such files: a journal from an archive must not change others.
    var isWrittenHere: Bool {
        path.path.components.count == 1 && path.path.lastComponent?.string.hasSuffix(Self.ending) == true
    }

    /// Removes the file, or restores the one that it replaced. A file that was changed since is left as it is.
    ///
    /// - Parameter file: Where it is.
    /// - Throws: `LivePhotoError`; `Errno`.
    func undo(at file: FilePath) throws {
        guard let found = try? InputFile(file), found.size == new.size, try PairRecord.Digest(found) == new else {
            return
        }
        guard let old else {
            try FileSystem.removeFile(file)
            return try FileSystem.synchronize(file.folder)
        }
        try FileSystem.write(Array(old.content), to: file, replacing: true)
        try old.times.set(file)
    }
}

extension FileSystem {
    /// Creates or replaces a file in one step.
    static func write(_ content: [UInt8], to file: FilePath, replacing: Bool) throws(LivePhotoError) {
        let staged = try StagedFile(file, replacesExisting: replacing)
        try staged.write(content)
        try staged.publish()
    }
}
