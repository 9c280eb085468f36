import LivePhotoKit
import LivePhotoRequests
import MediaModel
public import SystemPackage

extension MergedReport {
    /// Writes an HTML page with the errors of the failed jobs and the key photos of the others. It embeds its pictures and
    /// needs no network. While a photo is pressed, its movie plays, from the file that the batch made.
    ///
    /// Of more than 500 pairs, the page shows a sample, from the thumbnails that cameras store in their photos, and has links
    /// to the files of all; of more than 500 failed jobs, it shows examples of each reason.
    ///
    /// - Parameters:
    ///   - path: the page's file.
    ///   - engine: decodes the photos.
    ///   - replacesExisting: whether a file at `path` is replaced, once the page is complete.
    ///   - progress: called with the number of finished photos and the number of all that are shown.
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
        let made = entries(entries.numbers { $0 == .done })
        if !made.isEmpty {
            let shown = ReportPage.sample(of: made)
            let base = AddressBase(path.folder)
            try file.write(Array(ReportPage.photosStart(shown.count, of: made.count).utf8))
            let source = shown.count < made.count ? ThumbnailSource.embedded : .photo
            try await Self.thumbnails(of: shown, engine, source) { count, entry, thumbnail throws(LivePhotoError) in
                let movie = entry.path(of: entry.record.movie).map { base.address(of: $0) }
                try file.write(Array(ReportPage.figure(entry.record, thumbnail, movie: movie).utf8))
                progress(count, shown.count)
            }
            try file.write(Array(ReportPage.photosEnd.utf8))
            if shown.count < made.count {
                try ReportPage.writeLinks(to: made, from: base) { text throws(LivePhotoError) in
                    try file.write(Array(text.utf8))
                }
            }
        }
        try file.write(Array(page.foot.utf8))
        try file.publish()
    }

    /// Makes the thumbnails of many photos in one process, and passes them on in order.
    ///
    /// - Parameter body: called with the number of photos until now, the job and its thumbnail.
    private static func thumbnails(
        of entries: [Entry], _ engine: MediaEngine, _ source: ThumbnailSource,
        _ body: (Int, Entry, Result<Thumbnail, LivePhotoError>) throws(LivePhotoError) -> Void
    ) async throws(LivePhotoError) {
        var count = 0
        do {
            try await concurrentForEach(
                Thumbnail.parts(of: entries), width: Thumbnail.width,
                work: { ($0, await engine.pageThumbnails(of: $0.map { $0.photo }, source)) }
            ) { part, thumbnails in
                for (entry, thumbnail) in zip(part, thumbnails) {
                    if Task.isCancelled { throw CancellationError() }
                    count += 1
                    try body(count, entry, thumbnail)
                }
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.cancelled, nil, "the report was stopped")
        }
    }
}
