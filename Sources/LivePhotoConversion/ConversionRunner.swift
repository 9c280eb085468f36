import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime
import StillImage

/// Executes a plan: one pass over the clip. While the last pictures are encoded, the decoding thread makes the key photo, if
/// there is memory for both.
struct ConversionRunner {
    let prepared: ConversionPreparation
    /// Where another thread puts the decoded frames; nil decodes them here.
    let feed: FrameFeed?
    let processor: LivePhotoFrameProcessor?
    let progress: @Sendable (ConversionProgress) -> Void

    private var plan: ConversionPlan { prepared.plan }
    private var cancellation: CancellationFlag { prepared.reader.cancellation }

    /// Pictures between decoding and encoding; the encoders have queues of their own.
    private static let queueCapacity = 1

    /// - Parameter files: both empty.
    /// - Returns: warnings in addition to the plan's.
    func run(into files: PairFiles) throws -> [String] {
        guard !plan.work.keepsMovie else {
            let frames = ScheduledFrames(plan: plan.decoding, movieSize: plan.movieSize, reader: prepared.reader)
            try write(try keyPhoto(plan.needsStillFrame ? frames.decodeStill() : nil), to: files)
            return []
        }
        let queue = BoundedQueue<PipelineItem>(capacity: Self.queueCapacity)
        var encoding: WorkerThread?
        let decoded = Result { try decode(into: queue) { encoding = try encode(queue, files, audio: $0) } }
        queue.close()
        // The encoder is still busy with its last pictures. If its memory allows no other beside it, the photo has to wait too.
        if plan.encodersAtOnce == 1 { try encoding.take()?.wait() }
        let photoFile = Result { try files.hasPhoto ? keyPhoto(decoded.get().still) : [] }
        // The encoder's error takes precedence: when it fails, the decoder only finds the queue closed.
        try encoding?.wait()
        try write(photoFile.get(), to: files)
        return try decoded.get().warnings
    }

    private func write(_ contents: [UInt8], to files: PairFiles) throws {
        guard let photo = try files.openPhoto() else { return }
        try photo.write(contents)
        try photo.synchronize()
    }

    /// Decodes the clip. When this returns, all of the decoder's pictures except the still are freed.
    private func decode(
        into queue: BoundedQueue<PipelineItem>, startEncoding: (AudioFormat?) throws -> Void
    ) throws -> (still: Frame?, warnings: [String]) {
        let processing = processor.map {
            FrameProcessing($0, .video, plan.pictures.movie.target, renderScale: plan.fullSizeShare)
        }
        let stage = try DecodeStage(
            plan, prepared.reader, from: feed, into: queue, processing: processing,
            stillTransform: prepared.stillTransform)
        try startEncoding(stage.audioFormat)
        try stage.run()
        return (stage.still, stage.warnings)
    }

    /// Starts the encoding thread. If it fails, it closes the queue, which stops decoding.
    private func encode(
        _ queue: BoundedQueue<PipelineItem>, _ files: PairFiles, audio: AudioFormat?
    ) throws -> WorkerThread {
        try WorkerThread { [plan, cancellation, progress, timedMetadata = prepared.timedMetadata] in
            defer { queue.close() }
            let stage = EncodeStage(
                plan, movie: try files.openMovie(), audio: audio, timedMetadata, cancellation: cancellation
            ) { frames in
                progress(ConversionProgress(frames: frames, totalFrames: plan.frameCount))
            }
            try stage.run(queue)
        }
    }

    /// - Parameter still: the clip's frame; nil if the photo does not show it.
    private func keyPhoto(_ still: Frame?) throws -> [UInt8] {
        let picture = try newPicture(still)
        if case .userPhoto(_, let update, let keepsMetadata) = plan.photo, let userPhoto = prepared.userPhoto {
            return try userPhoto.contents(
                update, keepingMetadata: keepsMetadata, quality: plan.photoQuality,
                background: plan.pictures.background, previewSize: plan.work.edit?.previewSize,
                replacement: picture.map { StillEncoder.Prepared(frame: $0, color: plan.pictures.photo.target.color) },
                correction: plan.stillCorrection, keepsHDR: plan.pictures.coding.keepsHDR,
                process: processor != nil ? { try process($0, $1) } : nil)
        }
        guard let picture else { throw LivePhotoError(.internalError, plan.clip, "no frame became the key photo") }
        let gainMap = try still.flatMap { try plan.gainMap(of: $0, for: picture) }
        return try plan.keyPhoto(picture, gainMap: gainMap, identifier: plan.contentIdentifier)
    }

    /// A picture from the clip for the photo; nil if the photo keeps its own.
    private func newPicture(_ still: Frame?) throws -> Frame? {
        let target = plan.pictures.photo.target
        if plan.motion.effect == .longExposure {
            return try process(LongExposure(plan: plan, reader: prepared.reader).picture(), target)
        }
        guard let still else { return nil }
        // Steadied like the movie's frame at the still time.
        let correction = plan.stillCorrection
        let converter = PictureConverter(
            plan.pictures.photo, threads: plan.processingThreads, isSteadied: correction != nil)
        return try process(converter.convert(still, steadiedBy: correction), target)
    }

    /// The photo's picture after the frame processor, if there is one.
    private func process(_ picture: Frame, _ target: PictureFilters.Target) throws -> Frame {
        guard let processor else { return picture }
        try cancellation.check()
        let share = Double(picture.size.longEdge) / Double(max(plan.photoSize.longEdge, 1))
        return try FrameProcessing(processor, .photo, target, renderScale: share).process(picture, at: plan.stillTime)
    }
}
