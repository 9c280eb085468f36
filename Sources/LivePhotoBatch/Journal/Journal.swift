import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// The memory of a batch: a file of JSON lines that only grows. It is whole after every line, so that a run which is
/// killed at any moment loses no more than the line it was writing.
final class Journal: Sendable {
    let path: FilePath
    /// The last that is known of each job.
    let records: [String: JobRecord]
    private let descriptor: FileDescriptor
    private let writing = Mutex<Void>(())

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
                records = try Self.read(path, cuttingOff: descriptor)
            } catch {
                try? descriptor.close()
                throw error
            }
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, path, "the batch's journal cannot be opened: \(error as? Errno ?? .ioError)")
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
            _ = try writing.withLock { _ in try descriptor.writeAll(line) }
        } catch {
            throw LivePhotoError(
                .inputOutput, path, "the batch's journal cannot be written: \(error as? Errno ?? .ioError)")
        }
    }

    /// The last record of each job; a last line that was not finished goes away. A line that another program has spoilt
    /// costs one job, which is then looked at anew.
    private static func read(_ path: FilePath, cuttingOff descriptor: FileDescriptor) throws -> [String: JobRecord] {
        let file = try RecordFile(path)
        if !file.unfinished.isEmpty { try descriptor.resize(to: Int64(file.end), retryOnInterrupt: true) }
        return Dictionary(file.records.map { ($0.id, $0) }) { $1 }
    }
}
