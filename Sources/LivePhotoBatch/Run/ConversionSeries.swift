package import LivePhotoKit
package import LivePhotoRequests
package import LivePhotoWorker
import Synchronization
import SystemPackage

/// Conversions of several clips, each in its own worker process, several at a time. Live Photos of one clip that are near each
/// other are made by one process. An error does not stop the others, except a full disk.
///
/// A pair without a requested identifier gets one that is derived from the clip and the settings, as in a batch. So a pair that was
/// made before is recognized, and not made again unless existing files are replaced.
package struct ConversionSeries: Sendable {
    /// What became of a clip.
    package enum Outcome<Made: Sendable>: Sendable {
        case made(Made)
        /// This pair was made before of the same clip with the same settings.
        case existing(LivePhoto)
    }

    private let requests: [ConversionRequest]
    private let engine: MediaEngine
    /// The indices of those that are done together.
    private let groups: [Range<Int>]
    private let slots: Int

    /// - Parameters:
    ///   - slots: number of clips to convert at a time; nil for as many as cores and memory allow.
    ///   - worker: if neither it nor a preset limits memory, each conversion gets an equal share of the machine's.
    package init(_ requests: [ConversionRequest], slots: Int?, worker: MediaWorker) {
        let machine = MachineResources()
        // These limits are those of each Live Photo.
        let isLimited =
            worker.timeout != nil || worker.memoryLimit != nil || requests.contains { $0.preset.limits.memory != nil }
        let share = machine.memoryShare(slots: machine.slots(for: requests.count, requested: slots))
        groups = Self.groups(
            of: requests, atMost: isLimited ? 1 : share.map { $0 / Self.memoryOfOne } ?? Self.mostTogether)
        let slots = machine.slots(for: groups.count, requested: slots)
        var worker = worker
        worker.memoryShare = machine.memoryShare(slots: slots)
        (self.slots, engine) = (slots, worker.engine)
        self.requests = requests.map {
            var request = $0
            request.threads = machine.threads(slots: slots)
            return request
        }
    }

    /// Checks before any work that no two clips have the same target, and that no pair would replace another clip.
    ///
    /// - Throws: `LivePhotoError` that names both clips, or with the code `.cancelled`. Errors that concern one clip are left
    ///   to its conversion.
    package static func checkTargets(of requests: [ConversionRequest]) async throws {
        try await BlockingWork.run { cancellation in
            var claims = PairTransfer.Claims()
            let clips = Dictionary(grouping: requests.map(\.clip)) { $0.nameIgnoringCase }
            for request in requests {
                try cancellation.check()
                guard let target = try? request.target() else { continue }
                var path = target.movie
                path.extension = nil
                try claims.claim(path, for: request.container ?? request.clip)
                for file in [target.photo, target.movie] {
                    let others = (clips[file.nameIgnoringCase] ?? []).filter { $0 != request.clip }
                    guard let other = others.first(where: { Publisher.isSameFile($0, file) }) else { continue }
                    throw LivePhotoError(
                        .invalidRequest, request.clip,
                        "its pair would replace \(other), which is to be converted too; give another folder with --output"
                    )
                }
            }
        }
    }

    /// Plans all conversions. Existing files of a pair are no error.
    ///
    /// - Parameter report: called with each index and result, in order.
    /// - Throws: `CancellationError`; errors of `report`.
    package func plan(
        report: (Int, Result<Outcome<(plan: PlanSummary, target: PublishTarget)>, LivePhotoError>) throws -> Void
    ) async throws {
        try await forEach(isPlan: true, ended: { _ in }, report: report) { _, request in
            var request = request
            request.replacesExisting = true
            return try await engine.planWithTarget(request)
        }
    }

    /// Makes all pairs.
    ///
    /// - Parameters:
    ///   - progress: called with the index and progress of a conversion, on any thread.
    ///   - ended: called with the index of a conversion that is done or has failed, on any thread.
    ///   - report: called with each index and result, in order.
    /// - Throws: `CancellationError`, when incomplete pairs are removed; errors of `report`.
    package func convert(
        progress: @escaping @Sendable (Int, ConversionProgress) -> Void, ended: @escaping @Sendable (Int) -> Void,
        report: (Int, Result<Outcome<ConversionResult>, LivePhotoError>) throws -> Void
    ) async throws {
        try await OutputFolders.withRun {
            try await forEach(isPlan: false, ended: ended, report: report) {
                await makeTogether($0, progress: progress)
            } work: { index, request in
                try await engine.convert(request) { progress(index, $0) }
            }
        }
    }

    /// The pair that was made before, or the request with the identifier by which it will be recognized.
    ///
    /// - Throws: `LivePhotoError` for a clip that cannot be read.
    package static func known(_ request: ConversionRequest, isPlan: Bool) async throws -> Outcome<ConversionRequest> {
        try await BlockingWork.run { _ in
            var inputs: [JobRecord.Input] = []
            return try known(request, isPlan: isPlan, &inputs)
        }
    }

    /// - Parameters:
    ///   - isPlan: whether nothing is made, so that only existing pairs matter.
    ///   - inputs: those of requests before this one, which are not read again; it takes this one's too.
    package static func known(
        _ request: ConversionRequest, isPlan: Bool, _ inputs: inout [JobRecord.Input]
    ) throws -> Outcome<ConversionRequest> {
        guard isRecognizable(request) else { return .made(request) }
        if isPlan {
            let target = try request.target()
            // All of the clip is read for its digest.
            guard [target.photo, target.movie].allSatisfy({ (try? $0.stat()) != nil }) else { return .made(request) }
        }
        // Equal clips for folders of two names are two pairs, and for one name they are copies of one.
        let pair = try JobPair(
            .convert(request), version: ProgramVersion.current, keepsHEIC: false, known: inputs,
            place: CurrentProcess.folder.pushing(request.outputDirectory).lexicallyNormalized().lastComponent?.string
                ?? "")
        inputs = pair.inputs
        // A pair that is there already is all that a killed run may have done in the folder.
        if !isPlan { Publisher.removeLeftoversOnce(in: pair.target.directory) }
        if !request.replacesExisting, let made = pair.existing(started: []) { return .existing(made) }
        var request = request
        request.contentIdentifier = pair.contentIdentifier
        return .made(request)
    }

    /// Makes the Live Photos of a group.
    ///
    /// - Returns: the results by their indices; none if one cannot be made. Each is then made alone and tells its error.
    private func makeTogether(
        _ pending: [(index: Int, request: ConversionRequest)],
        progress: @escaping @Sendable (Int, ConversionProgress) -> Void
    ) async -> [Int: Result<ConversionResult, any Error>] {
        guard pending.count > 1 else { return [:] }
        let results = try? await engine.convertTogether(pending.map(\.request)) { all in
            for (index, _) in pending {
                progress(
                    index,
                    ConversionProgress(
                        frames: all.frames / pending.count, totalFrames: all.totalFrames / pending.count))
            }
        }
        return Dictionary(uniqueKeysWithValues: zip(pending.map(\.index), results ?? []))
    }

    /// - Parameters:
    ///   - together: does the work on requests of a group, by their indices; what it leaves out is done by `work`.
    ///   - work: does the work on the request with an index.
    private func forEach<Value: Sendable>(
        isPlan: Bool, ended: @escaping @Sendable (Int) -> Void,
        report: (Int, Result<Outcome<Value>, LivePhotoError>) throws -> Void,
        together:
            @escaping @Sendable ([(index: Int, request: ConversionRequest)]) async -> [Int: Result<
                Value, any Error
            >] = { _ in [:] },
        work: @escaping @Sendable (Int, ConversionRequest) async throws -> Value
    ) async throws {
        var isCancelled = false
        var number = 0
        let isFull = Atomic(false)
        try await concurrentForEach(groups, width: slots) { group in
            var known: [(index: Int, outcome: Result<Outcome<ConversionRequest>, LivePhotoError>)] = []
            var inputs: [JobRecord.Input] = []
            for index in group {
                let request = requests[index]
                let outcome = await Self.result(of: request, isFull) {
                    let (outcome, read) = try await BlockingWork.run { [inputs] _ in
                        var inputs = inputs
                        return (try Self.known(request, isPlan: isPlan, &inputs), inputs)
                    }
                    inputs = read
                    return outcome
                }
                known.append((index, outcome))
            }
            let pending = known.compactMap { index, outcome in
                if case .success(.made(let request)) = outcome { (index, request) } else { nil }
            }
            let made = await together(pending)
            var results: [Result<Outcome<Value>, LivePhotoError>] = []
            for (index, outcome) in known {
                let result: Result<Outcome<Value>, LivePhotoError> =
                    switch outcome {
                    case .failure(let error): .failure(error)
                    case .success(.existing(let pair)): .success(.existing(pair))
                    case .success(.made(let request)):
                        // What is done already does not need the disk.
                        await Self.result(of: requests[index], isFull, needsDisk: made[index] == nil) {
                            if let done = made[index] { return .made(try done.get()) }
                            return .made(try await work(index, request))
                        }
                    }
                if !result.isCancelled { ended(index) }
                results.append(result)
            }
            return results
        } body: { results in
            for result in results {
                if result.isCancelled {
                    isCancelled = true
                } else {
                    try report(number, result)
                }
                number += 1
            }
        }
        if isCancelled { throw CancellationError() }
    }

    /// The error of a request for which an existing pair was looked for.
    package static func explained(_ error: LivePhotoError, of request: ConversionRequest) -> LivePhotoError {
        guard error.code == .outputExists, (error.cause as? Errno) == .fileExists, isRecognizable(request) else {
            return error
        }
        let reason = "already exists, and was not made of this clip with these settings"
        return LivePhotoError(error.code, error.file, reason, cause: error.cause)
    }

    /// Whether a pair that was made before can be known by its identifier.
    private static func isRecognizable(_ request: ConversionRequest) -> Bool {
        request.contentIdentifier == nil && request.work.openedClip == nil && !request.work.isEdit
    }

    /// What the work on a request gives, or its error in words.
    ///
    /// - Parameters:
    ///   - isFull: whether the disk is full, so that nothing else is begun.
    ///   - needsDisk: false for work that is done already.
    private static func result<Value>(
        of request: ConversionRequest, _ isFull: borrowing Atomic<Bool>, needsDisk: Bool = true,
        _ work: () async throws -> Value
    ) async -> Result<Value, LivePhotoError> {
        do {
            if needsDisk, isFull.load(ordering: .relaxed) { throw FullDisk.error(request.outputDirectory) }
            return .success(try await work())
        } catch let error as LivePhotoError where FullDisk.isCause(of: error, request.outputDirectory) {
            isFull.store(true, ordering: .relaxed)
            return .failure(error)
        } catch let error as LivePhotoError where error.code == .outputExists {
            return .failure(explained(error, of: request))
        } catch let error as LivePhotoError {
            return .failure(error)
        } catch is CancellationError {
            return .failure(LivePhotoError(.cancelled, nil, "stopped"))
        } catch {
            return .failure(LivePhotoError(.internalError, request.clip, "internal error: \(error)", cause: error))
        }
    }
}

extension Result where Failure == LivePhotoError {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }
}
