public import LivePhotoKit
public import SystemPackage

/// Performs everything that decodes or encodes media: `MediaEngine.inProcess` of LivePhotoConversion in the calling process,
/// `MediaWorker.engine` of LivePhotoWorker in a separate process for each piece of work.
///
/// ```swift
/// let request = ConversionRequest(clip: "beach.mp4", outputDirectory: "LivePhotos")
/// let result = try await MediaEngine.inProcess.convert(request)
/// print(result.photo, result.movie)
/// ```
///
/// An engine keeps no state between calls, and several calls can run at once. Progress is reported at most ten times a second and
/// at the end, on any thread, one call at a time. Cancelling the task ends the work and leaves nothing behind.
public struct MediaEngine: MotionPhotoEncoder {
    package typealias Progress = @Sendable (ConversionProgress) -> Void

    /// Does work whose results go into files that exist.
    package typealias Transport = @Sendable (Work, [FilePath], @escaping Progress) async throws -> WorkResult

    private let transport: Transport

    package init(_ transport: @escaping Transport) {
        self.transport = transport
    }

    /// Does work.
    ///
    /// - Parameters:
    ///   - outputs: the files that it writes, which must exist.
    ///   - result: takes its kind of result.
    /// - Throws: `LivePhotoError`, or what a frame processor threw.
    package func perform<Value>(
        _ work: Work, into outputs: [FilePath] = [], _ progress: @escaping Progress = { _ in },
        result: (WorkResult) -> Value?
    ) async throws -> Value {
        guard let value = result(try await transport(work, outputs, progress)) else {
            throw LivePhotoError(
                .internalError, work.subject, "livephoto-media answered with an unexpected result")
        }
        return value
    }

    func value<Value>(
        of work: Work, into outputs: [FilePath] = [], _ result: (WorkResult) -> Value?
    ) async throws(LivePhotoError) -> Value {
        do {
            return try await perform(work, into: outputs, result: result)
        } catch {
            throw error as? LivePhotoError
                ?? LivePhotoError(.internalError, work.subject, "internal error: \(error)", cause: error)
        }
    }
}

extension MediaEngine {
    /// Compares a key photo, cropped to the movie's aspect ratio as in Photos, with the frame at the still time.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - stillTime: on the movie's timeline.
    /// - Returns: the structural similarity of luma, 1 for equal pictures, about 0 for unrelated ones.
    public func similarity(
        photo: FilePath, movie: FilePath, stillTime: MediaTime
    ) async throws(LivePhotoError) -> Double {
        try await value(of: .similarity(photo: photo, movie: movie, stillTime: stillTime), \.similarity)
    }

    /// Decodes a movie and measures how much its pictures move.
    ///
    /// - Parameters:
    ///   - movie: the paired video.
    ///   - stillTime: on the movie's timeline.
    public func steadiness(
        of movie: FilePath, stillTime: MediaTime
    ) async throws(LivePhotoError) -> PictureSteadiness {
        try await value(of: .steadiness(movie: movie, stillTime: stillTime), \.steadiness)
    }

    /// Decodes a movie and finds the frame that is most similar to a photo.
    public func findStill(of photo: FilePath, in movie: FilePath) async throws(LivePhotoError) -> StillMatch {
        try await value(of: .findStill(photo: photo, movie: movie), \.still)
    }

    public func encodeSound(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) -> Bool {
        try await value(of: .sound(movie: movie), into: [output], \.hasSound)
    }

    public func encodeVideo(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) {
        _ = try await value(of: .movie(ClipWork(encodingVideoOf: movie, to: output)), into: [output], \.movie)
    }

    public func encodePhoto(_ photo: FilePath, to output: FilePath) async throws(LivePhotoError) {
        try await value(of: .jpeg(photo: photo, quality: Work.photoQuality, maximum: nil), into: [output], \.jpeg)
    }

    /// The installed versions and components of FFmpeg, x264 and libheif.
    public func environment() async throws(LivePhotoError) -> ConversionEnvironment {
        try await value(of: .environment, \.environment)
    }
}
