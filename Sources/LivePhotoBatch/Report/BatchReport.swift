import Bytes
import LivePhotoKit
public import SystemPackage

/// A file of JSON lines, one for each job of a batch or of a part of it.
public enum BatchReport {
    /// Writes a report, in one step.
    ///
    /// - Parameter path: where nothing stands, or an earlier report, which is replaced.
    /// - Throws: `LivePhotoError`
    public static func write(_ records: [JobRecord], to path: FilePath) throws(LivePhotoError) {
        let stands = (try? path.stat()) != nil
        if stands, !isReport(path) {
            throw LivePhotoError(.outputExists, path, "is there and is no report; give --report another name")
        }
        do {
            let bytes = try records.flatMap { try JSONLine.encode($0) }
            if stands {
                try FileReplacement.replace(path, with: bytes)
            } else {
                let file = try OutputFile(creating: path)
                try file.write(bytes)
                try file.synchronize()
            }
        } catch {
            throw LivePhotoError(writing: path, error)
        }
    }

    /// Finds out before any work whether a report can go there.
    ///
    /// - Throws: `LivePhotoError`
    public static func check(_ path: FilePath) throws(LivePhotoError) {
        if (try? path.stat()) != nil, !isReport(path) {
            throw LivePhotoError(.outputExists, path, "is there and is no report; give --report another name")
        }
        let folder = path.removingLastComponent()
        guard (try? (folder.isEmpty ? "." : folder).stat().type) == .directory else {
            throw LivePhotoError(.cannotCreateOutput, path, "its folder is not there")
        }
    }

    /// An empty file is one of no jobs.
    private static func isReport(_ path: FilePath) -> Bool {
        guard let head = try? InputFile(path).bytes(at: 0, count: 1 << 16) else { return false }
        let line = head.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty || (try? JSONLine.decode(JobRecord.self, from: line)) != nil
    }
}
