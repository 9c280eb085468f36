import Bytes
public import LivePhotoKit
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

    /// Makes a thumbnail of a photo that is adjusted, as a conversion adjusts it. What needs several pictures,
    /// `Adjustments.stabilization`, has no effect.
    ///
    /// - Parameters:
    ///   - photo: the photo, which is turned upright first.
    ///   - adjustments: the changes. Their strengths mean the same at every size.
    ///   - edge: the maximum length of an edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as in `PhotoQuality`.
    /// - Throws: `LivePhotoError`, also for filters that libavfilter rejects.
    public func adjusted(
        _ photo: FilePath, by adjustments: Adjustments, edge: Int = 640, quality: Int = 85
    ) async throws(LivePhotoError) -> Thumbnail {
        try await value(of: .adjusted(photo: photo, adjustments, edge: edge, quality: quality), \.thumbnail)
    }

    /// Decodes the sound of a movie and measures how loud it is over time, on the timeline of the pictures.
    ///
    /// - Parameter movie: a clip or a paired video.
    /// - Returns: no levels for a movie without sound, and for sound that cannot be decoded.
    /// - Throws: `LivePhotoError` for a movie that cannot be read.
    public func soundLevels(of movie: FilePath) async throws(LivePhotoError) -> SoundLevels {
        try await value(of: .soundLevels(movie: movie), \.soundLevels)
    }
}
