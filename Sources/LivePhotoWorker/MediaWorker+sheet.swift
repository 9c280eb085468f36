import LivePhotoKit
public import LivePhotoRequests

extension MediaWorker: SheetMaker {
    public func makeSheet(
        _ request: FrameSheetRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> FrameSheet {
        do {
            return try await madeSheet(request, progress: progress)
        } catch let failure as WorkerFailure {
            throw failure.error
        }
    }

    package func makeSheet(
        of request: ConversionRequest, _ layout: FrameSheetLayout, to output: FilePath?,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> FrameSheet {
        let order = ConversionOrder(request, ContentIdentifier())
        let task = WorkerOrder.Task.frames(order, layout, output: output.map { PathText($0) })
        guard
            case .frames(let sheet) = try await answer(to: task, about: request.clip, order.settings.limits, progress)
        else { throw unexpected(request.clip) }
        return sheet
    }
}
