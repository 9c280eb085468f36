import Bytes
import LivePhotoKit
import MediaModel
public import SystemPackage

/// A file of JSON lines, one for each job of a batch or shard.
public enum BatchReport {
    /// Writes a report, which appears only when it is complete.
    ///
    /// - Parameters:
    ///   - records: one for each job, in the order of the report.
    ///   - path: a new file, or an earlier report, which is replaced.
    /// - Throws: `LivePhotoError`
    public static func write(_ records: some Sequence<JobRecord>, to path: FilePath) throws(LivePhotoError) {
        // A batch that was stopped has a report too.
        try WorkInterruption.ignored { () throws(LivePhotoError) in
            try check(path)
            // A file created there from now on is not replaced.
            let file = try StagedFile(path, replacesExisting: (try? path.stat()) != nil)
            for record in records { try file.write(line(record)) }
            try file.publish()
        }
    }

    private static func line(_ record: JobRecord) throws(LivePhotoError) -> [UInt8] {
        do {
            return try JSON.line(record)
        } catch {
            throw LivePhotoError(
                .internalError, nil, "the record of \(quoted(record.id)) cannot be written: \(error)", cause: error)
        }
    }

    /// Checks before any work that a report can be written.
    ///
    /// - Throws: `LivePhotoError`
    public static func check(_ path: FilePath) throws(LivePhotoError) {
        try StagedFile.check(path, replacingOnly: "a report") { file in
            let line = try file.bytes(at: 0, count: 1 << 16).prefix { $0 != UInt8(ascii: "\n") }
            return (try? JSON.decode(JobRecord.self, from: line)) != nil
        }
    }
}
