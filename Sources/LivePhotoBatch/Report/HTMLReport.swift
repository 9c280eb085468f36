import LivePhotoKit
import LivePhotoRequests
import MediaModel
public import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MergedReport {
    /// Writes a page that shows what became of all jobs: the failed ones with why, and the key photos of the others. It
    /// stands by itself: pictures are in it, and it needs no script and no network. Photos are decoded a few at a time,
    /// and the page is written as it grows.
    ///
    /// - Parameters:
    ///   - engine: decodes the photos.
    ///   - replacesExisting: whether a file at `path` is replaced, once the page is whole.
    ///   - progress: called with the number of photos that are in the page, and of all.
    /// - Throws: `LivePhotoError` where a file stands and is not to be replaced, it cannot be written, or the task was
    ///   cancelled.
    public func writeHTML(
        to path: FilePath, _ engine: some MediaEngine, replacesExisting: Bool = false,
        progress: (Int, Int) -> Void = { _, _ in }
    ) async throws(LivePhotoError) {
        try check(path, replacesExisting: replacesExisting)
        let file = try StagedFile(path, replacesExisting: replacesExisting)
        let page = HTMLPage(self)
        try file.write(Array(page.head.utf8))
        let made = entries.filter { $0.record.status == .done }
        try await eachThumbnail(of: made, engine) { index, thumbnail throws(LivePhotoError) in
            try file.write(Array(HTMLPage.figure(made[index].record, thumbnail).utf8))
            progress(index + 1, made.count)
        }
        try file.write(Array(page.foot.utf8))
        try file.publish()
    }

    /// Photos at a time: more cost memory, and the disk is one.
    private static let width = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)

    /// Makes thumbnails and hands them on in their order, a few at a time. Cancelling the task ends those under way.
    private func eachThumbnail(
        of entries: [Entry], _ engine: some MediaEngine,
        _ use: (Int, Result<Thumbnail, LivePhotoError>) throws(LivePhotoError) -> Void
    ) async throws(LivePhotoError) {
        let stopped = LivePhotoError(.cancelled, nil, "the report was stopped")
        let failure = await withTaskGroup(of: (Int, Result<Thumbnail, LivePhotoError>).self) {
            group -> LivePhotoError? in
            var (begun, given) = (0, 0)
            var early: [Int: Result<Thumbnail, LivePhotoError>] = [:]
            func begin() {
                guard begun < entries.count, !Task.isCancelled else { return }
                let (index, entry) = (begun, entries[begun])
                begun += 1
                group.addTask { (index, await entry.thumbnail(engine)) }
            }
            for _ in 0..<Self.width { begin() }
            for await (index, thumbnail) in group {
                guard !Task.isCancelled else { return stopped }
                early[index] = thumbnail
                while let thumbnail = early.removeValue(forKey: given) {
                    do throws(LivePhotoError) {
                        try use(given, thumbnail)
                    } catch {
                        group.cancelAll()
                        return error
                    }
                    given += 1
                }
                begin()
            }
            return given == entries.count ? nil : stopped
        }
        if let failure { throw failure }
    }
}

extension MergedReport.Entry {
    /// Long edge in pixels: twice what the page shows, as screens of today have small pixels.
    private static let edge = 320
    private static let quality = 78

    fileprivate func thumbnail(_ engine: some MediaEngine) async -> Result<Thumbnail, LivePhotoError> {
        do throws(LivePhotoError) {
            return .success(try await engine.thumbnail(of: photo(), edge: Self.edge, quality: Self.quality))
        } catch {
            return .failure(error)
        }
    }
}
