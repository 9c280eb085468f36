import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// A file with records of jobs, or records that are in memory.
struct ReportSource: Sendable {
    let path: FilePath
    /// The base of the paths of photos and movies.
    let folder: FilePath
    private let records: [JobRecord]
    private let open: @Sendable () throws -> InputFile

    init(_ path: FilePath, folder: FilePath, open: @escaping @Sendable () throws -> InputFile) {
        (self.path, self.folder, self.open, records) = (path, folder, open, [])
    }

    init(_ records: [JobRecord], folder: FilePath) {
        (path, self.folder, self.records) = ("", folder, records)
        open = { throw Errno.noSuchFileOrDirectory }
    }

    func opened() throws -> InputFile { try open() }

    /// The record at an offset of the file, or of this number.
    ///
    /// - Parameter file: keeps the file open that was read last: a batch may have more parts than files can be open.
    func record(at place: Int, _ number: Int, _ file: borrowing Mutex<(source: Int, file: InputFile)?>) -> JobRecord? {
        guard records.isEmpty else { return records[place] }
        let file = file.withLock { known in
            if let known, known.source == number { return known.file as InputFile? }
            guard let file = try? open() else { return nil }
            known = (number, file)
            return file
        }
        return file.flatMap { RecordFile.record(in: $0, at: place) }
    }
}
