package import MediaModel
import StillImage
public import SystemPackage

extension PairTransfer {
    /// Puts all pairs below some folders into containers, at the places below `directory` that their photos have below the
    /// folders. Pairs are found as a verifier finds them, but not in bundles, which hold one already.
    ///
    /// - Parameters:
    ///   - progress: called now and then.
    ///   - report: called with each outcome, in order.
    /// - Throws: `CancellationError`, once of the pairs that were begun nothing is left but those that are done and told;
    ///   what `report` throws.
    public func pack(
        below folders: [FilePath], as format: PairContainer.Format, to directory: FilePath,
        progress: (Progress) -> Void = { _ in }, report: (Outcome) throws -> Void
    ) async throws {
        let tree = FileTree(below: folders, without: directory, seeksContainers: true)
        let total = tree.photos.count + tree.movies.count
        let items = try await TreeItems(tree, width: width) {
            progress(Progress(stage: .searching, done: $0, total: total))
        }
        var jobs: [PackingJob] = items.unreadable.map { .settled(.failed($0)) }
        var claims = Claims()
        for pair in PairFinder(photos: items.photos, movies: items.movies).pairs {
            let job = PackingJob(pair, as: format, in: tree.folder(of: pair.photo, in: directory))
            jobs.append(job.claiming(&claims))
        }
        try await transfer(jobs, progress: progress, report: report) { job in
            switch job {
            case .settled(let outcome): outcome
            case .pair(let photo, let movie, let target): pack(photo: photo, movie: movie, as: format, to: target)
            }
        }
    }

    /// Puts one pair into one file, or folder for `.pvt`, which comes to its place whole or not at all. Where what would be
    /// written stands already, nothing is.
    ///
    /// The photo's picture and the movie are copied byte for byte. In a motion photo XMP comes to the photo, or changes
    /// there, and a movie that the photo has already is left out; a movie that does not begin with `ftyp`, as players of
    /// motion photos want it, gets one, and its `moov` comes last. It says when in the movie the photo was taken, where
    /// the movie does.
    ///
    /// - Parameter target: what is made, or a folder that it goes to, by its usual name. A folder that stands there is
    ///   replaced only by one, and only if its name ends in `.pvt`.
    public func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath
    ) -> Outcome {
        pack(photo: photo, movie: movie, as: format, to: target) { () throws(LivePhotoError) in
            try MovieMoments(of: movie).still
        }
    }

    /// - Parameter stillTime: when in the movie the photo was taken; nil where nobody knows.
    package func pack(
        photo: FilePath, movie: FilePath, as format: PairContainer.Format, to target: FilePath,
        stillTime: () throws(LivePhotoError) -> MediaTime?
    ) -> Outcome {
        var target = target
        do throws(LivePhotoError) {
            if target.isFolderOfFiles { target = target.appending(try format.name(of: photo)) }
            func outcome(_ state: Outcome.State) -> Outcome {
                Outcome(state: state, container: target, photo: photo, movie: movie)
            }
            let packed = try PackedPair(photo: photo, movie: movie, stillTime: stillTime(), as: format)
            if packed.isPresent(at: target) { return outcome(.present) }
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
