import Bytes
public import SystemPackage

extension PairTransfer {
    /// Packs all pairs below some folders into one ZIP archive with a `.pvt` folder for each, which the Files app of an iPhone
    /// unpacks. Pairs that cannot be packed are left out and reported. If the target already has the same contents, nothing is
    /// written.
    ///
    /// - Parameters:
    ///   - folders: The folders to search, with all folders below them.
    ///   - target: The archive.
    ///   - progress: Called after each folder that was listed, each file that was searched and each pair.
    ///   - report: Called with the outcome for each pair, once the archive is complete.
    /// - Throws: `LivePhotoError` if the archive cannot be written, or if there is no pair; `CancellationError`; errors of
    ///   `report`.
    public func packTogether(
        below folders: [FilePath], to target: FilePath, progress: (Progress) -> Void = { _ in },
        report: (Outcome) throws -> Void
    ) async throws {
        let found = try await searchPairs(below: folders, without: target, progress)
        for other in found.others { try report(await other()) }
        var packed: [PairPaths] = []
        let pairs = found.pairs.map { PairPaths(photo: $0.photo, movie: $0.movie) }.sorted {
            $0.photo.string < $1.photo.string
        }
        try await concurrentForEach(pairs, width: width) { pair in
            let result = Result { () throws(LivePhotoError) in
                try LivePhoto.check(photo: pair.photo, movie: pair.movie)
                // Whatever makes a pair fail must not fail the others.
                _ = try PairArchive([pair], as: .bundles)
            }
            return (pair, result)
        } body: { pair, result in
            switch result {
            case .success: packed.append(pair)
            case .failure(let error): try report(.failed(error, photo: pair.photo, movie: pair.movie))
            }
        }
        guard let first = folders.first, !packed.isEmpty else {
            throw LivePhotoError(.noInput, folders.first, "contains no Live Photo that can be packed")
        }
        let archive = try PairArchive(packed, as: .bundles)
        let inputs = packed.flatMap { [$0.photo, $0.movie] }
        let state = try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try write(archive, of: packed.count, inputs, to: target, reading: first, progress)
        }
        for pair in packed {
            try report(Outcome(state: state, container: target, photo: pair.photo, movie: pair.movie))
        }
    }

    private func write(
        _ archive: PairArchive, of count: Int, _ inputs: [FilePath], to target: FilePath, reading source: FilePath,
        _ progress: (Progress) -> Void
    ) throws -> Outcome.State {
        if !isDryRun { Publisher.removeLeftoversOnce(in: target.folder) }
        if archive.isPresent(at: target) { return .present }
        try Publisher.check([target], inputs: inputs, replacing: replacesExisting)
        try Publisher.checkCase(of: [target])
        if isDryRun { return .planned }
        guard let name = target.lastComponent else { throw LivePhotoError(writing: target, Errno.isDirectory) }
        let publisher = try Publisher([.init(name)], in: target.folder)
        do {
            try publisher.write(name) { output in
                try archive.write(to: output) { written in
                    let done = archive.layout.count > 0 ? count * written / archive.layout.count : count
                    progress(Progress(stage: .transferring, done: done, total: count))
                }
            }
        } catch {
            throw PairContainer.failure(error, (error as? FileChanged)?.path ?? source)
        }
        try publisher.publish(replacing: replacesExisting)
        return .made
    }
}
