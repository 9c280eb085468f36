import Bytes
import SystemPackage

/// Removes what imports have put into a library. Files that have changed since, and what is in the library otherwise, stay.
public struct ImportUndo: Sendable {
    /// What was done with a file of the library.
    public struct Outcome: Sendable, Hashable {
        /// What was done.
        public enum Status: Sendable, Hashable {
            /// It was removed, or would be in a dry run.
            case removed
            /// It was not there any more.
            case gone
            /// It is left as it is.
            case refused(LivePhotoError)
        }

        /// The file.
        public let path: FilePath
        /// What was done with it.
        public let status: Status
    }

    /// Whether only to report what would be done.
    public var isDryRun = false
    /// How many files are read at a time.
    public var width = 1

    /// An undo that removes files.
    public init() {}

    /// Whether a folder has something that an import has made.
    public static func isLibrary(_ folder: FilePath) -> Bool { ImportLog.exists(in: folder) }

    /// Removes the files, the last first, and the folders that were created for them, if nothing else is in them.
    ///
    /// - Parameters:
    ///   - library: The folder of the library.
    ///   - onOutcome: Called with each outcome.
    /// - Throws: `LivePhotoError`; with the code `.cancelled` if the task was cancelled; errors of `onOutcome`.
    public func undo(_ library: FilePath, onOutcome: (Outcome) throws -> Void) async throws {
        guard Self.isLibrary(library) else {
            throw LivePhotoError(
                .invalidRequest, library, "has nothing that 'livephoto import' has put there from this machine")
        }
        let log = try ImportLog(library, isReadOnly: isDryRun)
        defer { log.close() }
        var kept = Array(repeating: true, count: log.count)
        var failure: (any Error)?
        do {
            try await concurrentForEach(kept.indices.reversed(), width: width) { [isDryRun] number in
                Result { () throws(LivePhotoError) in
                    (number, outcomes: try Self.outcomes(of: number, log, isDryRun: isDryRun))
                }
            } body: { result in
                let (number, outcomes) = try result.get()
                for outcome in outcomes { try onOutcome(outcome) }
                kept[number] = outcomes.contains { if case .refused = $0.status { true } else { false } }
            }
        } catch {
            failure = error
        }
        if !isDryRun {
            var rest: [ImportLog.Entry] = []
            for number in kept.indices where kept[number] {
                let entry = try log.entry(at: number)
                if !entry.wasFound { rest.append(entry) }
            }
            // What a killed import has left there.
            for folder in [""] + log.folders { Publisher.removeLeftovers(in: library.pushing(folder)) }
            log.removeEmptyFolders()
            try log.keep(only: rest)
            if rest.isEmpty, log.folders.contains("") { try? FileSystem.removeDirectory(library) }
        }
        if let failure { throw failure is CancellationError ? LivePhotoError.cancellation : failure }
    }

    /// Removes the files of an item, or none if one of them has changed: half a Live Photo is of no use.
    ///
    /// - Throws: `LivePhotoError` if the log was changed.
    private static func outcomes(
        of number: Int, _ log: ImportLog, isDryRun: Bool
    ) throws(LivePhotoError) -> [Outcome] {
        let entry = try log.entry(at: number)
        guard !entry.wasFound else { return [] }
        let found = entry.files.map { file in Result { try unchanged(file, of: log) } }
        let paths = entry.files.map(log.path(of:))
        let changed = zip(paths, found).first { if case .failure = $0.1 { true } else { false } }?.0
        return zip(paths, found).map { path, found in
            do {
                guard let file = try found.get() else { return Outcome(path: path, status: .gone) }
                if let changed {
                    throw LivePhotoError(
                        .cannotCreateOutput, path,
                        "is left as it is, because \(changed), which belongs to it, is left")
                }
                if !isDryRun { try file.remove() }
                return Outcome(path: path, status: .removed)
            } catch {
                return Outcome(
                    path: path, status: .refused(error as? LivePhotoError ?? LivePhotoError(reading: path, error)))
            }
        }
    }

    /// Removes a file that is as it was made, if it is there.
    ///
    /// - Throws: `LivePhotoError` if it has changed.
    static func remove(_ file: ImportLog.Made, of log: ImportLog) throws(LivePhotoError) {
        let entry: FolderEntry?
        do {
            entry = try unchanged(file, of: log)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: log.path(of: file), error)
        }
        do throws(Errno) {
            try entry?.remove()
        } catch {
            throw LivePhotoError(writing: log.path(of: file), error)
        }
    }

    /// A file that is as it was made; nil if it is not there.
    ///
    /// - Throws: `LivePhotoError` if it has changed; `Errno`.
    private static func unchanged(_ file: ImportLog.Made, of log: ImportLog) throws -> FolderEntry? {
        guard let name = file.path.path.lastComponent else { return nil }
        let entry: FolderEntry
        do throws(Errno) {
            entry = try OpenFolder(named: log.root).folder(at: file.path.path.removingLastComponent()).entry(name)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw error
        }
        guard entry.exists else { return nil }
        guard try log.isMade(file, sha256: FileDigests.sha256(entry.open())) else {
            throw LivePhotoError(
                .cannotCreateOutput, log.path(of: file),
                "was changed after it was imported and is left as it is; remove it yourself if you do not need it")
        }
        return entry
    }
}
