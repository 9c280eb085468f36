package import FFmpegKit
import LivePhotoRequests
import MediaModel

extension ClipWork {
    /// Of filters and encoders, and of decoders where nothing is encoded; from 1 on.
    var processingThreads: Int { max(threads ?? Decoder.defaultThreads, 1) }

    /// Of the decoder of the clip's pictures; from 1 on. HEVC takes so long to encode that half the threads decode fast enough,
    /// and each holds pictures.
    ///
    /// - Parameter codec: libavcodec's name of the clip's codec.
    func decodingThreads(ofClip codec: String) -> Int {
        let makesHEVC = keepsHEVC(codec) || preset.video.codec == .hevc
        return makesHEVC ? max(processingThreads / 2, 1) : processingThreads
    }
}

extension ConversionPlan {
    /// The settings of the encoders, and how many of them work at a time.
    static func encoder(_ decoding: DecodingPlan, _ pictures: PicturePlan) -> (VideoEncoder.Settings, atOnce: Int) {
        let (work, coding) = (decoding.work, pictures.coding)
        let video = work.preset.video
        let frameRate = decoding.frameRate.played(at: work.preset.motion.speed)
        // Pictures of about a second. x264 gives the first key frame of each group the same idr_pic_id, and those of adjacent
        // pictures have to differ.
        let keyFrameInterval = max(Int(frameRate.framesPerSecond.rounded()), 2)
        let crf = Double(coding.codec == .h264 ? video.crf.hundredths : video.x265CRF.hundredths) / 100
        let (preset, parameters) =
            switch coding.codec {
            case .h264:
                (
                    video.x264Preset.rawValue,
                    video.x264Preset.parameters(keyFrameInterval: keyFrameInterval, crf: crf)
                )
            case .hevc: (video.x265Preset.rawValue, video.x265Preset.parameters)
            }
        var encoder = VideoEncoder.Settings(
            coding.codec, size: pictures.geometry.movie.size, color: coding.hdr ?? .bt709,
            bitDepth: coding.hdr == nil ? 8 : 10, frameRate: frameRate, timescale: FrameSchedule.timescale,
            preset: preset, crf: crf, keyFrameInterval: keyFrameInterval, parameters: parameters)
        encoder.hdrMetadata = coding.hdr.flatMap { _ in decoding.picture.hdrMetadata }
        let threads = decoding.processingThreads
        let atOnce = encodersAtOnce(encoder, threads: threads, memory: work.memory)
        encoder.threads = min(threads.dividedUp(by: atOnce), encoder.mostInterchangeableThreads)
        return (encoder, atOnce)
    }

    /// - Parameter memory: bytes that this process may use; nil if they are not limited.
    package static func encodersAtOnce(_ encoder: VideoEncoder.Settings, threads: Int, memory: Int?) -> Int {
        let encoders = threads.dividedUp(by: encoder.mostInterchangeableThreads)
        guard let memory else { return encoders }
        let bytes = encoder.size.width * encoder.size.height * bytesPerPixel(encoder)
        return min(max(memory / encodingShare / bytes, 1), encoders)
    }

    /// Pictures from one key frame to the next.
    var picturesOfGroup: Int { Self.picturesOfGroup(frames: frameCount, encoder) }

    /// Groups of about the same size. With encoders of one thread, their number is even, so that two cores end at about the same
    /// time: those that most machines have at least, because the movie must not depend on the machine.
    package static func picturesOfGroup(frames: Int, _ encoder: VideoEncoder.Settings) -> Int {
        let cores = encoder.mostInterchangeableThreads == 1 ? 2 : 1
        let groups = cores * frames.dividedUp(by: cores * encoder.keyFrameInterval)
        return max(frames.dividedUp(by: max(groups, 1)), 2)
    }

    /// Threads of the encoder of one group, counted from 0.
    func encoderThreads(ofGroup index: Int) -> Int {
        Self.encoderThreads(ofGroup: index, frames: frameCount, encoder)
    }

    /// x264 encodes the last group with two threads, because other cores have nothing left to do then. Its output depends on their
    /// number, so they are two on every machine.
    package static func encoderThreads(ofGroup index: Int, frames: Int, _ encoder: VideoEncoder.Settings) -> Int {
        let isLast = (index + 1) * picturesOfGroup(frames: frames, encoder) >= frames
        return encoder.codec == .h264 && isLast ? 2 : encoder.threads
    }

    /// Pictures that wait for each encoder. If all of a group do, the next encoder can begin.
    var waitingPictures: Int {
        guard encodersAtOnce > 1 else { return 1 }
        let picture = movieSize.width * movieSize.height * 3 / 2
        return min(max(Self.waitingMemory / max(picture, 1), 1), encoder.keyFrameInterval)
    }

    /// Encoders get a third of the memory: the decoder needs as much, and libraries and the photo.
    private static var encodingShare: Int { 3 }
    /// What an encoder needs with x264's preset `faster` or x265's `medium`, and the pictures that wait for it.
    private static func bytesPerPixel(_ encoder: VideoEncoder.Settings) -> Int {
        encoder.codec == .h264 ? 64 : encoder.bitDepth == 8 ? 160 : 256
    }
    /// Five pictures of 1080p. More would only cost memory: an encoder itself takes some before it returns the first.
    private static var waitingMemory: Int { 16 << 20 }
}

extension Int {
    /// The quotient, rounded up.
    func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
