import Bytes
package import LivePhotoKit
import LivePhotoPages
package import LivePhotoRequests
import MediaModel
package import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A page that plays Live Photos: one file that needs nothing but a browser, or that refers to the files beside it.
package struct Preview: Sendable {
    /// What became of one Live Photo.
    package struct Outcome: Sendable {
        package let item: GalleryItem
        /// Which files were copied for browsers, or why the Live Photo cannot be shown.
        package let result: Result<(photo: Bool, movie: Bool), LivePhotoError>
    }

    private let items: [GalleryItem]
    private let output: FilePath
    private let replacesExisting: Bool
    /// Number of Live Photos to prepare at a time, each with a worker if it needs one.
    package var width = min(CurrentProcess.cores, 4)
    /// Whether the page refers to files instead of embedding them.
    package var isLinked = false
    package var playsOnHover = false

    package init(_ items: [GalleryItem], to output: FilePath, replacesExisting: Bool) {
        (self.items, self.output, self.replacesExisting) = (items, output, replacesExisting)
    }

    /// Checks before any work that the page can be written.
    ///
    /// - Throws: `LivePhotoError`.
    package func checkOutput() throws(LivePhotoError) {
        let inputs = items.flatMap { item in
            switch item.source {
            case .pair(let pair): [pair.photo, pair.movie]
            case .container(let path): [path]
            case .unreadable: [FilePath]()
            }
        }
        try StagedFile.check(output, inputs: inputs, replacing: replacesExisting)
    }

    /// Writes the page, which appears only when it is complete. A Live Photo that cannot be shown becomes a card with the
    /// reason.
    ///
    /// - Parameters:
    ///   - engine: makes copies of what browsers lack.
    ///   - report: called with the outcome of each item, in order.
    /// - Throws: `LivePhotoError` if the page cannot be written or the task was cancelled.
    package func write(
        with engine: MediaEngine, report: (Outcome) throws -> Void
    ) async throws {
        try checkOutput()
        let file = try StagedFile(output, replacesExisting: replacesExisting)
        // Its hidden folder disappears with it; nothing in it is published.
        let scratch = try Publisher([], in: output.folder)
        defer { scratch.discard() }
        let preparation = PreviewPreparation(
            engine, isLinked: isLinked, folder: output.folder, scratch: scratch.stagedPath("copies").folder)
        let title = items.count == 1 ? items[0].name : "Live Photos"
        let page = PreviewPage(title: title, count: items.count, isLinked: isLinked)
        try file.write(Array(page.head.utf8))
        var number = 0
        do {
            try await concurrentForEach(Array(items.enumerated()), width: width) { index, item in
                do throws(LivePhotoError) {
                    return Result<PreparedPreview, LivePhotoError>.success(try await preparation.prepare(item, index))
                } catch {
                    return .failure(error)
                }
            } body: { result in
                if Task.isCancelled { throw CancellationError() }
                let item = items[number]
                switch result {
                case .success(let prepared): try write(prepared, of: item, number, to: file)
                case .failure(let error):
                    if error.code == .cancelled { throw error }
                    try file.write(Array(PreviewPage.card(item.name, error).utf8))
                }
                number += 1
                try report(Outcome(item: item, result: result.map(\.isCopied)))
            }
        } catch is CancellationError {
            throw LivePhotoError(.cancelled, nil, "the preview was stopped")
        }
        try file.write(Array(page.foot.utf8))
        try file.publish()
    }

    /// Reads all Live Photos and writes nothing.
    ///
    /// - Throws: `LivePhotoError` if the task was cancelled; errors of `report`.
    package func plan(report: (Outcome) throws -> Void) async throws {
        var number = 0
        let folder = output.folder
        try await concurrentForEach(items, width: width) { item in
            Result { () throws(LivePhotoError) in try GallerySource(item, copyingTo: folder).facts.needsCopies }
        } body: { result in
            number += 1
            try report(Outcome(item: items[number - 1], result: result))
        }
    }

    private func write(
        _ prepared: PreparedPreview, of item: GalleryItem, _ number: Int, to file: StagedFile
    ) throws(LivePhotoError) {
        let (photo, movie) = ("photo-\(number)", "movie-\(number)")
        var player = Player(
            photo: address(of: prepared.photo, photo), movie: address(of: prepared.movie, movie),
            still: prepared.facts.stillTime?.seconds, alternative: item.name)
        player.size = (prepared.facts.photo.size.width, prepared.facts.photo.size.height)
        player.playsOnHover = playsOnHover
        player.isSilent = !prepared.facts.movie.hasSound
        // Before the player, which may need them at once. Some browsers take a QuickTime movie only by this type.
        try writeBlock(prepared.photo, id: photo, type: "image/jpeg", to: file)
        try writeBlock(prepared.movie, id: movie, type: "video/mp4", to: file)
        try file.write(Array(PreviewPage.card(item.name, prepared, player).utf8))
    }

    private func address(of media: PreviewMedia, _ block: String) -> String {
        switch media {
        case .linked(let path): path.address(from: output.folder)
        case .file, .bytes: "#\(block)"
        }
    }

    private func writeBlock(
        _ media: PreviewMedia, id: String, type: String, to file: StagedFile
    ) throws(LivePhotoError) {
        if case .linked = media { return }
        try file.write(Array(Player.blockStart(id: id, type: type).utf8))
        switch media {
        case .linked: break
        case .bytes(let bytes): try file.write(Data(bytes).base64EncodedData())
        case .file(let input):
            // Without a remainder, parts can be joined.
            let step = 3 << 18
            for offset in stride(from: 0, to: input.size, by: step) {
                let bytes: [UInt8]
                do {
                    bytes = try input.bytes(at: offset, count: step)
                } catch {
                    throw LivePhotoError(reading: input.path, error)
                }
                try file.write(Data(bytes).base64EncodedData())
            }
        }
        try file.write(Array(Player.blockEnd.utf8))
    }
}
