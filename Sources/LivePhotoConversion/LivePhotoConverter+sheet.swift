import Bytes
public import LivePhotoRequests

extension LivePhotoConverter: SheetMaker {
    public func makeSheet(
        _ request: FrameSheetRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> FrameSheet {
        try await madeSheet(request, progress: progress)
    }

    package func makeSheet(
        of request: ConversionRequest, _ layout: FrameSheetLayout, to output: FilePath?,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> FrameSheet {
        try await BlockingWork.run { cancellation in
            let conversion = Conversion(request, try ConversionFiles(of: request), cancellation)
            return try conversion.makeSheet(
                layout, into: output.map { try WritableFile($0) }, progress: progress)
        }
    }
}
