import FFmpegKit
import LivePhotoKit
import QuickTime

/// An element of the queue from the decoding thread to the encoding thread.
enum PipelineItem: Sendable {
    /// A picture ready for the encoder; its presentation time is in ticks of the movie's clock.
    case picture(Frame)
    /// An AAC access unit.
    case audio([UInt8])
    /// The end of the queue, with how the sound is played.
    case end(AudioEdit?)
}

/// The first part of the pipeline: reads and decodes the clip once, selects the frames of the schedule, converts them
/// for the movie, and keeps the still for the photo.
final class DecodeStage {
    /// The clip's decoded frame at the still time; nil if the user supplies the key photo.
    private(set) var still: Frame?
    /// Warnings of the finished run: each one sentence.
    private(set) var warnings: [String] = []

    private let plan: ConversionPlan
    private let queue: BoundedQueue<PipelineItem>
    private let cancellation: CancellationFlag
    private let reader: ClipReader
    private let decoder: ClipDecoder
    private let sound: (any AudioStage)?
    private var soundWarning: String?
    private let deinterlacer: Deinterlacer?
    private let movieConverter: PictureConverter
    private let processing: FrameProcessing?
    private var matcher: FrameMatcher<Frame>
    private var shapes: PictureShapeTracker
    private var isFlat = true

    init(
        _ plan: ConversionPlan, _ reader: ClipReader, into queue: BoundedQueue<PipelineItem>,
        processing: FrameProcessing? = nil, cancellation: CancellationFlag
    ) throws {
        self.plan = plan
        self.processing = processing
        self.queue = queue
        self.reader = reader
        shapes = PictureShapeTracker(plan)
        self.cancellation = cancellation
        decoder = try ClipDecoder(
            reader, entry: plan.entry, hasSound: plan.audio.stream != nil, threads: plan.threads,
            neededFrames: plan.neededPackets)
        do {
            sound = try plan.makeAudioStage(reader)
        } catch let error as LibavError where !error.isOutOfMemory {
            sound = nil
            soundWarning = "the clip's sound cannot be decoded (\(error.reason)); the movie has none"
        }
        deinterlacer = plan.picture.isInterlaced ? Deinterlacer(threads: plan.threads) : nil
        movieConverter = PictureConverter(plan.movieFilters, threads: plan.threads)
        matcher = FrameMatcher(plan.schedule.entries.map(\.source))
    }

    /// The format of the movie's audio track.
    var audioFormat: AudioFormat? { sound?.format }

    /// Reads and decodes the clip and puts all items into the queue.
    func run() throws {
        try decoder.run(until: plan.start + plan.duration) { frame, time in
            try cancellation.check()
            for ready in try deinterlacer?.offer(frame, at: time) ?? [(frame, time)] { try choose(ready) }
            return !matcher.isComplete
        } onSound: { packet in
            guard let sound else { return false }
            return try sound.receive(packet) { try put(.audio($0)) }
        }
        for ready in try deinterlacer?.finish() ?? [] { try choose(ready) }
        for match in matcher.finish() { try deliver(match.picture, index: match.index) }
        guard matcher.isComplete, still != nil || !plan.photo.isFrame else {
            throw LivePhotoError(
                .unusableMedia, plan.clip, "none of its video around \(plan.stillInClip) can be decoded; it is damaged")
        }
        try put(.end(try sound?.finish { try put(.audio($0)) }))
        warnings = try collectWarnings()
    }

    private func collectWarnings() throws -> [String] {
        let count = matcher.substitutions
        let frames = count == 0 ? nil : "\(counted(count, "frame")) did not decode; the nearest frame is used instead"
        let damage = plan.isDamaged ? nil : reader.damage?.warning
        let transparency = movieConverter.hasMetTransparency ? plan.background.warning(about: "clip") : nil
        return [damage, frames, shapes.warning, try flatWarning(), transparency, soundWarning, sound?.warning]
            .compactMap(\.self)
    }

    private func flatWarning() throws -> String? {
        guard isFlat else { return nil }
        let search = PictureSearch(
            reader: reader, span: plan.span, filters: plan.movieFilters,
            decodesFromStart: plan.entry == .clipStart && plan.start > .zero)
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

    private func choose(_ frame: (picture: Frame, time: MediaTime)) throws {
        for match in matcher.offer(frame.picture, at: frame.time) { try deliver(match.picture, index: match.index) }
    }

    private func deliver(_ frame: Frame, index: Int) throws {
        try cancellation.check()
        let entry = plan.schedule.entries[index]
        try shapes.note(frame, at: entry.source, isStill: index == plan.schedule.stillIndex)
        var picture = try movieConverter.convert(frame)
        if let processing { picture = try processing.process(picture, at: entry.time) }
        isFlat = try isFlat && picture.isFlat(in: plan.movieFilters.pictureInCanvas)
        try put(.picture(try picture.shown(at: entry.time)))
        if plan.photo.isFrame, index == plan.schedule.stillIndex { still = frame }
    }

    private func put(_ item: PipelineItem) throws {
        // The queue is closed only if encoding has failed; that error is reported.
        if !queue.put(item) { throw LivePhotoError(.cancelled, nil, "stopped") }
    }
}

extension ConversionPlan {
    fileprivate func makeAudioStage(_ reader: ClipReader) throws -> (any AudioStage)? {
        let end = start + duration
        switch audio {
        case .none:
            return nil
        case .copy(_, let format):
            return AudioCopier(reader, format: format, start: start, end: end)
        case .encode(let stream, let sampleRate, let channels, let bitRate, let volume):
            return try AudioTranscoder(
                reader, stream: stream, sampleRate: sampleRate, channels: channels, bitRate: bitRate, volume: volume,
                start: start, end: end)
        }
    }
}
