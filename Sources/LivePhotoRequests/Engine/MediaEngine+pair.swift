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
        let prepared = try await prepare(request, to: target)
        do {
            let movie = try await perform(
                .pairs([prepared.work]), into: prepared.publication.files, progress, result: \.movie)
            return try await publish(movie, prepared.publication)
        } catch {
            await BlockingWork.cleanUp { prepared.publication.discard() }
            throw error
        }
    }

    /// Makes several Live Photos of one clip, whose frames are decoded once if their movies are near each other.
    ///
    /// - Parameter progress: called with the frames of all.
    /// - Returns: for each request the result of publishing its pair.
    /// - Throws: `LivePhotoError` if one cannot be made; then none is published.
    package func convertTogether(
        _ requests: [ConversionRequest], progress: @escaping Progress
    ) async throws -> [Result<ConversionResult, any Error>] {
        var prepared: [PreparedPair] = []
        do {
            for request in requests {
                let target = try await BlockingWork.run { _ in try request.checkedTarget() }
                prepared.append(try await prepare(request, to: target))
            }
            let movies = try await perform(
                .pairs(prepared.map(\.work)), into: prepared.flatMap(\.publication.files), progress
            ) { result in result.movies.flatMap { $0.count == requests.count ? $0 : nil } }
            var results: [Result<ConversionResult, any Error>] = []
            for (movie, pair) in zip(movies, prepared) {
                do {
                    results.append(.success(try await publish(movie, pair.publication)))
                } catch {
                    await BlockingWork.cleanUp { pair.publication.discard() }
                    results.append(.failure(error))
                }
            }
            return results
        } catch {
            await BlockingWork.cleanUp { [prepared] in for pair in prepared { pair.publication.discard() } }
            throw error
        }
    }

    private typealias PreparedPair = (work: ClipWork, publication: PairPublication)

    private func prepare(_ request: ConversionRequest, to target: PublishTarget) async throws -> PreparedPair {
        let chosen = try await choosingStill(of: request)
        return try await BlockingWork.run { _ in
            let request = try chosen.prepared()
            return (request.work, try PairPublication(request, to: target))
        }
    }

    private func publish(_ movie: MadeMovie, _ publication: PairPublication) async throws -> ConversionResult {
        try await BlockingWork.run { cancellation in
            try cancellation.check()
            return try publication.publish(movie.plan, warnings: movie.warnings)
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
