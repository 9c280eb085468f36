import Bytes
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import Synchronization
import SystemPackage

/// A Live Photo that was made or changed.
struct StudioResult: Sendable {
    let id: Int
    let name: String
    let pair: PairPaths
    /// The command that does the same.
    let command: String
    /// What browsers and phones need of it.
    let library: SharedLibrary
}

/// The Live Photos that were made or changed since the studio was opened.
final class ResultList: Sendable {
    private let results = Mutex([Int: StudioResult]())
    private let nextID = Mutex(1)
    private let engine: MediaEngine
    private let scratch: FilePath
    private let animations = RecentValues<Int, InputFile>(16, TaskLimit(1))
    /// Older ones are forgotten; their files stay.
    private static let most = 1_000

    init(_ engine: MediaEngine, scratch: FilePath) { (self.engine, self.scratch) = (engine, scratch) }

    /// - Returns: its number.
    func add(_ pair: PairPaths, command: String) -> Int {
        let id = nextID.withLock { next in
            defer { next += 1 }
            return next
        }
        let folder = folder(of: id)
        let name = pair.photo.lastComponent?.base.string ?? "photo"
        let library = SharedLibrary(ShareOrder([ShareOrder.Item(name: name, pair)]), engine, scratch: folder)
        let result = StudioResult(id: id, name: name, pair: pair, command: command, library: library)
        results.withLock { results in
            if results.count >= Self.most, let oldest = results.keys.min() { results[oldest] = nil }
            results[id] = result
        }
        return id
    }

    /// - Throws: `LivePhotoError` if there is no such result.
    func result(_ id: Int) throws(LivePhotoError) -> StudioResult {
        guard let result = results.withLock({ $0[id] }) else {
            throw LivePhotoError(
                .noInput, nil, "there is no result \(id) here any more; its files are where they were made")
        }
        return result
    }

    /// The folder for copies that browsers need, which is created with the first.
    private func folder(of id: Int) -> FilePath { scratch.appending("result-\(id)") }

    /// The Live Photo as an animation, in a file without a name.
    ///
    /// - Throws: `LivePhotoError`.
    func animation(of id: Int) async throws -> InputFile {
        let pair = try result(id).pair
        let output = folder(of: id).appending("animation.gif")
        let engine = engine
        return try await animations.value(id) {
            _ = try await engine.export(ExportRequest(photo: pair.photo, movie: pair.movie, as: .gif, to: output))
            let file = try InputFile(output)
            try FileSystem.removeFile(output)
            return file
        }
    }

    func stop() async {
        await animations.stop()
        for result in results.withLock({ Array($0.values) }) { await result.library.stop() }
    }
}
