import Bytes
public import SystemPackage

extension PairTransfer {
    /// Copies a pair to the card of a camera, as `DCIM/100APPLE/IMG_0001.JPG` and `IMG_0001.MOV`. The number follows the
    /// highest one that the card has. Existing files are never replaced; a pair that the card already has is not copied
    /// again.
    ///
    /// - Parameters:
    ///   - photo: The photo of a Live Photo.
    ///   - movie: Its movie.
    ///   - card: The card's root, or a folder to copy to a card; created if missing.
    /// - Returns: What was done; errors are in its state.
    public func copy(photo: FilePath, movie: FilePath, toCard card: FilePath) -> Outcome {
        do throws(LivePhotoError) {
            var card = try CameraCard(card, removesLeftovers: !isDryRun)
            return job(photo: photo, movie: movie, &card)()
        } catch {
            return .failed(error, photo: photo, movie: movie)
        }
    }

    /// As `copy(photo:movie:toCard:)` for all pairs below some folders, in the order of their names.
    ///
    /// - Parameters:
    ///   - folders: Searched with their subfolders.
    ///   - card: The card's root, or a folder to copy to a card; created if missing.
    ///   - progress: Called after each folder that was listed, each file that was searched and each pair.
    ///   - report: Called with each outcome, in order.
    /// - Throws: `LivePhotoError` for a card that cannot be read; `CancellationError`; errors of `report`.
    public func copy(
        below folders: [FilePath], toCard card: FilePath, progress: (Progress) -> Void = { _ in },
        report: (Outcome) throws -> Void
    ) async throws {
        let found = try await searchPairs(below: folders, without: card, progress)
        var jobs = found.others
        var card = try CameraCard(card, removesLeftovers: !isDryRun)
        for (photo, movie) in found.pairs {
            if Task.isCancelled { throw CancellationError() }
            jobs.append(job(photo: photo, movie: movie, &card))
        }
        try await run(jobs, progress: progress, report: report)
    }

    /// Chooses the names of the copies.
    private func job(photo: FilePath, movie: FilePath, _ card: inout CameraCard) -> @Sendable () -> Outcome {
        @Sendable func outcome(_ state: Outcome.State, _ outputs: [FilePath]) -> Outcome {
            var outcome = Outcome(state: state, container: nil, photo: photo, movie: movie)
            outcome.outputs = outputs
            return outcome
        }
        do throws(LivePhotoError) {
            try LivePhoto.check(photo: photo, movie: movie)
            if let copy = card.copy(ofPhoto: photo, movie: movie) { return { outcome(.present, copy) } }
            let target = try card.next(PackedPair.photo(photo).format)
            card.plan(target, ofPhoto: photo, movie: movie)
            let isDryRun = isDryRun
            return {
                do throws(LivePhotoError) {
                    try target.check(inputs: [photo, movie], replacing: false)
                    if !isDryRun { try Self.copy(photo, movie, to: target) }
                    return outcome(isDryRun ? .planned : .made, [target.photo, target.movie])
                } catch {
                    return outcome(.failed(error), [target.photo, target.movie])
                }
            }
        } catch {
            return { outcome(.failed(error), []) }
        }
    }

    private static func copy(
        _ photo: FilePath, _ movie: FilePath, to target: PublishTarget
    ) throws(LivePhotoError) {
        let publisher = try target.publisher()
        for (path, name) in [(photo, target.photoName), (movie, target.movieName)] {
            do {
                let content = FilePieces(try InputFile(path))
                try publisher.write(name) { try content.write(to: $0) }
            } catch {
                throw PairContainer.failure(error, path)
            }
        }
        try publisher.publish(replacing: false)
    }
}
