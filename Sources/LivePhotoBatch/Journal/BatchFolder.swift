import LivePhotoKit
import SystemPackage

/// The output folder of a batch, which keeps its state in the hidden folder `.livephoto-batch`. Only one run can use it at a
/// time, or several runs of different shards.
final class BatchFolder {
    static let stateName: FilePath.Component = ".livephoto-batch"

    let path: FilePath
    let journal: Journal
    /// The hidden folder, which is locked.
    private let state: OpenFolder

    /// - Parameter onRecord: Called with the number of records of earlier runs that have been read.
    /// - Throws: `LivePhotoError` if another run uses the folder, or it cannot be created or used.
    init(_ path: FilePath, shard: Shard?, onRecord: (Int) -> Void) throws(LivePhotoError) {
        self.path = path
        do {
            state = try Self.state(in: path)
        } catch {
            throw error as? LivePhotoError
                ?? LivePhotoError(
                    .cannotCreateOutput, path.appending(Self.stateName), "cannot be created: \(error)", cause: error)
        }
        // Some network file systems have no locks; shards never write to the same file anyway.
        if case .held = state.descriptor.lock(waiting: false, shared: shard != nil) { throw Self.inUse(path) }
        journal = try Journal(state.entry(Self.journalName(shard)), batch: path, onRecord: onRecord)
    }

    /// Opens the hidden folder, which is created if it is missing.
    private static func state(in path: FilePath) throws -> OpenFolder {
        try OutputDirectory.create(path)
        let folder = try OpenFolder(named: path)
        do throws(Errno) {
            try folder.createFolder(
                stateName, [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute])
        } catch {
            guard error == .fileExists else { throw error }
        }
        do {
            return try folder.hidden(stateName, isShared: true)
        } catch Errno.notDirectory, Errno.tooManySymbolicLinkLevels {
            throw LivePhotoError(
                .cannotCreateOutput, folder.entry(stateName).path,
                "is a link or a file in place of a batch's state; check it and move it away")
        }
    }

    private static func journalName(_ shard: Shard?) -> FilePath.Component {
        shard.flatMap { FilePath.Component("journal-\($0.number)-of-\($0.count).jsonl") } ?? "journal.jsonl"
    }

    /// The journals in a batch's folder, of any user, sorted by name. No link leads to them.
    static func journals(in path: FilePath) -> [FolderEntry] {
        guard let folder = try? OpenFolder(named: path), let state = try? folder.folder(stateName) else { return [] }
        let names = ((try? state.names()) ?? []).filter {
            $0.string.hasPrefix("journal") && $0.string.hasSuffix(".jsonl")
        }
        return names.sorted { $0.string < $1.string }.map { state.entry($0) }
    }

    static func inUse(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .temporary, path, "another batch is running there; wait for it to end, or use another --output")
    }
}
