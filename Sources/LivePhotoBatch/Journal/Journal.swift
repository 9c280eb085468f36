import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// A batch's journal: a file of JSON lines to which lines are only appended. A run that is killed loses at most the line
/// that it was writing.
final class Journal: Sendable {
    let path: FilePath
    private let file: InputFile
    /// For reading, also when another run has the lock.
    let lines: InputFile
    /// Locked while a line is written.
    private let state: Mutex<State>

    private struct State {
        /// The lines, also of this run.
        var index: RecordIndex
        /// Where the next line begins.
        var end: Int
    }

    /// Opens or creates the file, exclusively for this run.
    ///
    /// - Parameters:
    ///   - batch: The batch's folder, for errors.
    ///   - onRecord: Called with the number of records that have been read.
    /// - Throws: `LivePhotoError` if another run uses the file, it cannot be opened, or it is no file of this user alone.
    init(_ entry: FolderEntry, batch: FilePath, onRecord: (Int) -> Void) throws(LivePhotoError) {
        path = entry.path
        do {
            file = try entry.openState(
                writing: true, creating: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
            if case .held = file.descriptor.lock(waiting: false) { throw BatchFolder.inUse(batch) }
            lines = try entry.open()
            var count = 0
            let read = try RecordFile(file) { _ in
                count += 1
                onRecord(count)
            }
            state = Mutex(State(index: read.index, end: read.end))
        } catch let error as LivePhotoError {
            throw error
        } catch is CancellationError {
            throw LivePhotoError(.cancelled, nil, "the batch was stopped")
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, path, "the batch's journal cannot be opened: \(error)", cause: error)
        }
    }

    /// Appends a line. It is not flushed to the disk: after a power failure, the next run checks the pairs anyway.
    ///
    /// - Returns: where the line is.
    /// - Throws: `LivePhotoError`
    @discardableResult
    func append(_ record: JobRecord) throws(LivePhotoError) -> Int {
        do {
            let line = try JSON.line(record)
            return try state.withLock { state in
                let offset = state.end
                try file.append(line: line, at: &state.end)
                try state.index.add(record, at: offset)
                return offset
            }
        } catch {
            throw LivePhotoError(
                error is Errno ? .inputOutput : .internalError, path,
                "the batch's journal cannot be written: \(error)")
        }
    }

    /// The last record of a job, and where it is.
    func latest(of id: String) -> (record: JobRecord, place: Int)? {
        guard let place = state.withLock({ $0.index.offset(of: id) }),
            let record = RecordFile.record(in: lines, at: place), record.id == id
        else { return nil }
        return (record, place)
    }

    /// All pairs started for a job. Other files at its target do not belong to this batch.
    func pairsStarted(for id: String) -> Set<StartedPair> {
        let places = state.withLock { $0.index.offsetsOfPairs(of: id) }
        return StartedPair.all(of: id, at: places, in: lines)
    }
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

    /// Those of a job.
    ///
    /// - Parameter places: of its records in a journal, as `RecordIndex` knows them.
    static func all(of id: String, at places: [Int], in lines: InputFile) -> Set<StartedPair> {
        let records = places.compactMap { RecordFile.record(in: lines, at: $0) }
        return Set(records.filter { $0.id == id }.compactMap { StartedPair($0) })
    }
}
