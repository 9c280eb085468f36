import LivePhotoKit
import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pair that one job makes: its inputs, its place and its content identifier.
struct JobPair: Sendable {
    let inputs: [JobRecord.Input]
    /// A digest of the inputs' content, the effective options and the program's version.
    let key: String
    /// The requested one, or the one that a photo and a movie share already, or one derived from the key.
    let contentIdentifier: ContentIdentifier
    let stillAsked: String?
    let target: PublishTarget
    private var task: JobTask
    private let isAsked: Bool

    /// - Throws: `LivePhotoError` for inputs that cannot be read.
    ///
    /// - Parameter known: inputs that need not be read where they have not changed.
    init(_ task: JobTask, version: String, known: [JobRecord.Input]) throws {
        self.task = task
        let paths: [FilePath]
        let asked: ContentIdentifier?
        switch task {
        case .convert(let request, let still):
            paths = [request.clip] + [request.photo].compactMap(\.self)
            (target, asked) = (try request.target(), request.contentIdentifier)
            stillAsked = still?.description
        case .link(let request):
            paths = [request.photo, request.movie]
            (target, asked) = (try request.target(), request.contentIdentifier ?? request.ownIdentifier)
            stillAsked = request.still?.description
        }
        inputs = try paths.map { (path: FilePath) throws(LivePhotoError) in
            try JobRecord.Input(path, known: known.first { $0.path == path.string })
        }
        key = Digest.sha256(
            (["livephoto \(version)"] + inputs.map(\.sha256) + [try task.effectiveOptions]).joined(separator: "\n"))
        guard let identifier = asked ?? ContentIdentifier(derivedFrom: key) else {
            throw LivePhotoError(.internalFault, nil, "no content identifier could be made")
        }
        contentIdentifier = identifier
        isAsked = asked != nil
    }

    /// The pair at its target, if an earlier run made it for this same job.
    func existing(begun: Set<BegunPair>) -> LivePhoto? {
        // An identifier that follows from the key is proof; another may be that of any pair.
        guard !isAsked || begun.contains(where: { $0.key == key }),
            let report = try? LivePhotoVerifier().verify(photo: target.photo, movie: target.movie), report.isGood,
            let pair = try? LivePhoto(photo: target.photo, movie: target.movie),
            pair.contentIdentifier == contentIdentifier
        else { return nil }
        return pair
    }

    /// The same, after it was found out what keeps the pair from being made. Files that an earlier run of this batch made
    /// are replaced; those of others only where that is asked for.
    ///
    /// - Throws: `LivePhotoError`.
    func checked(replacing: Bool, begun: Set<BegunPair>) throws -> JobPair {
        let mayReplace = replacing || isOurs(Set(begun.map(\.contentIdentifier)))
        var pair = self
        switch task {
        case .convert(var request, let still):
            request.contentIdentifier = contentIdentifier
            request.replacesExisting = mayReplace
            try request.checkedTarget(target)
            pair.task = .convert(request, stillAsked: still)
        case .link(var request):
            request.contentIdentifier = contentIdentifier
            request.replacesExisting = mayReplace
            pair.task = .link(request)
        }
        return pair
    }

    /// Whether each file that is in its place carries one of the identifiers.
    private func isOurs(_ identifiers: Set<String>) -> Bool {
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

    /// Removes the photo of another format that this batch made of the same job before, so that it does not stay beside
    /// the pair. An identifier that follows from a key is proof of that; another may be that of any photo.
    ///
    /// - Returns: what the user may want to know.
    func removeFormerPhoto(begun: Set<BegunPair>) -> [String] {
        var former = target.photo
        former.extension = former.extension == "HEIC" ? "JPG" : "HEIC"
        guard case .photo(let photo)? = try? LivePhotoInspector().inspect(former),
            begun.contains(where: {
                $0.contentIdentifier == photo.contentIdentifier
                    && $0.contentIdentifier == ContentIdentifier(derivedFrom: $0.key)?.string
            })
        else { return [] }
        do {
            try FileManager.default.removeItem(atPath: former.string)
            return []
        } catch {
            return ["\(former) is of an earlier run, and cannot be removed: \(error)"]
        }
    }

    /// Notes in the record what was decided.
    func make(
        _ worker: MediaWorker, threads: Int, encoderThreads: Int?, _ record: inout JobRecord,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> LivePhoto {
        switch task {
        case .convert(var request, _):
            request.threads = threads
            request.encoderThreads = encoderThreads
            let result = try await worker.make(request, to: target, progress: progress)
            record.stillTimeInClip = result.plan.stillInClip.seconds
            record.stillTime = result.plan.stillTime.seconds
            record.duration = result.plan.duration.seconds
            record.warnings = result.warnings
            return result.livePhoto
        case .link(let request):
            let (result, warnings) = try await request.link(worker)
            record.warnings = warnings
            record.stillTime = result.stillTime.seconds
            return result.livePhoto
        }
    }
}
