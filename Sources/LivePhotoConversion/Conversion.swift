package import Bytes
import FFmpegKit
package import LivePhotoRequests
import SystemPackage

/// A conversion of open files. All methods block until done.
package struct Conversion: Sendable {
    private let work: ClipWork
    let files: ConversionFiles
    let cancellation: CancellationFlag
    private let processor: LivePhotoFrameProcessor?
    private let encoders: AvailableEncoders

    /// - Parameters:
    ///   - processor: changes the pictures before they are encoded.
    ///   - encoders: those that may be used.
    package init(
        _ work: ClipWork, _ files: ConversionFiles, _ cancellation: CancellationFlag,
        processor: LivePhotoFrameProcessor? = nil, encoders: AvailableEncoders = .installed
    ) {
        self.encoders = encoders
        (self.work, self.files, self.cancellation, self.processor) = (work, files, cancellation, processor)
    }

    /// Plans the conversion without changing any file.
    ///
    /// - Throws: `LivePhotoError`.
    package func plan() throws -> ConversionPlan {
        try attempt(\.plan)
    }

    /// Plans the conversion for a person. The pictures of a movie for the lock screen are decoded, to say how they move.
    ///
    /// - Throws: `LivePhotoError`.
    func summary() throws -> PlanSummary {
        try attempt { prepared in
            let plan = prepared.plan
            guard let steadiness = SteadinessMeter(of: plan) else { return plan.summary }
            try MovieFrames(plan, prepared.reader, filters: plan.pictures.movie).forEach { try steadiness.add($0, $1) }
            return plan.summary(with: steadiness.warnings(plan))
        }
    }

    /// Plans an export without changing any file.
    ///
    /// - Parameter loops: how often an animation plays; 0 is forever.
    /// - Throws: `LivePhotoError`; with the code `missingLibrary` if libav cannot write the format so.
    package func planExport(as format: ExportFormat, loops: Int) throws -> ConversionPlan {
        let plan = try plan()
        if format.isAnimation { _ = try AnimationFormat(format, plan, loops: loops) }
        return plan
    }

    /// Makes the pair.
    ///
    /// - Parameters:
    ///   - output: its files are overwritten.
    ///   - member: of those that share the decoding; nil decodes alone.
    ///   - onPlan: called before the conversion starts.
    ///   - progress: called on another thread after each frame of the movie.
    /// - Throws: `LivePhotoError`; `FrameProcessorError`.
    func make(
        _ output: PairFiles, sharing member: SharedDecoding.Member? = nil,
        onPlan: (ConversionPlan) -> Void = { _ in }, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> (plan: ConversionPlan, warnings: [String]) {
        try attempt { prepared in
            onPlan(prepared.plan)
            // A decoder of its own would only take memory.
            if member != nil { prepared.reader.beginning = nil }
            let runner = ConversionRunner(
                prepared: prepared, feed: member?.join(prepared.plan), processor: processor, progress: progress)
            let warnings = try runner.run(into: output)
            try cancellation.check()
            return (prepared.plan, prepared.plan.warnings + warnings)
        }
    }

    /// Writes the frames of the movie as an animation, or as JPEGs one after another.
    ///
    /// - Parameters:
    ///   - loops: how often an animation plays; 0 is forever.
    ///   - output: is overwritten.
    ///   - onPlan: called before encoding starts.
    ///   - progress: called after each frame.
    /// - Throws: `LivePhotoError`.
    package func export(
        as format: ExportFormat, loops: Int, to output: WritableFile, onPlan: (ConversionPlan) -> Void = { _ in },
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> ExportedMedia {
        try attempt { prepared in
            onPlan(prepared.plan)
            let export = FrameExport(plan: prepared.plan, reader: prepared.reader, progress: progress)
            let media = try export.run(as: format, loops: loops, to: output)
            try cancellation.check()
            return media
        }
    }

    /// Shows frames of the clip from which the still can be chosen.
    ///
    /// - Parameters:
    ///   - output: is overwritten; nil for no pictures.
    ///   - progress: called after each picture.
    /// - Throws: `LivePhotoError`.
    package func makeSheet(
        _ layout: FrameSheetLayout, into output: WritableFile?, progress: (ConversionProgress) -> Void
    ) throws -> FrameSheet {
        try explaining { try SheetWork(work, layout, files.clip, cancellation).run(into: output, progress) }
    }

    /// Writes small pictures of all frames of a part of the clip.
    ///
    /// - Parameters:
    ///   - output: is overwritten.
    ///   - progress: called after each frame.
    /// - Throws: `LivePhotoError`.
    package func makeSmallFrames(
        _ layout: SmallFramesLayout, into output: WritableFile, progress: (ConversionProgress) -> Void
    ) throws -> SmallFrames {
        try explaining { try SmallFramesWork(work, layout, files.clip, cancellation).run(into: output, progress) }
    }

    /// Calls `body`, and again if the key photo's picture turns out to have another shape than planned, or if the frames that
    /// another thread decodes end early.
    private func attempt<Result>(_ body: (ConversionPreparation) throws -> Result) throws -> Result {
        try explaining {
            let opened = try OpenedClip(work, files, cancellation)
            var shape: PictureShape?
            func attempt() throws -> Result {
                try body(ConversionPreparation(opened, shape: shape, encoders: encoders))
            }
            for _ in 0..<Self.mostReasonsToRepeat {
                do {
                    return try attempt()
                } catch let error as StillShapeError {
                    shape = error.shape
                } catch is FrameFeed.EndedEarly {
                }
            }
            return try attempt()
        }
    }

    /// Each occurs once.
    private static let mostReasonsToRepeat = 2

    /// Converts errors to a `LivePhotoError` with the clip's path.
    private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        let clip = work.clip
        do {
            return try body()
        } catch let error as LibavError {
            throw LivePhotoError(error, of: clip, work: "convert it", otherwise: "cannot be converted: \(error)")
        } catch let error as Errno {
            // Errors of reading the clip are LivePhotoErrors already.
            throw LivePhotoError(
                .inputOutput, clip,
                "its \(work.isLivePhoto ? "Live Photo" : "export") cannot be written in \(work.outputDirectory): \(error)",
                cause: error)
        } catch let error as LivePhotoError {
            throw error
        } catch let error as FrameProcessorError {
            throw error
        } catch {
            throw LivePhotoError(.internalError, clip, "internal error: \(error)", cause: error)
        }
    }
}
