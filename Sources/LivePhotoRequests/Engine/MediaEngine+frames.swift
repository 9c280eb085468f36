import Bytes
import LivePhotoKit
public import SystemPackage

extension MediaEngine {
    /// Makes small pictures of all frames of a part of a clip: upright, with square pixels, and in SDR.
    ///
    /// - Parameters:
    ///   - request: the clip, the part and the size.
    ///   - output: an existing file that is overwritten with the JPEGs, one after another.
    ///   - progress: called at most ten times a second.
    /// - Returns: the frames, whose pictures have been checked.
    /// - Throws: `LivePhotoError`; the content of the file is then undefined.
    public func smallFrames(
        _ request: SmallFramesRequest, to output: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> SmallFrames {
        try await BlockingWork.run { _ in try request.check() }
        let frames = try await perform(request.work, into: [output], progress, result: \.smallFrames)
        try await BlockingWork.run { _ in
            do {
                try ConsecutiveJPEGs.check(
                    InputFile(output), sizes: frames.frames.map(\.bytes), size: frames.size)
            } catch {
                throw LivePhotoError(
                    .internalError, request.clip, "the small pictures of its frames did not pass their check: \(error)",
                    cause: error)
            }
        }
        return frames
    }
}
