import LivePhotoKit
import SystemPackage

/// The folder where a batch's pairs go, with its hidden state in `.livephoto-batch`. Two runs cannot have it at the same
/// time, but for different shards of one batch.
final class BatchFolder {
    static let stateName = ".livephoto-batch"

    let path: FilePath
    let journal: Journal
    private let lock: FileDescriptor

    /// - Throws: `LivePhotoError` where another run works there, or it cannot be made.
    init(_ path: FilePath, shard: Shard?) throws(LivePhotoError) {
        self.path = path
        let state = path.appending(Self.stateName)
        do throws(Errno) {
            try OutputDirectory.create(state)
        } catch {
            throw LivePhotoError(.cannotCreateOutput, state, "cannot be made: \(error)", cause: error)
        }
        let lock: FileDescriptor
        do {
            lock = try FileDescriptor.open(state, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw LivePhotoError(.cannotCreateOutput, state, "cannot be opened: \(error)", cause: error)
        }
        do throws(LivePhotoError) {
            // Where there are no locks, as on some network file systems, shards never write to one file anyway.
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

    /// The journals of all runs in a batch's folder, by their names; empty where there was none.
    static func journals(in path: FilePath) -> [FilePath] {
        let state = path.appending(stateName)
        let names = (try? FileSystem.names(in: state)) ?? []
        return names.map(\.string).filter { $0.hasPrefix("journal") && $0.hasSuffix(".jsonl") }.sorted().map {
            state.appending($0)
        }
    }

    static func inUse(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .temporary, path, "another batch is at work there; wait for its end, or give this one another --output")
    }
}
