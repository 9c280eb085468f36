package import LivePhotoKit

extension MediaEngine {
    /// Plans a conversion without writing files: reads the clip's headers and packet times, and
    /// decodes pictures only if the plan depends on them, as for the best still, a loop or stabilization.
    ///
    /// - Throws: `LivePhotoError`.
    public func plan(_ request: ConversionRequest) async throws -> PlanSummary {
        try await planWithTarget(request).plan
    }

    /// The plan and the files that the conversion would write.
    package func planWithTarget(
        _ request: ConversionRequest
    ) async throws -> (plan: PlanSummary, target: PublishTarget) {
        let target = try await BlockingWork.run { _ in try request.checkedTarget() }
        let chosen = try await choosingStill(of: request)
        let work = try await BlockingWork.run { _ in
            var prepared = try chosen.prepared()
            // A new one is made for each conversion.
            prepared.contentIdentifier = request.contentIdentifier
            return prepared.work
        }
        return (try await perform(.plan(work), result: \.plan), target)
    }

    /// Makes a Live Photo, reads it back, checks it and publishes it: both files or none, also if the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: the clip, the output folder and the settings.
    ///   - progress: called at most ten times a second.
    /// - Throws: `LivePhotoError`.
    public func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        let target = try await BlockingWork.run { _ in try request.checkedTarget() }
        return try await convert(request, to: target, progress: progress)
    }

    /// - Parameter target: the request's target, already checked.
    package func convert(
        _ request: ConversionRequest, to target: PublishTarget, progress: @escaping Progress
    ) async throws -> ConversionResult {
        let chosen = try await choosingStill(of: request)
        let (work, publication) = try await BlockingWork.run { _ in
            let request = try chosen.prepared()
            return (request.work, try PairPublication(request, to: target))
        }
        do {
            let (plan, warnings) = try await perform(
                .pair(work), into: [publication.photo, publication.movie], progress, result: \.movie)
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                return try publication.publish(plan, warnings: warnings)
            }
        } catch {
            await BlockingWork.cleanUp { publication.discard() }
            throw error
        }
    }

    /// The request with the time of the best still, if it has to be known before the request is prepared.
    private func choosingStill(of request: ConversionRequest) async throws -> ConversionRequest {
        guard let search = try request.stillSearch() else { return request }
        let plan = try await perform(.plan(search), result: \.plan)
        var request = request
        request.preset.window.still = .time(.seconds(plan.stillInClip))
        request.work.stillCandidates = plan.stillCandidates
        return request
    }
}
