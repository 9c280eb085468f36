package import LivePhotoKit
package import LivePhotoRequests
package import LivePhotoWorker
import SystemPackage

/// Conversions of several clips, each in its own worker process, several at a time. An error does not stop the others.
package struct ConversionSeries: Sendable {
    private let requests: [ConversionRequest]
    private let engine: MediaEngine
    private let slots: Int

    /// - Parameters:
    ///   - slots: number of clips to convert at a time; nil for as many as cores and memory allow.
    ///   - worker: if neither it nor a preset limits memory, each conversion gets an equal share of the machine's.
    package init(_ requests: [ConversionRequest], slots: Int?, worker: MediaWorker) {
        let machine = MachineResources()
        let slots = machine.slots(for: requests.count, requested: slots)
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
        report: (Int, Result<(plan: PlanSummary, target: PublishTarget), LivePhotoError>) throws -> Void
    ) async throws {
        try await forEach(ended: { _ in }, report: report) { _, request in
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
        report: (Int, Result<ConversionResult, LivePhotoError>) throws -> Void
    ) async throws {
        try await OutputFolders.withRun {
            try await forEach(ended: ended, report: report) { index, request in
                try await engine.convert(request) { progress(index, $0) }
            }
        }
    }

    private func forEach<Value: Sendable>(
        ended: @escaping @Sendable (Int) -> Void, report: (Int, Result<Value, LivePhotoError>) throws -> Void,
        work: @escaping @Sendable (Int, ConversionRequest) async throws -> Value
    ) async throws {
        var isCancelled = false
        var number = 0
        try await concurrentForEach(Array(requests.enumerated()), width: slots) { index, request in
            let result: Result<Value, LivePhotoError>
            do {
                result = .success(try await work(index, request))
            } catch let error as LivePhotoError {
                result = .failure(error)
            } catch is CancellationError {
                result = .failure(LivePhotoError(.cancelled, nil, "stopped"))
            } catch {
                result = .failure(
                    LivePhotoError(.internalError, request.clip, "internal error: \(error)", cause: error))
            }
            if !result.isCancelled { ended(index) }
            return result
        } body: { result in
            if result.isCancelled {
                isCancelled = true
            } else {
                try report(number, result)
            }
            number += 1
        }
        if isCancelled { throw CancellationError() }
    }
}

extension Result where Failure == LivePhotoError {
    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }
}
