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

    /// Makes thumbnails and hands them on in their order. No more are there at any time than are made at a time.
    private func eachThumbnail(
        of entries: [Entry], _ engine: some MediaEngine,
        _ use: (Int, Result<Thumbnail, LivePhotoError>) throws(LivePhotoError) -> Void
    ) async throws(LivePhotoError) {
        let group = ThumbnailQueue(entries, engine)
        for index in entries.indices.prefix(Self.width) { group.begin(index) }
        for index in entries.indices {
            let thumbnail = await group.thumbnail(index)
            guard !Task.isCancelled else { throw LivePhotoError(.cancelled, nil, "the report was stopped") }
            try use(index, thumbnail)
            if index + Self.width < entries.count { group.begin(index + Self.width) }
        }
    }
}

/// Thumbnails under way. One task uses it.
private final class ThumbnailQueue<Engine: MediaEngine> {
    private let entries: [MergedReport.Entry]
    private let engine: Engine
    private var tasks: [Int: Task<Result<Thumbnail, LivePhotoError>, Never>] = [:]

    init(_ entries: [MergedReport.Entry], _ engine: Engine) {
        (self.entries, self.engine) = (entries, engine)
    }

    func begin(_ index: Int) {
        let (entry, engine) = (entries[index], engine)
        tasks[index] = Task { await entry.thumbnail(engine) }
    }

    func thumbnail(_ index: Int) async -> Result<Thumbnail, LivePhotoError> {
        guard let task = tasks.removeValue(forKey: index) else {
            return .failure(LivePhotoError(.internalFault, nil, "was not begun"))
        }
        return await task.value
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
