import FFmpegKit
import LivePhotoKit
import QuickTime

/// An element of the queue from the decoding thread to the encoding thread.
enum PipelineItem: Sendable {
    /// A picture ready for the encoder; its presentation time is in ticks of the movie's clock.
    case picture(Frame)
    /// An AAC access unit.
    case audio([UInt8])
    /// The end of the queue, with how the sound is played, and the transform from the frame at the still time to the photo, if it
    /// is written.
    case end(AudioEdit?, StillImageTransform?)
}

/// The first part of the pipeline: reads the clip once, prepares the movie's pictures and sound for the encoders, and
/// keeps the still for the photo.
final class DecodeStage {
    /// The clip's decoded frame at the still time; nil if the user supplies the key photo.
    private(set) var still: Frame?
    /// Warnings of the finished run: each one sentence.
    private(set) var warnings: [String] = []

    private let plan: ConversionPlan
    private let reader: ClipReader
    private let stillTransform: (Frame) throws -> StillImageTransform?
    private var transform: StillImageTransform?
    private let queue: BoundedQueue<PipelineItem>
    private let feed: FrameFeed?
    private let sound: (any AudioStage)?
    private var soundWarning: String?
    private var transformWarning: String?
    private let processing: FrameProcessing?
    private var isFlat = true
    /// For movies of the lock screen.
    private let steadiness: SteadinessMeter?

    /// - Parameters:
    ///   - feed: where another thread puts the frames; nil decodes them here.
    ///   - stillTransform: gives the transform from the movie's frame at the still time to the photo; nil if it is not known.
    init(
        _ plan: ConversionPlan, _ reader: ClipReader, from feed: FrameFeed?, into queue: BoundedQueue<PipelineItem>,
        processing: FrameProcessing? = nil, stillTransform: @escaping (Frame) throws -> StillImageTransform?
    ) throws {
        (self.plan, self.reader, self.stillTransform) = (plan, reader, stillTransform)
        self.processing = processing
        self.queue = queue
        self.feed = feed
        steadiness = SteadinessMeter(of: plan)
        do {
            sound = try plan.makeAudioStage(reader)
        } catch let error as LibavError where !error.isOutOfMemory {
            sound = nil
            soundWarning = "the clip's sound cannot be decoded (\(error.reason)); the movie has none"
        }
    }

    /// The format of the movie's audio track.
    var audioFormat: AudioFormat? { sound?.format }

    /// Reads and decodes the clip and puts all items into the queue.
    func run() throws {
        let frames = MovieFrames(plan, reader, filters: plan.pictures.movie)
        if let sound {
            try frames.forEach(from: feed, onSound: { try sound.receive($0) { try self.put(.audio($0)) } }, deliver)
        } else {
            try frames.forEach(from: feed, deliver)
        }
        if plan.needsStillFrame { still = frames.still }
        let edit = try sound?.finish { try put(.audio($0)) }
        if transform == nil, plan.work.preset.video.stillTransform == .on, !plan.work.isEdit {
            transformWarning =
                "the photo cannot be compared with what the movie shows at the still time, or shows something else; such photos "
                + "are reported not to move on the lock screen"
        }
        try put(.end(edit, transform))
        warnings =
            frames.warnings + [try flatWarning(), soundWarning, sound?.warning, transformWarning].compactMap(\.self)
            + (steadiness?.warnings(plan) ?? [])
    }

    private func deliver(_ frame: Frame, index: Int) throws {
        let time = plan.frames.items[index].time
        let picture = try processing?.process(frame, at: time) ?? frame
        isFlat = try isFlat && picture.isFlat(in: plan.pictures.movie.pictureInCanvas)
        try steadiness?.add(picture, index)
        if index == plan.frames.stillIndex { transform = try stillTransform(picture) }
        try put(.picture(try picture.shown(at: time)))
    }

    private func flatWarning() throws -> String? {
        guard isFlat else { return nil }
        let search = PictureSearch(
            reader: reader, span: plan.span, movie: PictureSpan(start: plan.start, end: plan.end),
            filters: plan.pictures.movie,
            decodesFromStart: plan.decoding.clip.entry == .clipStart && plan.start > .zero)
        let found: MediaTime?
        do {
            found = try search.find()
        } catch let error as LivePhotoError where error.code == .cancelled {
            throw error
        } catch {
            // Errors elsewhere in the clip do not affect this movie.
            return nil
        }
        return found.map {
            "every picture of the movie is one flat colour, though the clip has other pictures, for example at \($0)"
        }
    }

    private func put(_ item: PipelineItem) throws {
        // The queue is closed only if encoding has failed; that error is reported.
        if !queue.put(item) { throw LivePhotoError(.cancelled, nil, "stopped") }
    }
}

extension ConversionPlan {
    fileprivate func makeAudioStage(_ reader: ClipReader) throws -> (any AudioStage)? {
        switch audio {
        case .none:
            return nil
        case .copy(_, let format):
            return AudioCopier(reader, format: format, start: start, end: end)
        case .encode(let stream, let sampleRate, let channels, let bitRate, let volume, let speed):
            return try AudioTranscoder(
                reader, stream: stream, sampleRate: sampleRate, channels: channels, bitRate: bitRate, volume: volume,
                speed: speed, start: start, end: end)
        }
    }
}
