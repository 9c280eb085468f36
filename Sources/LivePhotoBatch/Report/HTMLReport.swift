import LivePhotoKit
import LivePhotoRequests
import MediaModel
public import SystemPackage

extension MergedReport {
    /// Writes an HTML page with the errors of the failed jobs and the key photos of the others. It embeds its pictures and
    /// needs no network. While a photo is pressed, its movie plays, from the file that the batch made.
    ///
    /// - Parameters:
    ///   - path: the page's file.
    ///   - engine: decodes the photos.
    ///   - replacesExisting: whether a file at `path` is replaced, once the page is complete.
    ///   - progress: called with the number of finished photos and the number of all photos.
    /// - Throws: `LivePhotoError` if the file exists and must not be replaced, it cannot be written, or the task was
    ///   cancelled.
    public func writeHTML(
        to path: FilePath, _ engine: MediaEngine, replacesExisting: Bool = false,
        progress: (Int, Int) -> Void = { _, _ in }
    ) async throws(LivePhotoError) {
        try check(path, replacesExisting: replacesExisting)
        let file = try StagedFile(path, replacesExisting: replacesExisting)
        let page = ReportPage(self)
        try file.write(Array(page.head.utf8))
        let made = entries.filter { $0.record.status == .done }
        var count = 0
        do {
            try await concurrentForEach(made, width: Thumbnail.width, work: { ($0, await $0.thumbnail(engine)) }) {
                entry, thumbnail in
                if Task.isCancelled { throw CancellationError() }
                let movie = entry.path(of: entry.record.movie)?.address(from: path.folder)
                try file.write(Array(ReportPage.figure(entry.record, thumbnail, movie: movie).utf8))
                count += 1
                progress(count, made.count)
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.cancelled, nil, "the report was stopped")
        }
        try file.write(Array(page.foot.utf8))
        try file.publish()
    }
}

extension MergedReport.Entry {
    fileprivate func thumbnail(_ engine: MediaEngine) async -> Result<Thumbnail, LivePhotoError> {
        do throws(LivePhotoError) {
            return .success(try await engine.pageThumbnail(of: photo()))
        } catch {
            return .failure(error)
        }
    }
}
