import Bytes
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// Pages about the jobs with several clips.
struct ReportFiles: Sendable {
    let folder: FilePath

    /// - Parameter parts: Records with the folder that their paths are relative to.
    func write(
        _ parts: [(records: [JobRecord], folder: FilePath)], of job: Int, _ engine: MediaEngine
    ) async throws {
        try await MergedReport(merging: parts).writeHTML(to: path(job), engine, replacesExisting: true)
    }

    /// - Throws: `LivePhotoError` if there is none.
    func read(_ job: Int) throws(LivePhotoError) -> InputFile {
        do {
            return try InputFile(path(job))
        } catch {
            throw LivePhotoError(.noInput, nil, "there is no report of job \(job)")
        }
    }

    private func path(_ job: Int) -> FilePath { folder.appending("report-\(job).html") }
}
