package import SystemPackage

/// What a sheet needs of an engine.
package protocol SheetMaker: Sendable {
    /// Writes pictures of frames.
    ///
    /// - Parameter output: exists and is empty; nil for no pictures.
    func makeSheet(
        of request: ConversionRequest, _ layout: FrameSheetLayout, to output: FilePath?,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> FrameSheet
}

extension SheetMaker {
    /// `MediaEngine.makeSheet`.
    package func madeSheet(
        _ request: FrameSheetRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> FrameSheet {
        let publication = try await BlockingWork.run { _ in
            try request.check()
            return try SheetPublication(request)
        }
        do {
            let sheet = try await makeSheet(
                of: request.conversion(), FrameSheetLayout(request), to: publication?.pictures, progress: progress)
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                try publication?.publish(sheet)
                return sheet
            }
        } catch {
            publication?.discard()
            throw error
        }
    }
}
