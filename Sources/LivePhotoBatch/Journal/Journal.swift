import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// A batch's journal: a file of JSON lines that only grows. It is whole after every line, so that a run which is
/// killed at any moment loses no more than the line it was writing.
final class Journal: Sendable {
    let path: FilePath
    /// The last that was known of each job when the run began.
    let records: [String: JobRecord]
    private let descriptor: FileDescriptor
    /// What was begun for each job, by this run too. Locked while a line is written.
    private let begun: Mutex<[String: Set<BegunPair>]>

    /// Opens or makes the file, for this run alone.
    ///
    /// - Throws: `LivePhotoError` where another run has it, or it cannot be opened.
    init(_ path: FilePath) throws(LivePhotoError) {
        self.path = path
        do {
            let descriptor = try FileDescriptor.open(
                path, .readWrite, options: [.create, .append, .closeOnExec],
                permissions: [
                    .ownerReadWrite, .groupReadWrite, .otherReadWrite,
                ])
            self.descriptor = descriptor
            do {
                if case .held = descriptor.lock(waiting: false) { throw BatchFolder.inUse(path) }
                let (records, begun) = try Self.read(path, cuttingOff: descriptor)
                self.records = records
                self.begun = Mutex(begun)
            } catch {
                try? descriptor.close()
                throw error
            }
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, path, "the batch's journal cannot be opened: \(error)", cause: error)
        }
    }

    deinit {
        try? descriptor.close()
    }

    /// Adds a line. It is not flushed to the disk: what a power failure takes is found again, as pairs are checked.
    ///
    /// - Throws: `LivePhotoError`
    func append(_ record: JobRecord) throws(LivePhotoError) {
        do {
            let line = try JSONLine.encode(record)
            try begun.withLock { begun in
                _ = try descriptor.writeAll(line)
                if let pair = BegunPair(record) { begun[record.id, default: []].insert(pair) }
            }
        } catch {
            throw LivePhotoError(
                error is Errno ? .inputOutput : .internalFault, path,
                "the batch's journal cannot be written: \(error)")
        }
    }

    /// All pairs begun for a job: no other file at its target is this batch's.
    func pairsBegun(for id: String) -> Set<BegunPair> { begun.withLock { $0[id] ?? [] } }

    /// The last record of each job, and all that was begun; a last line that was not finished goes away. A line that
    /// another program has spoilt costs one job, which is then looked at again.
    private static func read(
        _ path: FilePath, cuttingOff descriptor: FileDescriptor
    ) throws -> (records: [String: JobRecord], begun: [String: Set<BegunPair>]) {
        let file = try RecordFile(path)
        if !file.unfinished.isEmpty { try descriptor.resize(to: Int64(file.end), retryOnInterrupt: true) }
        return (Dictionary(file.records.map { ($0.id, $0) }) { $1 }, file.begun)
    }
}

/// A pair that a run of the batch has begun to make. Whatever the job's later result, the batch may replace it.
struct BegunPair: Sendable, Hashable, Codable {
    let key: String
    let contentIdentifier: String

    /// Nil for a record without a begun pair: a failed job may have been refused because of files of others.
    init?(_ record: JobRecord) {
        guard record.status == .started || record.status == .done, let key = record.key,
            let identifier = record.contentIdentifier
        else { return nil }
        (self.key, contentIdentifier) = (key, identifier)
    }
}
