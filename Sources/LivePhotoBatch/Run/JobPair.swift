import Digests
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// The pair that one job makes: its inputs, its place and its content identifier.
struct JobPair: Sendable {
    let inputs: [JobRecord.Input]
    /// A digest of the inputs' content, the effective options and the program's version.
    let key: String
    /// The requested one, or the one that photo and movie already have, or one derived from the key.
    let contentIdentifier: ContentIdentifier
    /// The still time as it is written in the job.
    let requestedStill: String?
    let target: PublishTarget
    private var work: JobWork
    /// Whether the content identifier was derived from the key.
    private let isDerived: Bool

    /// - Parameters:
    ///   - keepsHEIC: whether a HEIC that is edited stays one.
    ///   - known: inputs of an earlier run, which are not read again unless they have changed.
    ///   - place: tells equal jobs apart; "" if there are none.
    /// - Throws: `LivePhotoError` for inputs that cannot be read.
    init(
        _ task: JobTask, version: String, keepsHEIC: Bool, known: [JobRecord.Input], place: String = ""
    ) throws {
        work = try JobWork(task, keepsHEIC: keepsHEIC)
        let given: ContentIdentifier?
        switch work {
        case .convert(let request):
            (target, given) = (try request.target(), request.contentIdentifier)
            requestedStill = request.work.requestedTimes[Setting.still.key]
        case .link(let request):
            (target, given) = (try request.target(), request.contentIdentifier ?? request.existingIdentifier)
            requestedStill = request.stillText
        case .edit(let request):
            let conversion = try request.conversion()
            (target, given) = (try conversion.target(), request.settings.requestedIdentifier)
            requestedStill = request.settings.recipe[.still]
        }
        inputs = try work.files.map { (path: FilePath) throws(LivePhotoError) in
            try JobRecord.Input(path, known: known.first { $0.path == path.string })
        }
        key = Digest.sha256(
            (["livephoto \(version)"] + inputs.map(\.sha256) + [try work.effectiveOptions]
                + (place.isEmpty ? [] : [place])).joined(separator: "\n"))
        guard let identifier = given ?? ContentIdentifier(derivedFrom: key) else {
            throw LivePhotoError(.internalError, nil, "no content identifier could be made")
        }
        contentIdentifier = identifier
        isDerived = given == nil
    }

    /// Whether there is a file at the target.
    var targetExists: Bool {
        FileSystem.exists(target.photo) || FileSystem.exists(target.movie)
    }

    /// The pair at its target, if an earlier run made it for this same job.
    ///
    /// - Parameter started: the pairs started for this job.
    func existing(started: Set<StartedPair>) -> LivePhoto? {
        // An identifier derived from the key proves that the pair is this job's; any other may be in other pairs too.
        guard isDerived || started.contains(where: { $0.key == key }),
            PairCheck.isGood(photo: target.photo, movie: target.movie),
            let pair = try? LivePhoto(photo: target.photo, movie: target.movie),
            pair.contentIdentifier == contentIdentifier
        else { return nil }
        return pair
    }

    /// Checks that the pair can be made, and whether it replaces existing files: always those of earlier runs of this batch,
    /// others only if `replacing` is true.
    ///
    /// - Throws: `LivePhotoError`.
    func checked(replacing: Bool, started: Set<StartedPair>) throws -> JobPair {
        let mayReplace = replacing || targetHasOnly(Set(started.map(\.contentIdentifier)))
        var pair = self
        switch work {
        case .convert(var request):
            request.contentIdentifier = contentIdentifier
            request.replacesExisting = mayReplace
            try request.checkedTarget(target)
            pair.work = .convert(request)
        case .link(var request):
            request.contentIdentifier = contentIdentifier
            request.destination = .directory(target.directory, replacesExisting: mayReplace)
            request.joinsDifferentPairs = replacing
            pair.work = .link(request)
        case .edit(var request):
            request.settings.identity = .set(contentIdentifier)
            request.settings.destination = .directory(target.directory, replacesExisting: mayReplace)
            try request.conversion().checkedTarget(target)
            pair.work = .edit(request)
        }
        return pair
    }

    /// Whether each existing file at the target has one of these content identifiers.
    private func targetHasOnly(_ identifiers: Set<String>) -> Bool {
        !identifiers.isEmpty
            && [target.photo, target.movie].allSatisfy { path in
                guard (try? Stat(path, followTargetSymlink: false)) != nil else { return true }
                let identifier: String? =
                    switch try? LivePhotoInspector().inspect(path) {
                    case .photo(let photo): photo.contentIdentifier
                    case .movie(let movie): movie.contentIdentifier
                    case .bundle, nil: nil
                    }
                return identifier.map(identifiers.contains) ?? false
            }
    }

    /// Removes the photo that an earlier run made of this job in the other format. Only an identifier derived from a key proves
    /// that a photo is this job's.
    ///
    /// - Returns: warnings.
    func removeFormerPhoto(started: Set<StartedPair>) -> [String] {
        var former = target.photo
        former.extension = former.extension == "HEIC" ? "JPG" : "HEIC"
        guard case .photo(let photo)? = try? LivePhotoInspector().inspect(former),
            started.contains(where: {
                $0.contentIdentifier == photo.contentIdentifier
                    && $0.contentIdentifier == ContentIdentifier(derivedFrom: $0.key)?.string
            })
        else { return [] }
        do {
            try FileSystem.removeFile(former)
            return []
        } catch {
            return ["\(former) was made by an earlier run and cannot be removed: \(error)"]
        }
    }

    /// Makes the pair and records its times and warnings.
    func make(
        _ engine: MediaEngine, threads: Int, _ record: inout JobRecord,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> LivePhoto {
        switch work {
        case .edit(let request) where !request.settings.recipe.isEncoded:
            let (result, _, warning) = try await BlockingWork.run { _ in try request.edit() }
            record.stillTimeInClip = (result.plan.start + result.plan.stillTime).seconds
            record.stillTime = result.plan.stillTime.seconds
            record.duration = result.plan.duration.seconds
            record.warnings = result.plan.notes + [warning].compactMap(\.self)
            return result.livePhoto
        case .edit(let request):
            return try await convert(request.conversion(), engine, threads: threads, &record, progress: progress)
        case .convert(let request):
            return try await convert(request, engine, threads: threads, &record, progress: progress)
        case .link(let request):
            let (result, moment) = try await engine.link(request)
            record.warnings = result.warnings
            if case .guess(let reason) = moment.source {
                record.warnings.insert("\(reason); the still is at \(moment.time)", at: 0)
            }
            record.stillTime = result.stillTime.seconds
            record.captureDate = result.writtenDate?.iso8601
            record.captureDateSource = result.writtenDateSource?.rawValue
            return result.livePhoto
        }
    }

    private func convert(
        _ request: ConversionRequest, _ engine: MediaEngine, threads: Int, _ record: inout JobRecord,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> LivePhoto {
        var request = request
        request.threads = threads
        let result = try await engine.convert(request, to: target, progress: progress)
        record.stillTimeInClip = result.plan.stillInClip.seconds
        record.stillTime = result.plan.stillTime.seconds
        record.duration = result.plan.duration.seconds
        if result.plan.keepsMovie != true { record.frames = result.plan.frameCount }
        record.warnings = result.warnings
        record.captureDate = result.plan.metadata.captureDate?.iso8601
        record.captureDateSource = result.plan.captureDateSource?.rawValue
        return result.livePhoto
    }

    /// Stores the recipe beside a finished edit, if a run was killed before it did.
    ///
    /// - Returns: warnings.
    func storeMissingRecipe(beside made: LivePhoto) -> [String] {
        guard case .edit(let request) = work, let adjustments = request.adjustments(beside: target.photo) else {
            return []
        }
        guard (try? Stat(adjustments.path, followTargetSymlink: false)) == nil else { return [] }
        return [adjustments.stored(with: made, noting: nil, replacing: false)].compactMap(\.self)
    }
}
