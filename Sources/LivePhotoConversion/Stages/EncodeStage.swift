import Bytes
import FFmpegKit
import LivePhotoKit
import MediaModel
import QuickTime
import Synchronization

/// The second part of the pipeline: encodes the pictures and writes the movie. Each group of pictures has an encoder of its
/// own, and several of them run at a time.
///
/// The bytes depend neither on how many do, nor on when the decoder delivers pictures and sound.
final class EncodeStage {
    private let plan: ConversionPlan
    private let movie: OutputFile
    private let audio: AudioFormat?
    private var timedMetadata: MovieTimedMetadata
    private var motion: MotionRecorder?
    private let cancellation: CancellationFlag
    private let counter: FrameCounter
    private var writer: MovieWriter?
    private lazy var settings = plan.encoder
    private var parameterSets: [UInt8] = []
    /// The groups that are not encoded yet, in order; only the last one may get more pictures.
    private var groups: [GroupEncoder] = []
    private var picturesOfGroup = 0
    private var startedGroups = 0
    /// Samples and packets that are not written yet.
    private var (samples, packets): (ArraySlice<VideoEncoder.Sample>, ArraySlice<[UInt8]>) = ([], [])
    private var writtenPackets = 0

    /// - Parameters:
    ///   - movie: an empty file.
    ///   - onFrame: called with the number of pictures encoded so far, on any thread, one call at a time.
    init(
        _ plan: ConversionPlan, movie: OutputFile, audio: AudioFormat?,
        _ timedMetadata: MovieTimedMetadata = MovieTimedMetadata(), cancellation: CancellationFlag,
        onFrame: @escaping @Sendable (Int) -> Void
    ) {
        (self.plan, self.movie, self.audio) = (plan, movie, audio)
        (self.timedMetadata, self.cancellation) = (timedMetadata, cancellation)
        counter = FrameCounter(cancellation, onFrame)
    }

    /// Processes all items of the queue and finishes the movie.
    func run(_ queue: BoundedQueue<PipelineItem>) throws {
        defer { for group in groups { group.stop() } }
        while let item = queue.take() {
            try cancellation.check()
            switch item {
            case .picture(let picture):
                try encode(picture)
            case .audio(let packet):
                packets.append(packet)
            case .end(let edit, let transform):
                groups.last?.finish()
                while !groups.isEmpty { try receiveFirstGroup() }
                try write(isEnd: true)
                try finish(edit, transform)
                return
            }
        }
    }

    private func encode(_ picture: Frame) throws {
        if plan.livePhotoInfo == .measured {
            // The encoders are busy with the pictures before this one.
            let recorder = try motion ?? MotionRecorder(plan.pictures.movie)
            try recorder.add(picture)
            motion = recorder
        }
        if groups.isEmpty || picturesOfGroup == plan.picturesOfGroup {
            groups.last?.finish()
            // An encoder holds much memory, so the first one has to be gone before another one begins.
            if groups.count == plan.encodersAtOnce { try receiveFirstGroup() }
            // The clip's pictures know better than its container.
            if writer == nil, groups.isEmpty, plan.keepsHDR, let metadata = picture.hdrMetadata {
                settings.hdrMetadata = metadata
            }
            settings.threads = plan.encoderThreads(ofGroup: startedGroups)
            groups.append(
                try GroupEncoder(settings, capacity: plan.waitingPictures, onPicture: counter.count))
            (startedGroups, picturesOfGroup) = (startedGroups + 1, 0)
        }
        picturesOfGroup += 1
        guard groups.last?.encode(picture) == true else {
            while !groups.isEmpty { try receiveFirstGroup() }
            throw LivePhotoError(.internalError, plan.clip, "an encoder took no more pictures")
        }
    }

    /// Waits for the first group and writes it as far as the sound has been read.
    private func receiveFirstGroup() throws {
        let output = try groups.removeFirst().output()
        if plan.encodersAtOnce == 1 { Heaps.giveBackFreed() }
        if writer == nil {
            parameterSets = output.parameterSets
            var video = try VideoFormat(
                plan.encoder.codec, parameterSets: parameterSets.span, size: plan.movieSize, color: plan.encoder.color)
            video.hdrMetadata = settings.hdrMetadata
            writer = try MovieWriter(to: movie, video: video, audio: audio)
        } else if output.parameterSets != parameterSets {
            throw LivePhotoError(.internalError, plan.clip, "the encoder's parameter sets differ within the movie")
        }
        samples += output.samples
        try write(isEnd: false)
    }

    /// Writes samples, and before each the packets up to its time. The decoder's threads decide which packets are there
    /// already, but not where they are written.
    private func write(isEnd: Bool) throws {
        while let sample = samples.first {
            let time = MediaTime(value: sample.presentationTime, timescale: plan.encoder.timescale)
            while let audio, Self.time(ofPacket: writtenPackets, audio) <= time {
                if let packet = packets.popFirst() {
                    try writer?.appendAudio(packet)
                } else if !isEnd {
                    return
                } else {
                    break
                }
                writtenPackets += 1
            }
            // Each x264 describes itself in its first sample; once is enough. HDR's metadata stay in each key frame.
            let keepsInformation = time == .zero || plan.keepsHDR
            try writer?.appendVideo(
                annexB: sample.annexB.span, presentationTime: time, keepsInformation: keepsInformation)
            samples.removeFirst()
        }
        guard isEnd else { return }
        while let packet = packets.popFirst() { try writer?.appendAudio(packet) }
    }

    private static func time(ofPacket index: Int, _ format: AudioFormat) -> MediaTime {
        MediaTime(
            value: Int64(index * format.framesPerPacket), timescale: Int32(clamping: max(format.sampleRate, 1)))
    }

    /// - Parameter transform: from the frame at the still time to the photo, if it is written.
    private func finish(_ edit: AudioEdit?, _ transform: StillImageTransform?) throws {
        let times = plan.frames.items.map(\.time)
        let records = plan.livePhotoInfo == .still ? times.map { LivePhotoInfo.still(at: $0) } : motion?.records(times)
        if let records {
            timedMetadata.setLivePhotoInfo(records, duration: plan.duration, dimensions: plan.movieSize)
        }
        if let transform { timedMetadata.stillValues = transform.values }
        var timing = MovieTiming(duration: plan.duration, stillTime: plan.stillTime, audio: edit?.onMovieGrid)
        timing.keepsStillOfCamera = plan.decoding.window.stillBetweenFrames != nil
        try writer?.finish(
            timing,
            metadata: [MetadataItem(key: .contentIdentifier, value: .text(FileText(plan.contentIdentifier.string)))]
                + plan.movieItems,
            timedMetadata: timedMetadata,
            times: plan.metadata.written.captureDate.flatMap { HeaderTimes($0) } ?? .unknown)
    }
}

/// Counts the pictures of all groups.
private final class FrameCounter: Sendable {
    private let frames = Mutex(0)
    private let cancellation: CancellationFlag
    private let onFrame: @Sendable (Int) -> Void

    init(_ cancellation: CancellationFlag, _ onFrame: @escaping @Sendable (Int) -> Void) {
        (self.cancellation, self.onFrame) = (cancellation, onFrame)
    }

    func count() throws {
        try frames.withLock { frames in
            try cancellation.check()
            frames += 1
            onFrame(frames)
        }
    }
}

extension ConversionPlan {
    /// The metadata of the movie, except the content identifier. An edited movie keeps all of its own.
    fileprivate var movieItems: [MetadataItem] {
        let items = metadata.written.movieItems + (work.preset.video.vitality == .on ? Self.vitalityItems : [])
        let replaced = Set(items.map(\.key) + [.contentIdentifier])
        return items + ownItems.filter { !replaced.contains($0.key) }
    }
}

extension ConversionPlan {
    /// What cameras write into a movie that is worth to be played by itself. `live-photo.auto` never comes alone: players look at
    /// the score too.
    private static let vitalityItems = [
        MetadataItem(key: .autoplay, value: .byte(1)),
        MetadataItem(key: .vitalityScore, value: .float(1)),
        MetadataItem(key: .vitalityScoringVersion, value: .int64(4)),
        MetadataItem(key: .fullFrameRatePlaybackIntent, value: .int64(1)),
    ]
}

extension LivePhotoInfo {
    /// The record of a frame of a camera that does not move.
    fileprivate static func still(at time: MediaTime) -> (time: MediaTime, info: LivePhotoInfo) {
        (time, LivePhotoInfo(stillAt: UInt64(clamping: time.rescaled(to: 1_000_000_000).value)))
    }
}

extension ClipMetadata {
    /// Metadata items with the keys that devices write.
    fileprivate var movieItems: [MetadataItem] {
        let texts: [(MetadataKey, String?)] = [
            (.make, make), (.model, model), (.creationDate, captureDate?.iso8601), (.location, location?.iso6709),
        ]
        return texts.compactMap { key, text in text.map { MetadataItem(key: key, value: .text(FileText($0))) } }
    }
}
