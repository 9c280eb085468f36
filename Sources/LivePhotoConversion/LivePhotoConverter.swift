import Bytes
import Dispatch
import FFmpegKit
import LivePhotoKit
import SystemPackage

/// Makes Live Photos of clips.
///
/// ```swift
/// let request = ConversionRequest(clip: "beach.mp4", outputDirectory: "LivePhotos")
/// let result = try await LivePhotoConverter().convert(request)
/// print(result.photo, result.movie)
/// ```
public struct LivePhotoConverter: Sendable {
    public init() {}

    /// Takes every decision about a conversion and changes nothing: reads the clip's headers and packet times.
    ///
    /// - Throws: `LivePhotoError`; `ConfigurationError` for the preset.
    public func plan(_ request: ConversionRequest) async throws -> ConversionPlan {
        try await Self.onThread { cancellation in
            try Self.explaining(request) {
                try request.checkFiles()
                return try ConversionPreparation(request, cancellation).plan
            }
        }
    }

    /// Makes a Live Photo, reads it back, checks it and publishes it: both files or none.
    ///
    /// Cancelling the task stops the work within a frame and leaves nothing behind.
    ///
    /// - Parameter progress: called on a thread of its own after each frame of the movie.
    /// - Throws: `LivePhotoError`; `ConfigurationError` for the preset.
    public func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        try await Self.onThread { cancellation in
            try Self.explaining(request) {
                do {
                    return try Self.convert(request, cancellation, progress)
                } catch let other as StillShapeError {
                    return try Self.convert(request, cancellation, progress, shape: other.shape)
                }
            }
        }
    }

    private static func convert(
        _ request: ConversionRequest, _ cancellation: CancellationFlag,
        _ progress: @escaping @Sendable (ConversionProgress) -> Void, shape: PictureShape? = nil
    ) throws -> ConversionResult {
        try request.checkFiles()
        let prepared = try ConversionPreparation(request, cancellation, shape: shape)
        let plan = prepared.plan
        let publisher = try Publisher(try request.publishTarget)
        let runner = ConversionRunner(plan: plan, cancellation: cancellation, progress: progress)
        let warnings = try runner.run(prepared, photo: publisher.photo, movie: publisher.movie)
        do {
            try PairCheck(
                photo: publisher.photo, movie: publisher.movie, contentIdentifier: plan.contentIdentifier,
                stillTime: plan.stillTime
            ).run()
        } catch let fault as PairFault {
            throw LivePhotoError(.internalFault, request.clip, "the result did not pass its check: \(fault)")
        }
        try cancellation.check()
        try publisher.publish(replacing: request.replacesExisting)
        let targets = try request.targets
        return ConversionResult(
            livePhoto: LivePhoto(
                photo: targets.photo, movie: targets.movie, contentIdentifier: plan.contentIdentifier),
            plan: plan, warnings: plan.warnings + warnings)
    }

    /// Runs blocking work away from Swift's cooperative threads, which must not block.
    private static func onThread<Result: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "livephoto.convert").async {
                    continuation.resume(with: Swift.Result { try work(cancellation) })
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Turns what the parts throw into a `LivePhotoError` that names the clip.
    private static func explaining<Result>(_ request: ConversionRequest, _ work: () throws -> Result) throws -> Result {
        let clip = request.clip
        do {
            return try work()
        } catch let error as PublishError {
            throw LivePhotoError(error)
        } catch let error as LibavError {
            if error.isOutOfMemory { throw LivePhotoError(.temporary, clip, "not enough memory to convert it") }
            throw LivePhotoError(.unusableMedia, clip, "cannot be converted: \(error)")
        } catch let error as Errno {
            // The clip itself is read by libav.
            throw LivePhotoError(
                .inputOutput, clip, "its Live Photo cannot be written in \(request.outputDirectory): \(error)")
        } catch let error as LivePhotoError {
            throw error
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw LivePhotoError(.internalFault, clip, "met a fault of this program: \(error)")
        }
    }
}
