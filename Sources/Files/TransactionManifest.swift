import Bytes
package import SystemPackage

/// What a run is about to change in a folder. It is in the run's hidden folder before the first change, so that the next run
/// can complete or undo what a killed run has begun.
package struct TransactionManifest: Codable, Sendable {
    /// By what a file or folder is recognized.
    struct Stamp: Codable, Sendable {
        private let inode: UInt64
        private let size: RecordNumber
        private let secondsModified: Int
        let isFolder: Bool

        init(_ status: Stat) {
            (inode, size) = (status.inodeNumber, RecordNumber(Int(status.size)))
            secondsModified = FileTimes(status).modification.secondsSince1970
            isFolder = status.type == .directory
        }

        /// Whether the file or folder is at a place. Where inode numbers do not last, size and modification time decide; FAT
        /// keeps times with a precision of two seconds.
        ///
        /// - Parameter isCopy: Whether a copy will do.
        func isFound(at place: FolderEntry, isCopy: Bool = false) -> Bool {
            guard let status = try? place.status() else { return false }
            let hasInodes = !isCopy && place.folder.descriptor.isOnFileSystemWithOwners
            if hasInodes, status.inodeNumber != inode { return false }
            // Any folder would do there, and whoever can write the manifest could have one of the user's removed.
            if isFolder { return hasInodes && status.type == .directory }
            let seconds = FileTimes(status).modification.secondsSince1970
            return status.type == .regular && Int(status.size) == size.value
                && seconds.subtractingReportingOverflow(secondsModified).partialValue.magnitude <= 2
        }

        /// Whether the file or folder may be at a place to which this run has moved it, where inode numbers do not last. FUSE's
        /// FAT gives a file that replaces another one the present time.
        func mayBe(at place: FolderEntry) -> Bool {
            guard !place.folder.descriptor.isOnFileSystemWithOwners, let status = try? place.status() else {
                return false
            }
            if isFolder { return status.type == .directory }
            return status.type == .regular && Int(status.size) == size.value
        }
    }

    /// A file that is changed where it is.
    struct InPlaceChange: Codable, Sendable {
        private let inverse: ChangeInverse
        private let times: FileTimes
        private let inode: UInt64

        init(_ inverse: ChangeInverse, _ times: FileTimes, of status: Stat) {
            (self.inverse, self.times, inode) = (inverse, times, status.inodeNumber)
        }

        /// - Returns: Nil if there is no such file.
        /// - Throws: `Errno`; `LivePhotoError`.
        func state(of place: FolderEntry) throws -> ChangeInverse.State? {
            try opened(place).map(state)
        }

        private func state(of file: InputFile) throws -> ChangeInverse.State {
            try file.status().inodeNumber == inode ? inverse.state(of: file) : .changed
        }

        /// Restores the file, if there is one. What is written goes to the opened file that is checked here.
        ///
        /// - Throws: As `state`.
        func undo(at place: FolderEntry) throws {
            guard let file = try opened(place) else { return }
            let state = try state(of: file)
            guard state != .changed else { throw Errno.invalidArgument }
            try FileChange.apply(state == .old ? inverse.release : inverse.changes, to: file)
            // Only the owner can set the times; restoring the contents matters more.
            try? times.set(file)
        }

        private func opened(_ place: FolderEntry) throws -> InputFile? {
            try place.status() == nil ? nil : place.open(writing: true)
        }
    }

    /// What becomes of a file or folder of the hidden folder's parent.
    struct Entry: Codable, Sendable {
        private let recordedName: PathText
        /// The new file or folder, which gets the name.
        let new: Stamp?
        /// What has the name before, and is replaced or removed.
        let old: Stamp?
        /// A file with neither, nor this, stays as it is.
        let change: InPlaceChange?

        private enum CodingKeys: String, CodingKey {
            case recordedName = "name"
            case new, old, change
        }

        init(_ name: FilePath.Component, new: Stamp? = nil, old: Stamp? = nil, change: InPlaceChange? = nil) {
            recordedName = PathText(FilePath(root: nil, [name]))
            (self.new, self.old, self.change) = (new, old, change)
        }

        /// Nil for anything but a name.
        var name: FilePath.Component? {
            let path = recordedName.path
            return path.isRelative && path.components.count == 1 && path.lastComponent?.kind == .regular
                ? path.lastComponent : nil
        }
    }

    /// In the order in which they are changed.
    let entries: [Entry]
    /// Whether files are changed in place: undone if none of them was changed since, and only where this user's program has
    /// signed the manifest.
    private(set) var isInPlace = false

    private enum CodingKeys: CodingKey {
        case entries
    }

    init(_ entries: [Entry], isInPlace: Bool) {
        (self.entries, self.isInPlace) = (entries, isInPlace)
    }

    /// The names of the files and folders, where they are names.
    package var names: [FilePath.Component] { entries.compactMap(\.name) }

    /// Whether anything is replaced or removed.
    var replaces: Bool { entries.contains { $0.old != nil } }
}

extension TransactionManifest.Entry {
    /// - Parameters:
    ///   - new: The folder with the new files.
    ///   - parent: The folder that is changed.
    init(_ change: FileTransaction.Change, new: OpenFolder, parent: OpenFolder) throws(Errno) {
        func status(_ place: FolderEntry) throws(Errno) -> Stat {
            guard let status = try place.status() else { throw .noSuchFileOrDirectory }
            return status
        }
        switch change {
        case .placed(let name, let replacing):
            let old = replacing ? try parent.entry(name).status() : nil
            self.init(name, new: .init(try status(new.entry(name))), old: old.map { .init($0) })
        case .removed(let name): self.init(name, old: .init(try status(parent.entry(name))))
        case .changed(let name, let inverse, let times):
            self.init(name, change: .init(inverse, times, of: try status(parent.entry(name))))
        case .kept(let name): self.init(name)
        }
    }
}

extension TransactionManifest {
    private static let fileName: FilePath.Component = "manifest.json"
    private static let signedName: FilePath.Component = "change.json"
    /// More than the few names of a publisher need.
    private static let limit = 1 << 20
    /// A signed one has the overwritten bytes of a file (`ChangeInverse.tailLimit`) in Base64.
    private static let signedLimits = RecordSeal.Limits(line: 1 << 27, file: 1 << 27, lines: 1)

    /// Writes the manifest in one step.
    ///
    /// - Parameters:
    ///   - key: Nil unless files are changed in place.
    ///   - waits: Whether to wait until it is on the disk.
    func write(in folder: OpenFolder, key: RecordKey?, waits: Bool) throws {
        let line = try key.map { try RecordSeal(.change, of: folder, key: $0).line(of: self).bytes } ?? JSON.line(self)
        try file(in: folder).write(line, by: folder.entry("unfinished.json"), waits: waits)
    }

    func remove(from folder: OpenFolder) throws(Errno) { try file(in: folder).remove() }

    private func file(in folder: OpenFolder) -> FolderEntry {
        folder.entry(isInPlace ? Self.signedName : Self.fileName)
    }

    /// - Returns: Nil if there is none.
    /// - Throws: `LivePhotoError` for a signed one that this user's program did not write there; `Errno`; `DecodingError`.
    static func read(in folder: OpenFolder) throws -> TransactionManifest? {
        var manifest: Self
        if folder.entry(signedName).exists {
            manifest = try signed(in: folder)
            manifest.isInPlace = true
        } else {
            guard folder.entry(fileName).exists else { return nil }
            manifest = try JSON.decode(from: folder.entry(fileName).openState().contents(limit: limit))
        }
        let isPossible = manifest.entries.allSatisfy {
            $0.name != nil && (manifest.isInPlace || $0.new != nil && $0.change == nil)
        }
        guard isPossible else { throw Errno.invalidArgument }
        return manifest
    }

    private static func signed(in folder: OpenFolder) throws -> TransactionManifest {
        let file = try folder.entry(signedName).openState()
        var manifest: Self?
        do {
            guard let key = try RecordKey.existing() else { throw RecordSeal.ForeignLine(offset: 0) }
            let seal = try RecordSeal(.change, of: folder, key: key)
            _ = try seal.read(file, signedLimits) { content, _ in manifest = try JSON.decode(from: content) }
        } catch is RecordSeal.ForeignLine {}
        if let manifest { return manifest }
        throw LivePhotoError(
            .unusableMedia, folder.path,
            "is ignored: its \(signedName) was not written there by you on this machine, or not by this version; move the folder away"
        )
    }
}
