import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime

/// The second part of the pipeline: encodes the pictures and writes the movie.
final class EncodeStage {
    private let plan: ConversionPlan
    private let encoder: H264Encoder
    private let writer: MovieWriter
    private let timedMetadata: MovieTimedMetadata
    private let cancellation: CancellationFlag
    private let onFrame: (Int) -> Void
    private var frames = 0

    /// - Parameters:
    ///   - movie: an empty file.
    ///   - onFrame: called with the number of pictures encoded so far.
    init(
        _ plan: ConversionPlan, movie: OutputFile, audio: AudioFormat?,
        _ timedMetadata: MovieTimedMetadata = MovieTimedMetadata(), cancellation: CancellationFlag,
        onFrame: @escaping (Int) -> Void
    ) throws {
        self.plan = plan
        self.timedMetadata = timedMetadata
        self.cancellation = cancellation
        self.onFrame = onFrame
        encoder = try H264Encoder(plan.encoder)
        let parameterSets = encoder.parameterSets
        let video = VideoFormat(
            configuration: try AVCConfigurationBox(annexB: parameterSets.span), size: plan.movieSize,
            color: plan.encoder.color)
        writer = try MovieWriter(to: movie, video: video, audio: audio)
    }

    /// Processes all items of the queue and finishes the movie.
    func run(_ queue: BoundedQueue<PipelineItem>) throws {
        while let item = queue.take() {
            try cancellation.check()
            switch item {
            case .picture(let picture):
                try encoder.encode(picture, write)
            case .audio(let packet):
                try writer.appendAudio(packet)
            case .end(let edit):
                try encoder.encode(nil, write)
                try finish(edit)
                return
            }
        }
    }

    private func write(_ sample: H264Encoder.Sample) throws {
        // At the end, the encoder may take long to output the remaining samples.
        try cancellation.check()
        try writer.appendVideo(
            annexB: sample.annexB.span,
            presentationTime: MediaTime(value: sample.presentationTime, timescale: plan.encoder.timescale))
        frames += 1
        onFrame(frames)
    }

    private func finish(_ edit: AudioEdit?) throws {
        try writer.finish(
            MovieTiming(duration: plan.duration, stillTime: plan.stillTime, audio: edit?.onMovieGrid),
            metadata: [MetadataItem(key: .contentIdentifier, value: .text(plan.contentIdentifier.string))]
                + plan.movieItems,
            timedMetadata: timedMetadata,
            times: plan.metadata.captureDate.flatMap { HeaderTimes($0) } ?? .unknown)
    }
}

extension ConversionPlan {
    /// The metadata of the movie, except the content identifier. An edited movie keeps all of its own.
    fileprivate var movieItems: [MetadataItem] {
        let items = metadata.movieItems
        let replaced = Set(items.map(\.key) + [.contentIdentifier])
        return items + ownItems.filter { !replaced.contains($0.key) }
    }
}

extension ClipMetadata {
    /// Metadata items with the keys that devices write.
    fileprivate var movieItems: [MetadataItem] {
        let texts: [(MetadataKey, String?)] = [
            (.make, make), (.model, model), (.creationDate, captureDate?.iso8601), (.location, location?.iso6709),
        ]
        return texts.compactMap { key, text in text.map { MetadataItem(key: key, value: .text($0)) } }
    }
}
