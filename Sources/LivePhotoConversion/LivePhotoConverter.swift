import Bytes
public import LivePhotoRequests

/// Converts clips to Live Photos.
///
/// ```swift
/// let request = ConversionRequest(clip: "beach.mp4", outputDirectory: "LivePhotos")
/// let result = try await LivePhotoConverter().convert(request)
/// print(result.photo, result.movie)
/// ```
public struct LivePhotoConverter: MediaEngine {
    /// A converter, which keeps no state between calls and can run several at once.
    public init() {}

    /// Plans a conversion without changing any file: reads the clip's headers and packet times, and
    /// decodes pictures only if the plan depends on them, as for the best still, a loop or stabilization.
    ///
    /// - Throws: `LivePhotoError`.
    public func plan(_ request: ConversionRequest) async throws -> PlanSummary {
        let chosen = try await request.choosingStill(with: self)
        return try await BlockingWork.run { cancellation in
            try chosen.checkedTarget()
            let request = try chosen.prepared()
            return try Conversion(request, ConversionFiles(of: request), cancellation).plan().summary
        }
    }

    /// Makes a Live Photo, reads it back, checks it and publishes it: either both files appear or none.
    ///
    /// Cancelling the task stops the work within a frame and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - request: the clip, the output folder and the settings.
    ///   - progress: called on another thread after each frame of the movie.
    /// - Throws: `LivePhotoError`.
    public func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        try await convert(request, processor: nil, progress: progress)
    }

    /// - Parameter processor: changes the pictures before they are encoded.
    func convert(
        _ request: ConversionRequest, processor: LivePhotoFrameProcessor?,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ConversionResult {
        let chosen = try await request.choosingStill(with: self)
        return try await BlockingWork.run { cancellation in
            let target = try chosen.checkedTarget()
            let request = try chosen.prepared()
            let conversion = Conversion(
                request, try ConversionFiles(of: request), cancellation, processor: processor)
            let publication = try PairPublication(request, to: target)
            let output = try PairFiles(photo: publication.photo, movie: publication.movie)
            let made = try conversion.make(output, progress: progress)
            return try publication.publish(made.plan.summary, warnings: made.warnings)
        }
    }

    public func similarity(
        photo: FilePath, movie: FilePath, stillTime: MediaTime
    ) async throws(LivePhotoError) -> Double {
        try await Self.explaining(movie) { cancellation in
            try KeyPhotoSimilarity.measure(
                PhotoAndMovie(photo: photo, movie: movie), stillTime: stillTime, cancellation)
        }
    }

    public func findStill(of photo: FilePath, in movie: FilePath) async throws(LivePhotoError) -> StillMatch {
        try await Self.explaining(movie) { cancellation in
            try StillFinder.find(PhotoAndMovie(photo: photo, movie: movie), cancellation)
        }
    }

    public func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail {
        try await Self.explaining(photo) { _ in
            try Thumbnail(of: PhotoFile.open(photo), edge: edge, quality: quality)
        }
    }

    public func encodeSound(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) -> Bool {
        try await Self.explaining(movie) { cancellation in
            try SoundConversion(movie).encode(into: WritableFile(output), cancellation)
        }
    }

    public func encodeVideo(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) {
        let request = ConversionRequest(encodingVideoOf: movie, to: output)
        _ = try await Self.explaining(movie) { cancellation in
            let conversion = Conversion(request, try ConversionFiles(of: request), cancellation)
            return try conversion.make(PairFiles(photo: output.withEmptyPhoto(), movie: output)) { _ in }.warnings
        }
    }

    public func encodePhoto(_ photo: FilePath, to output: FilePath) async throws(LivePhotoError) {
        try await Self.explaining(photo) { _ in
            try PhotoConversion(PhotoFile.open(photo)).encode(into: WritableFile(output))
        }
    }

    public func environment() async throws(LivePhotoError) -> ConversionEnvironment { .current }

    static func explaining<Result: Sendable>(
        _ file: FilePath, _ work: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws(LivePhotoError) -> Result {
        do {
            return try await BlockingWork.run(work)
        } catch {
            throw error as? LivePhotoError
                ?? LivePhotoError(.internalError, file, "internal error: \(error)", cause: error)
        }
    }
}
