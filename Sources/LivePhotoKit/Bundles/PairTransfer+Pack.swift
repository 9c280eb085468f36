import MediaModel
import StillImage
public import SystemPackage

extension PairTransfer {
    /// Puts all pairs below some folders into containers, at the same places below `directory`; see
    /// `PairContainer.pack`. Pairs are found as a verifier finds them, but not in bundles, which hold one already.
    ///
    /// - Parameters:
    ///   - progress: called now and then.
    ///   - report: called with each outcome, in order.
    /// - Throws: `CancellationError`, once the pairs that were begun are done and told; what `report` throws.
    public func pack(
        below folders: [FilePath], as format: PairContainer.Format, to directory: FilePath,
        progress: (Progress) -> Void = { _ in }, report: (Outcome) throws -> Void
    ) async throws {
        var jobs: [PackingJob] = []
        var claims = Claims()
        for folder in folders {
            let tree = FileTree(below: [folder], without: directory, seeksContainers: true)
            let total = tree.photos.count + tree.movies.count
            let items = try await TreeItems(tree, width: width) {
                progress(Progress(stage: .searching, done: $0, total: total))
            }
            jobs += items.unreadable.map { .settled(.failed($0)) }
            for pair in PairFinder(photos: items.photos, movies: items.movies).pairs {
                let job = PackingJob(pair, as: format, in: pair.photo.folder(from: folder, to: directory))
                jobs.append(job.claiming(&claims))
            }
        }
        try await transfer(jobs, progress: progress, report: report) { job in
            switch job {
            case .settled(let outcome): outcome
            case .pair(let photo, let movie, let target): pack(photo: photo, movie: movie, as: format, to: target)
            }
        }
    }

    /// Puts one pair into a container.
    ///
    /// - Parameter target: what is made, or a folder that it goes to, by its usual name.
    public func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath
    ) -> Outcome {
        var target = target
        do throws(LivePhotoError) {
            if target.isFolderOfFiles { target = target.appending(try format.name(of: photo)) }
            func outcome(_ state: Outcome.State) -> Outcome {
                Outcome(state: state, container: target, photo: photo, movie: movie)
            }
            let packed = try PackedPair(
                photo: photo, movie: movie, stillTime: MovieMoments(of: movie).still, as: format)
            if packed.stands(at: target) { return outcome(.present) }
            if isDryRun {
                try packed.check(target, replacing: replacesExisting)
                return outcome(.planned)
            }
            try packed.write(to: target, replacing: replacesExisting)
            return outcome(.made)
        } catch {
            return .failed(error, container: target, photo: photo, movie: movie)
        }
    }
}

private enum PackingJob: Sendable {
    case settled(PairTransfer.Outcome)
    case pair(photo: FilePath, movie: FilePath, target: FilePath)

    init(_ pair: (photo: FilePath, movie: FilePath), as format: PairContainer.Format, in directory: FilePath) {
        do throws(LivePhotoError) {
            self = .pair(
                photo: pair.photo, movie: pair.movie, target: directory.appending(try format.name(of: pair.photo)))
        } catch {
            self = .settled(.failed(error, photo: pair.photo, movie: pair.movie))
        }
    }

    func claiming(_ claims: inout PairTransfer.Claims) -> Self {
        guard case .pair(let photo, let movie, let target) = self else { return self }
        do throws(LivePhotoError) {
            try claims.claim(target, for: photo)
            return self
        } catch {
            return .settled(.failed(error, container: target, photo: photo, movie: movie))
        }
    }
}

extension PairContainer.Format {
    /// What a pair is called in this form: `IMG_1.MP.jpg`, `IMG_1.livp`.
    fileprivate func name(of photo: FilePath) throws(LivePhotoError) -> String {
        let stem = photo.stem ?? "photo"
        switch self {
        case .pvt, .livp: return "\(stem).\(rawValue)"
        case .motionPhoto:
            switch try PackedPair.photo(photo).format {
            case .jpeg: return "\(stem).MP.jpg"
            case .heic: return "\(stem).MP.heic"
            case .avif: return "\(stem).MP.avif"
            }
        }
    }
}

extension PairTransfer.Outcome {
    static func failed(
        _ error: LivePhotoError, container: FilePath? = nil, photo: FilePath? = nil, movie: FilePath? = nil
    ) -> Self {
        Self(state: .failed(error), container: container, photo: photo, movie: movie)
    }
}
