import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// A batch's journal: a file of JSON lines to which lines are only appended. A run that is killed loses at most the line
/// that it was writing.
final class Journal: Sendable {
    let path: FilePath
    /// The last record of each job when the run started.
    let records: [String: JobRecord]
    private let file: InputFile
    /// Locked while a line is written.
    private let state: Mutex<State>

    private struct State {
        /// The pairs started for each job, also by this run.
        var started: [String: Set<StartedPair>]
        /// Where the next line begins.
        var end: Int
    }

    /// Opens or creates the file, exclusively for this run.
    ///
    /// - Parameter batch: The batch's folder, for errors.
    /// - Throws: `LivePhotoError` if another run uses the file, it cannot be opened, or it is no file of this user alone.
    init(_ entry: FolderEntry, batch: FilePath) throws(LivePhotoError) {
        path = entry.path
        do {
            file = try entry.openState(
                writing: true, creating: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
            if case .held = file.descriptor.lock(waiting: false) { throw BatchFolder.inUse(batch) }
            let read = try RecordFile(file)
            records = Dictionary(read.records.map { ($0.id, $0) }) { $1 }
            state = Mutex(State(started: read.started, end: read.end))
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, path, "the batch's journal cannot be opened: \(error)", cause: error)
        }
    }

    /// Appends a line. It is not flushed to the disk: after a power failure, the next run checks the pairs anyway.
    ///
    /// - Throws: `LivePhotoError`
    func append(_ record: JobRecord) throws(LivePhotoError) {
        do {
            let line = try JSON.line(record)
            try state.withLock { state in
                try file.append(line: line, at: &state.end)
                if let pair = StartedPair(record) { state.started[record.id, default: []].insert(pair) }
            }
        } catch {
            throw LivePhotoError(
                error is Errno ? .inputOutput : .internalError, path,
                "the batch's journal cannot be written: \(error)")
        }
    }

    /// All pairs started for a job. Other files at its target do not belong to this batch.
    func pairsStarted(for id: String) -> Set<StartedPair> { state.withLock { $0.started[id] ?? [] } }
}

/// A pair that a run of the batch has started to make, and which the batch may therefore replace.
struct StartedPair: Sendable, Hashable {
    let key: String
    let contentIdentifier: String

    /// Nil for a failed job: the reason may be a file that does not belong to the batch.
    init?(_ record: JobRecord) {
        guard record.status == .started || record.status == .done, let key = record.key,
            let identifier = record.contentIdentifier
        else { return nil }
        (self.key, contentIdentifier) = (key, identifier)
    }
}
