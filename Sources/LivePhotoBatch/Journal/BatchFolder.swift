import LivePhotoKit
import SystemPackage

/// The output folder of a batch, which keeps its state in the hidden folder `.livephoto-batch`. Only one run can use it at a
/// time, or several runs of different shards.
final class BatchFolder {
    static let stateName = ".livephoto-batch"

    let path: FilePath
    let journal: Journal
    private let lock: FileDescriptor

    /// - Throws: `LivePhotoError` if another run uses the folder or it cannot be created.
    init(_ path: FilePath, shard: Shard?) throws(LivePhotoError) {
        self.path = path
        let state = path.appending(Self.stateName)
        do throws(Errno) {
            try OutputDirectory.create(state)
        } catch {
            throw LivePhotoError(.cannotCreateOutput, state, "cannot be created: \(error)", cause: error)
        }
        let lock: FileDescriptor
        do {
            lock = try FileDescriptor.open(state, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw LivePhotoError(.cannotCreateOutput, state, "cannot be opened: \(error)", cause: error)
        }
        do throws(LivePhotoError) {
            // Some network file systems have no locks; shards never write to the same file anyway.
            if case .held = lock.lock(waiting: false, shared: shard != nil) { throw Self.inUse(path) }
            journal = try Journal(state.appending(Self.journalName(shard)))
        } catch {
            try? lock.close()
            throw error
        }
        self.lock = lock
    }

    deinit {
        try? lock.close()
    }

    private static func journalName(_ shard: Shard?) -> String {
        shard.map { "journal-\($0.number)-of-\($0.count).jsonl" } ?? "journal.jsonl"
    }

    /// The journals in a batch's folder, sorted by name.
    static func journals(in path: FilePath) -> [FilePath] {
        let state = path.appending(stateName)
        let names = (try? FileSystem.names(in: state)) ?? []
        return names.map(\.string).filter { $0.hasPrefix("journal") && $0.hasSuffix(".jsonl") }.sorted().map {
            state.appending($0)
        }
    }

    static func inUse(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .temporary, path, "another batch is running there; wait for it to end, or use another --output")
    }
}
