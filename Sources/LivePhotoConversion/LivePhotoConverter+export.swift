import Bytes
public import LivePhotoRequests

extension LivePhotoConverter: ExportEncoder {
    public func planExport(_ request: ExportRequest) async throws -> ExportResult { try await planned(request) }

    /// Writes a Live Photo as another kind of file, and reads the file back and checks it before it appears.
    ///
    /// Cancelling the task stops the work within a frame and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - request: the files, the format and the settings.
    ///   - progress: called on another thread after each frame.
    /// - Throws: `LivePhotoError`.
    public func export(
        _ request: ExportRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ExportResult {
        try await exported(request, progress: progress)
    }

    package func planMovie(
        _ request: ConversionRequest, as format: ExportFormat, loops: Int
    ) async throws -> PlanSummary {
        try await BlockingWork.run { cancellation in
            let conversion = Conversion(request, try ConversionFiles(of: request), cancellation)
            return try conversion.planExport(as: format, loops: loops).summary
        }
    }

    package func encodeMovie(
        _ request: ConversionRequest, photo: FilePath, movie: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> (plan: PlanSummary, warnings: [String]) {
        try await BlockingWork.run { cancellation in
            let conversion = Conversion(request, try ConversionFiles(of: request), cancellation)
            let made = try conversion.make(PairFiles(photo: photo, movie: movie), progress: progress)
            return (made.plan.summary, made.warnings)
        }
    }

    package func encodeFrames(
        of request: ConversionRequest, as format: ExportFormat, loops: Int, to output: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportedMedia {
        try await BlockingWork.run { cancellation in
            let conversion = Conversion(request, try ConversionFiles(of: request), cancellation)
            return try conversion.export(as: format, loops: loops, to: WritableFile(output), progress: progress)
        }
    }

    package func encodePhoto(
        _ photo: FilePath, to output: FilePath, quality: Int, maximum: MaximumSize?
    ) async throws(LivePhotoError) {
        try await Self.explaining(photo) { _ in
            try PhotoConversion(PhotoFile.open(photo), quality: quality, maximum: maximum)
                .encode(into: WritableFile(output))
        }
    }
}
