import Bytes
import LivePhotoKit
import MediaModel
public import SystemPackage

/// A file of JSON lines, one for each job of a batch or of a part of it.
public enum BatchReport {
    /// Writes a report, which appears only when it is complete.
    ///
    /// - Parameter path: a new file, or an earlier report, which is replaced.
    /// - Throws: `LivePhotoError`
    public static func write(_ records: [JobRecord], to path: FilePath) throws(LivePhotoError) {
        try check(path)
        // What comes there from now on is no report that was looked at.
        let file = try StagedFile(path, replacesExisting: (try? path.stat()) != nil)
        for record in records { try file.write(line(record)) }
        try file.publish()
    }

    private static func line(_ record: JobRecord) throws(LivePhotoError) -> [UInt8] {
        do {
            return try JSONLine.encode(record)
        } catch {
            throw LivePhotoError(
                .internalFault, nil, "the record of \(quoted(record.id)) cannot be written: \(error)", cause: error)
        }
    }

    /// Finds out before any work whether a report can go there.
    ///
    /// - Throws: `LivePhotoError`
    public static func check(_ path: FilePath) throws(LivePhotoError) {
        if (try? path.stat()) != nil, !isReport(path) {
            throw LivePhotoError(.cannotCreateOutput, path, "exists and is not a report; give --report another name")
        }
        try Publisher.check([path], replacing: true)
    }

    /// An empty file is one of no jobs.
    private static func isReport(_ path: FilePath) -> Bool {
        guard let head = try? InputFile(path).bytes(at: 0, count: 1 << 16) else { return false }
        let line = head.prefix { $0 != UInt8(ascii: "\n") }
        return head.isEmpty || (try? JSONLine.decode(JobRecord.self, from: line)) != nil
    }
}
