import LivePhotoKit
public import LivePhotoRequests

extension MediaWorker: ExportEncoder {
    public func planExport(_ request: ExportRequest) async throws -> ExportResult { try await planned(request) }

    /// Writes a Live Photo as another kind of file, in a process of its own, and reads the file back and checks it before
    /// it appears.
    ///
    /// Cancelling the task ends the process and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - request: the files, the format and the settings.
    ///   - progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`; a crash, a timeout and a process that ran out of memory are errors too.
    public func export(
        _ request: ExportRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ExportResult {
        do {
            return try await exported(request, progress: progress)
        } catch let failure as WorkerFailure {
            throw failure.error
        }
    }

    package func planMovie(
        _ request: ConversionRequest, as format: ExportFormat, loops: Int
    ) async throws -> PlanSummary {
        let order = ConversionOrder(request, ContentIdentifier())
        let task = WorkerOrder.Task.planExport(order, format, loops: loops)
        guard case .plan(let plan) = try await result(of: task, about: request.clip, order.settings.limits)
        else { throw unexpected(request.clip) }
        return plan
    }

    package func encodeMovie(
        _ request: ConversionRequest, photo: FilePath, movie: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> (plan: PlanSummary, warnings: [String]) {
        let order = ConversionOrder(request, ContentIdentifier())
        let task = WorkerOrder.Task.convert(order, photo: PathText(photo), movie: PathText(movie))
        guard
            case .conversion(let plan, let warnings) = try await answer(
                to: task, about: request.clip, order.settings.limits, progress)
        else { throw unexpected(request.clip) }
        return (plan, warnings.lines)
    }

    package func encodeFrames(
        of request: ConversionRequest, as format: ExportFormat, loops: Int, to output: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportedMedia {
        let order = ConversionOrder(request, ContentIdentifier())
        let task = WorkerOrder.Task.export(order, format, loops: loops, output: PathText(output))
        guard
            case .export(let media) = try await answer(to: task, about: request.clip, order.settings.limits, progress)
        else { throw unexpected(request.clip) }
        return media
    }
}
