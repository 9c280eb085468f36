import Bytes
import LivePhotoKit
package import SystemPackage

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

    /// Makes the pictures of a sheet, for a page of another kind.
    ///
    /// - Parameter output: an existing file that is overwritten with the JPEGs, one after another.
    /// - Returns: the frames, whose pictures have been checked, and the best one.
    /// - Throws: `LivePhotoError`; the content of the file is then undefined.
    package func sheetPictures(
        of clip: FilePath, _ selection: FrameSelection, maximum size: MaximumSize?, to output: FilePath
    ) async throws -> FrameSheet {
        let layout = FrameSheetLayout(selection, pictureSize: size, format: .html)
        let sheet = try await perform(
            .sheet(ClipWork(clip, .classic, to: "."), layout), into: [output], result: \.sheet)
        try await BlockingWork.run { _ in
            do {
                try ConsecutiveJPEGs.check(InputFile(output), sizes: sheet.pictures.map(\.bytes), size: sheet.size)
            } catch {
                throw LivePhotoError(
                    .internalError, clip, "the pictures of its frames did not pass their check: \(error)", cause: error)
            }
        }
        return sheet
    }
}
