package import FFmpegKit
package import LivePhotoRequests
package import QuickTime

/// All decisions about a conversion, made before any work starts: the frames of the clip and their times, how they are
/// scaled, converted and encoded, and what happens to the sound. It holds no media; `summary` describes it.
package struct ConversionPlan: Sendable, Hashable {
    package let decoding: DecodingPlan
    package let pictures: PicturePlan
    let metadata: MetadataPlan
    package let photo: KeyPhotoPlan
    package let audio: AudioPlan
    package let encoder: VideoEncoder.Settings
    /// Number of groups of pictures that are encoded at a time. The movie does not depend on it.
    package let encodersAtOnce: Int
    /// The frames of the movie, in the order in which it shows them.
    package let frames: FrameSequence
    let survey: Survey
    package let contentIdentifier: ContentIdentifier
    /// The metadata of a movie that is edited, which stays.
    let ownItems: [MetadataItem]
    /// The records of the live-photo-info track that is made.
    package let livePhotoInfo: LivePhotoInfoMotion

    /// - Parameters:
    ///   - survey: of the frames in `decoding`, as far as it is needed.
    ///   - userPhoto: describes the user's photo.
    ///   - ownItems: the metadata of a movie that is edited.
    package init(
        _ decoding: DecodingPlan, _ pictures: PicturePlan, _ survey: Survey = Survey(),
        userPhoto: UserPhotoDescription? = nil, ownItems: [MetadataItem] = [],
        livePhotoInfo: LivePhotoInfoMotion = .omitted
    ) {
        (self.decoding, self.pictures, self.survey) = (decoding, pictures, survey)
        (self.ownItems, self.livePhotoInfo) = (ownItems, livePhotoInfo)
        let (work, clip) = (decoding.work, decoding.clip)
        contentIdentifier = work.contentIdentifier ?? ContentIdentifier()
        metadata = MetadataPlan(work, clip.metadata, userPhoto)
        photo = KeyPhotoPlan(work, userPhoto, size: pictures.photoSize, contentIdentifier, clip: clip.metadata)
        let (sound, motion) = (work.preset.audio, work.preset.motion)
        audio = AudioPlan(
            clip.audio, mode: sound.mode, bitRate: sound.bitrate.bitsPerSecond, volume: sound.volume, motion: motion)
        frames = FrameSequence(
            decoding.schedule, effect: motion.effect, loop: survey.loop, speed: motion.speed,
            repeatingAt: work.preset.video.repeatFrames == .on ? decoding.frameRate : nil,
            still: decoding.window.stillBetweenFrames)
        (encoder, encodersAtOnce) = Self.encoder(decoding, pictures)
    }
}

extension ConversionPlan {
    package var work: ClipWork { decoding.work }
    package var clip: FilePath { decoding.clip.path }
    /// Effect and speed.
    var motion: Motion { work.preset.motion }
    package var photoQuality: Int { work.preset.photo.quality.value }
    package var span: PictureSpan { decoding.clip.span }
    package var schedule: FrameSchedule { decoding.schedule }
    package var processingThreads: Int { decoding.processingThreads }
    /// The time in the clip from which on it is needed.
    package var start: MediaTime { schedule.start }
    /// The time in the clip up to which it is needed.
    package var end: MediaTime { schedule.end }
    /// The time in the clip at which the movie starts.
    var firstShown: MediaTime {
        frames.items[0].index == 0 ? start : schedule.entries[frames.items[0].index].source
    }
    /// The presentation time in the clip of the key photo's frame.
    package var stillInClip: MediaTime { schedule.entries[schedule.stillIndex].source }
    /// The key photo's time in the movie: exactly that of a frame, unless the camera wrote another one and it is kept.
    package var stillTime: MediaTime { frames.stillTime }
    /// The movie's duration.
    package var duration: MediaTime { MediaTime(value: frames.durationTicks, timescale: FrameSchedule.timescale) }
    package var frameCount: Int { frames.items.count }
    /// The movie's nominal frame rate.
    package var frameRate: FrameRate { encoder.frameRate }
    /// Whether HDR pictures become SDR.
    package var isToneMapped: Bool { ColorDescription(of: decoding.picture).isHDR && !keepsHDR }
    /// Whether the movie is HDR.
    package var keepsHDR: Bool { encoder.color.isHDR }
    /// Whether the key photo gets a gain map for HDR.
    package var hasGainMap: Bool { pictures.gainMap != nil }
    /// The size of the movie's pictures, upright.
    package var movieSize: PixelSize { encoder.size }
    /// The size of the key photo, upright.
    package var photoSize: PixelSize { photo.size }
    /// How the key photo is steadied.
    var stillCorrection: PictureCorrection? { survey.steadying?[schedule.stillIndex] }
    /// Pixels of a coded picture.
    package var codedPixels: Int { decoding.picture.codedSize.width * decoding.picture.codedSize.height }
    /// Pixels of a user's photo that is encoded again; 0 if it is kept, or if the photo is a frame.
    package var encodedPhotoPixels: Int {
        guard case .userPhoto(let photo, _, _) = photo, !photo.isKept else { return 0 }
        return photo.uncroppedSize.width * photo.uncroppedSize.height
    }
    /// Whether the frame at the still time is needed for the photo.
    var needsStillFrame: Bool { photo.isFrame || work.edit?.makesNewKeyPhoto == true && motion.effect != .longExposure }
    /// The size of a preview's movie relative to the full one; 1 without a preview.
    var fullSizeShare: Double {
        work.edit?.previewSize == nil
            ? 1 : Double(movieSize.longEdge) / Double(max(pictures.geometry.photo.size.longEdge, 1))
    }
}
