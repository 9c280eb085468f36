extension MediaEngine {
    /// Shows frames of a clip from which the still can be chosen, and finds the best one. The sheet appears only when it is
    /// complete and has been checked.
    ///
    /// - Parameters:
    ///   - request: the clip, the frames, and the sheet to write, if any.
    ///   - progress: called at most ten times a second.
    /// - Throws: `LivePhotoError`.
    public func makeSheet(
        _ request: FrameSheetRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> FrameSheet {
        let publication = try await BlockingWork.run { _ in
            try request.check()
            return try SheetPublication(request)
        }
        do {
            let sheet = try await perform(
                .sheet(request.clipWork(), request.layout), into: [publication?.pictures].compactMap(\.self), progress,
                result: \.sheet)
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                try publication?.publish(sheet)
                return sheet
            }
        } catch {
            await BlockingWork.cleanUp { publication?.discard() }
            throw error
        }
    }
}
