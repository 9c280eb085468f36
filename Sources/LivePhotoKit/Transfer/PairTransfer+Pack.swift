package import Bytes
package import MediaModel
import StillImage
public import SystemPackage

extension PairTransfer {
    /// Packs all pairs below some folders into containers, in the same subfolders of `directory`. Pairs are found as
    /// `LivePhotoVerifier` finds them, except in bundles.
    ///
    /// - Parameters:
    ///   - folders: The folders to search, with all folders below them.
    ///   - format: The format of the containers.
    ///   - directory: The output folder, created if missing.
    ///   - encoder: Encodes what phones cannot play in motion photos; without one, such pairs fail.
    ///   - progress: Called after each folder that was listed, each file that was searched and each pair.
    ///   - report: Called with each outcome, in order.
    /// - Throws: `CancellationError`, when incomplete containers are removed; errors of `report`.
    public func pack(
        below folders: [FilePath], as format: PairContainer.Format, to directory: FilePath,
        with encoder: (any MotionPhotoEncoder)? = nil, progress: (Progress) -> Void = { _ in },
        report: (Outcome) throws -> Void
    ) async throws {
        let found = try await searchPairs(below: folders, without: directory, progress)
        var jobs = found.others
        var claims = Claims()
        for (photo, movie) in found.pairs {
            var container: FilePath?
            do throws(LivePhotoError) {
                let target = found.tree.folder(of: photo, in: directory).appending(try name(of: photo, as: format))
                container = target
                try claims.claim(target, for: photo)
                jobs.append {
                    guard let encoder else { return pack(photo: photo, movie: movie, as: format, to: target) }
                    return await pack(photo: photo, movie: movie, as: format, to: target, with: encoder)
                }
            } catch {
                let outcome = Outcome.failed(error, container: container, photo: photo, movie: movie)
                jobs.append { outcome }
            }
        }
        try await run(jobs, progress: progress, report: report)
    }

    /// The pairs below some folders, and a job for each other file, which fails for those that cannot be read.
    func searchPairs(
        below folders: [FilePath], without output: FilePath, _ progress: (Progress) -> Void
    ) async throws -> (tree: FileTree, pairs: [(photo: FilePath, movie: FilePath)], others: [Job]) {
        func report(_ done: Int, _ total: Int) { progress(Progress(stage: .searching, done: done, total: total)) }
        let tree = try await FileTree(
            below: folders, without: output, seeksContainers: true,
            onFolder: { report(0, $0.photos.count + $0.movies.count) })
        let total = tree.photos.count + tree.movies.count
        let items = try await TreeItems(tree, width: width) { report($0, total) }
        let pairs = PairFinder(photos: items.photos, movies: items.movies).pairs
        let paired = Set(pairs.flatMap { [$0.photo, $0.movie] })
        let unpaired = (items.photos + items.movies).count { !paired.contains($0.path) }
        let passOver: Job = { Outcome(state: .passedOver, container: nil, photo: nil, movie: nil) }
        let failures: [Job] = items.unreadable.map { error in { .failed(error) } }
        return (tree, pairs, failures + Array(repeating: passOver, count: unpaired))
    }

    /// Packs one pair into one file, or into a folder for `.pvt`, which appears only when it is complete. If the target
    /// already has the same contents, nothing is written. A photo and a movie without a common content identifier are not
    /// packed: nothing shows that they belong together.
    ///
    /// The photo's picture and the movie are copied byte for byte, except for motion photos. There, XMP is added to the
    /// photo, and a movie that the photo already has is dropped. The movie becomes an MP4 with the same samples and times,
    /// which holds the first video track, one of sound and the timed metadata but no other tracks. Its still time is
    /// recorded, and the content identifier moves from the MakerNote to XMP (`MotionPhotoOptions`).
    ///
    /// - Parameters:
    ///   - photo: A JPEG, HEIC or AVIF.
    ///   - movie: A QuickTime movie or MP4.
    ///   - format: The format of the container.
    ///   - target: The container, or a folder that it is created in under its usual name. An existing folder is replaced
    ///     only by another folder, and only if its name ends in `.pvt`.
    /// - Returns: What was done; errors are in its state.
    public func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath
    ) -> Outcome {
        pack(photo: photo, movie: movie, as: format, to: target) { () throws(LivePhotoError) in
            try Self.stillTime(photo, movie)
        }
    }

    /// As the method without an encoder, which rejects a motion photo whose photo or movie has to be encoded
    /// (`motionPhoto`).
    ///
    /// - Parameters:
    ///   - photo: A JPEG, HEIC or AVIF.
    ///   - movie: A QuickTime movie or MP4.
    ///   - format: The format of the container.
    ///   - target: As in that method.
    ///   - encoder: A `MediaEngine`, such as `MediaWorker`.
    public func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath,
        with encoder: any MotionPhotoEncoder
    ) async -> Outcome {
        guard format == .motionPhoto else { return pack(photo: photo, movie: movie, as: format, to: target) }
        var target = target
        do throws(LivePhotoError) {
            if target.isFolderOfFiles { target = target.appending(try name(of: photo, as: format)) }
            let stillTime = try Self.stillTime(photo, movie)
            if try MotionPhotoParts.areNeeded(photo: photo, movie: movie, motionPhoto) {
                // A file that is there may have the same contents, which only encoding shows.
                try Publisher.check([target], inputs: [photo, movie], replacing: replacesExisting || !isDryRun)
                try Publisher.checkCase(of: [target])
                if isDryRun { return Outcome(state: .planned, container: target, photo: photo, movie: movie) }
            }
            let parts = try await MotionPhotoParts(photo: photo, movie: movie, motionPhoto, in: target.folder, encoder)
            return pack(photo: photo, movie: movie, as: format, to: target, parts) { stillTime }
        } catch {
            return .failed(error, container: target, photo: photo, movie: movie)
        }
    }

    /// The bytes of a motion photo, which keep the files of the pair open.
    ///
    /// - Parameters:
    ///   - folder: Where intermediate files are created, without names in the end.
    ///   - encoder: Encodes what phones cannot play.
    /// - Throws: `LivePhotoError`.
    package func motionPhoto(
        of pair: PairPaths, in folder: FilePath, with encoder: any MotionPhotoEncoder
    ) async throws(LivePhotoError) -> FilePieces {
        let stillTime = try Self.stillTime(pair.photo, pair.movie)
        let parts = try await MotionPhotoParts(photo: pair.photo, movie: pair.movie, motionPhoto, in: folder, encoder)
        let (photo, movie) = (try PackedPair.photo(pair.photo).file, try PackedPair.movie(pair.movie))
        return try PackedPair.motionPhoto(photo, movie, stillTime, motionPhoto, parts)
    }

    /// The still time of a pair, after a check that it is one.
    private static func stillTime(_ photo: FilePath, _ movie: FilePath) throws(LivePhotoError) -> MediaTime? {
        try LivePhoto.check(photo: photo, movie: movie)
        return try MovieMoments(of: movie).ownStill
    }

    /// - Parameter stillTime: Returns the time in the movie at which the photo was taken; nil if unknown.
    package func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath,
        stillTime: () throws(LivePhotoError) -> MediaTime?
    ) -> Outcome {
        pack(photo: photo, movie: movie, as: format, to: target, MotionPhotoParts(), stillTime: stillTime)
    }

    private func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath,
        _ parts: MotionPhotoParts, stillTime: () throws(LivePhotoError) -> MediaTime?
    ) -> Outcome {
        var target = target
        do throws(LivePhotoError) {
            if target.isFolderOfFiles { target = target.appending(try name(of: photo, as: format)) }
            func outcome(_ state: Outcome.State) -> Outcome {
                Outcome(state: state, container: target, photo: photo, movie: movie)
            }
            let packed = try PackedPair(
                photo: photo, movie: movie, stillTime: stillTime(), as: format, motionPhoto: motionPhoto, parts)
            if !isDryRun { Publisher.removeLeftoversOnce(in: target.folder) }
            if packed.isPresent(at: target) { return outcome(.present) }
            if isDryRun {
                try packed.check(target, replacing: replacesExisting)
                return outcome(.planned)
            }
            try packed.write(to: target, replacing: replacesExisting, willPublish: willPublish)
            return outcome(.made)
        } catch {
            return .failed(error, container: target, photo: photo, movie: movie)
        }
    }
}

extension PairTransfer {
    /// The container's name: `IMG_1.MP.jpg`, `IMG_1.livp`.
    package func name(
        of photo: FilePath, as format: PairContainer.Format
    ) throws(LivePhotoError) -> FilePath.Component {
        let name = photo.lastComponent?.base.cut(leaving: Self.longestEnding) ?? "photo"
        switch format {
        case .pvt, .livp, .pvtZip: return name.appending(".\(format.rawValue)")
        case .motionPhoto: return name.appending(".MP.\(try ending(of: photo, as: format).usual)")
        }
    }

    /// Bytes of the longest ending.
    private static let longestEnding = ".MP.heic".utf8.count

    /// The ending of the names of containers.
    package func ending(of photo: FilePath, as format: PairContainer.Format) throws(LivePhotoError) -> ContainerEnding {
        guard format == .motionPhoto else {
            return ContainerEnding(
                usual: format.rawValue, others: format == .pvtZip ? ["zip"] : [], name: "a .\(format.rawValue)")
        }
        return switch motionPhoto.photoFormat == .jpeg ? .jpeg : try PackedPair.photo(photo).format {
        case .jpeg: ContainerEnding(usual: "jpg", others: ["jpeg", "jpe"], name: "a JPEG")
        case .heic: ContainerEnding(usual: "heic", others: ["heif", "hif"], name: "a HEIC")
        case .avif: ContainerEnding(usual: "avif", others: [], name: "an AVIF")
        }
    }
}

/// How the names of a kind of containers end.
package struct ContainerEnding: Sendable {
    /// The extension, in lower case.
    package let usual: String
    /// Further extensions that files of this kind have.
    package let others: [String]
    /// The kind, for a sentence: `a JPEG`.
    package let name: String
}
