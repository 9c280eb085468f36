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

    private let recordedNumber: RecordNumber
    /// Relative to the folder with the journal.
    let path: PathText
    private let old: Old?
    private let new: PairRecord.Digest

    private enum CodingKeys: String, CodingKey {
        case recordedNumber = "number"
        case path, old, new
    }

    /// The number of the entry.
    var number: Int { recordedNumber.value }

    /// - Parameters:
    ///   - content: What will be written.
    ///   - file: The file, which may exist.
    ///   - path: Its path relative to the folder with the journal.
    ///   - limit: The maximum size of an existing file.
    /// - Throws: `LivePhotoError` for anything but a regular file; `Errno` of reading it.
    init(_ content: [UInt8], to file: FolderEntry, path: FilePath, of number: Int, limit: Int) throws {
        (recordedNumber, self.path, new) = (RecordNumber(number), PathText(path), PairRecord.Digest(content))
        guard file.exists else {
            old = nil
            return
        }
        try StagedFile.check(file.path, replacing: true)
        let opened = try file.open()
        old = Old(
            content: Data(try opened.contents(limit: limit)), times: try FileTimes(of: opened))
    }

    /// Whether this program writes such files.
    var isWrittenHere: Bool {
        path.path.components.count == 1 && path.path.lastComponent?.string.hasSuffix(Self.ending) == true
    }

    /// Removes the file, or restores the one that it replaced. A file that was changed since is left as it is.
    ///
    /// - Parameters:
    ///   - file: Where it is.
    ///   - unfinished: Where the old file is written before it replaces the new one.
    /// - Throws: `LivePhotoError`; `Errno`.
    func undo(at file: FolderEntry, by unfinished: FolderEntry) throws {
        guard let found = try? file.open(), found.size == new.size, try PairRecord.Digest(found) == new else { return }
        guard let old else {
            try file.remove()
            return try file.folder.synchronize()
        }
        try file.write(
            Array(old.content), by: unfinished, permissions: [.ownerReadWrite, .groupRead, .otherRead], times: old.times
        )
    }
}
