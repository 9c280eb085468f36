import Bytes
import SystemPackage

/// What a run is about to put in place. It is in the run's hidden folder before anything is moved, so that the next run can
/// complete or undo what a killed run has begun.
struct PublishManifest: Codable, Sendable {
    /// A new file or folder.
    struct Entry: Codable, Sendable {
        private let recordedName: PathText
        private let inode: UInt64
        private let size: RecordNumber
        private let secondsModified: Int
        let isFolder: Bool
        /// Whether there was something of its name.
        let replaces: Bool

        private enum CodingKeys: String, CodingKey {
            case recordedName = "name"
            case inode, size, secondsModified, isFolder, replaces
        }

        init(_ file: FolderEntry, replaces: Bool) throws(Errno) {
            guard let status = try file.status() else { throw .noSuchFileOrDirectory }
            recordedName = PathText(FilePath(root: nil, [file.name]))
            (inode, size) = (status.inodeNumber, RecordNumber(Int(status.size)))
            secondsModified = FileTimes(status).modification.secondsSince1970
            isFolder = status.type == .directory
            self.replaces = replaces
        }

        /// Nil for anything but a name.
        var name: FilePath.Component? {
            let path = recordedName.path
            return path.isRelative && path.components.count == 1 && path.lastComponent?.kind == .regular
                ? path.lastComponent : nil
        }

        /// Whether this is the new file or folder, which has got its name. Where inode numbers do not last, size and
        /// modification time decide; FAT keeps times with a precision of two seconds.
        func isFound(at place: FolderEntry) -> Bool {
            guard let status = try? place.status() else { return false }
            if place.folder.descriptor.isOnFileSystemWithOwners, status.inodeNumber != inode { return false }
            if isFolder { return status.type == .directory }
            let seconds = FileTimes(status).modification.secondsSince1970
            return status.type == .regular && Int(status.size) == size.value
                && seconds.subtractingReportingOverflow(secondsModified).partialValue.magnitude <= 2
        }
    }

    /// In the order in which they are put in place.
    let entries: [Entry]

    /// Whether anything is replaced.
    var replaces: Bool { entries.contains(where: \.replaces) }

    private static let fileName: FilePath.Component = "manifest.json"
    private static let unfinishedName: FilePath.Component = "unfinished.json"
    /// More than the few names of a publisher need.
    private static let limit = 1 << 20

    /// Writes the manifest in one step.
    ///
    /// - Parameter waits: Whether to wait until it is on the disk.
    func write(in folder: OpenFolder, waits: Bool) throws {
        let unfinished = folder.entry(Self.unfinishedName)
        let descriptor = try unfinished.create()
        try descriptor.closeAfter {
            try descriptor.writeAll(try JSON.line(self))
            if waits { try descriptor.synchronize() }
        }
        try unfinished.move(to: folder.entry(Self.fileName))
        if waits { try folder.synchronize() }
    }

    static func remove(from folder: OpenFolder) throws(Errno) { try folder.entry(fileName).remove() }

    /// - Returns: Nil if there is none.
    /// - Throws: `Errno`; `LivePhotoError`; `DecodingError` for a file that this program does not write.
    static func read(in folder: OpenFolder) throws -> PublishManifest? {
        guard folder.entry(fileName).exists else { return nil }
        let manifest: Self = try JSON.decode(from: folder.entry(fileName).openState().contents(limit: limit))
        guard manifest.entries.allSatisfy({ $0.name != nil }) else { throw Errno.invalidArgument }
        return manifest
    }
}
