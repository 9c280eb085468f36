package import FFmpegKit
package import LivePhotoRequests

/// Every decision about a conversion, made before any work starts: which frames of the clip at which times, how they
/// are scaled, coloured and coded, what becomes of the sound. A value without media in it; `summary` prints it.
package struct ConversionPlan: Sendable, Hashable {
    package let clip: FilePath
    /// How long the clip lasts.
    package let clipDuration: MediaTime
    package let contentIdentifier: ContentIdentifier

    /// The moment of the clip at which the movie begins.
    package let start: MediaTime
    /// The moment of the clip whose frame becomes the key photo: that frame's own presentation time.
    package let stillInClip: MediaTime
    /// The key photo's moment on the movie's timeline; a frame of the movie has exactly this time.
    package let stillTime: MediaTime
    /// How long the movie lasts.
    package let duration: MediaTime
    package let frameCount: Int
    /// The movie's nominal frame rate.
    package let frameRate: FrameRate
    /// The movie's pictures, upright.
    package let movieSize: PixelSize
    /// The key photo, upright.
    package var photoSize: PixelSize { photo.size }
    /// Date, place and camera to be written to both files.
    package let metadata: ClipMetadata
    /// What the user may want to know: each one sentence.
    package let warnings: [String]

    package let span: PictureSpan
    /// The format of the clip's pictures at the movie's beginning, or at the still where it was found to differ.
    package let picture: VideoParameters
    /// Pixels of a coded picture.
    package var codedPixels: Int { picture.codedSize.width * picture.codedSize.height }
    /// Whether `picture` is that of the still.
    package let hasShapeOfStill: Bool
    /// Whether the warnings say that the clip is damaged.
    package let isDamaged: Bool
    package let schedule: FrameSchedule
    /// The only packets whose pictures are needed, by presentation time on the clip's clock; nil needs all.
    package let wantedPackets: Set<MediaTime>?
    package let entry: EntryPoint
    /// Whether the clip's pictures are made whole from fields before one is chosen.
    package let deinterlaces: Bool
    package let movieFilters: PictureFilters
    package let photoFilters: PictureFilters
    /// What fills the transparent parts of the clip, and of a photo that is encoded.
    package let background: BackgroundColor
    /// Whether the clip's pixel format has alpha; its pictures may be opaque all the same.
    private let mayBeTransparent: Bool
    package let photo: KeyPhotoPlan
    package let encoder: H264Encoder.Settings
    package let photoQuality: Int
    package let audio: AudioPlan
    package let threads: Int

    /// - Parameters:
    ///   - settings: the request's.
    ///   - userPhoto: describes the request's photo, if it has one.
    package init(
        _ request: ConversionRequest, settings: Preset, clip: ClipDescription, window: Window,
        userPhoto: UserPhotoDescription? = nil
    ) throws(LivePhotoError) {
        let sourceRate = SourceRate(times: clip.frameTimes, nominal: clip.picture.averageFrameRate)
        let cadence = Cadence(source: sourceRate, range: settings.video.frameRate)
        guard let schedule = FrameSchedule(times: clip.frameTimes, window: window, cadence: cadence) else {
            throw LivePhotoError(.unusableMedia, clip.path, "has no frame that can be decoded")
        }
        let geometry: PictureGeometry
        do {
            geometry = try PictureGeometry(
                clip.picture, maximum: settings.video.maxSize, framing: settings.picture.framing)
        } catch {
            throw LivePhotoError(.invalidRequest, clip.path, "\(error)", cause: error)
        }
        let still = schedule.entries[schedule.stillIndex]
        func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: FrameSchedule.timescale) }

        self.clip = clip.path
        span = clip.span
        picture = clip.picture
        hasShapeOfStill = clip.hasShapeOfStill
        isDamaged = clip.damage != nil
        clipDuration = clip.duration
        let identifier = request.contentIdentifier ?? ContentIdentifier()
        contentIdentifier = identifier
        start = schedule.start
        stillInClip = still.source
        stillTime = ticks(still.ticks)
        duration = ticks(schedule.durationTicks)
        frameCount = schedule.entries.count
        frameRate = cadence.frameRate
        movieSize = geometry.movie.size
        photo =
            userPhoto.map {
                KeyPhotoPlan($0, identifier, settings.metadata, captureDate: request.captureDate, clip: clip.metadata)
            } ?? .frame(geometry.photo.size)
        metadata = clip.metadata.completed(by: userPhoto).wanted(settings.metadata, captureDate: request.captureDate)
        self.schedule = schedule
        // Deinterlacing looks at the neighbours too.
        wantedPackets =
            clip.hasPacketTimes && !clip.picture.isInterlaced ? Set(schedule.entries.map(\.source)) : nil
        entry = clip.entry
        deinterlaces = clip.picture.isInterlaced
        let background = settings.picture.background
        self.background = background
        mayBeTransparent = clip.picture.pixelFormat.hasAlpha
        movieFilters = PictureFilters(
            clip.picture, geometry, to: .movie(geometry), toneMapping: settings.picture.toneMapping,
            background: background)
        photoFilters = PictureFilters(
            clip.picture, geometry, to: .photo(geometry), toneMapping: settings.picture.toneMapping,
            background: background)
        threads = max(request.threads ?? Decoder.defaultThreads, 1)
        let keyFrameInterval = max(Int(cadence.frameRate.framesPerSecond), 1)
        encoder = H264Encoder.Settings(
            size: geometry.movie.size, color: .bt709, frameRate: cadence.frameRate, timescale: FrameSchedule.timescale,
            preset: settings.video.x264Preset.rawValue, crf: Double(settings.video.crf.hundredths) / 100,
            keyFrameInterval: keyFrameInterval,
            parameters: settings.video.x264Preset.parameters(keyFrameInterval: keyFrameInterval),
            threads: request.encoderThreads ?? threads)
        photoQuality = settings.photo.quality.value
        audio = AudioPlan(clip.audio, mode: settings.audio.mode, bitRate: settings.audio.bitrate.bitsPerSecond)
        warnings =
            Self.warnings(clip, cadence, window, frameCount: schedule.entries.count)
            + Self.warnings(photo, movieSize: geometry.movie.size)
            + (userPhoto?.isTransparent == true ? [background.warning(about: "photo")] : [])
            + (settings.audio.mode == .keep ? clip.soundWarnings : [])
    }

    private static func warnings(
        _ clip: ClipDescription, _ cadence: Cadence, _ window: Window, frameCount: Int
    ) -> [String] {
        var warnings: [String] = []
        warnings += clip.pictureWarnings
        if let damage = clip.damage { warnings.append(damage.warning) }
        if window.still < clip.span.start {
            warnings.append(
                "the clip's picture begins at \(clip.span.start), after the still time \(window.still); its first frame is"
                    + " the photo")
        }
        if let end = clip.endOfPicture, window.still > end {
            warnings.append(
                "the clip's picture ends at \(end), before the still time \(window.still); its last frame is the photo")
        }
        if case .source(let rate, _) = cadence {
            warnings.append("the clip has only \(rate); its frames are kept as they are")
        }
        if clip.picture.dolbyVisionProfile == 5 {
            warnings.append(
                "the clip is Dolby Vision of profile 5, whose colours only Dolby's decoders know; they will be wrong")
        }
        if frameCount == 1 {
            warnings.append("the movie has only one frame: the Live Photo will not move")
        }
        return warnings
    }

    private static func warnings(_ photo: KeyPhotoPlan, movieSize: PixelSize) -> [String] {
        guard !photo.isFrame, !photo.size.hasShape(of: movieSize) else { return [] }
        let shape = AspectRatio(photo.size.width, photo.size.height)
        return [
            "the photo is \(photo.size) and the movie \(movieSize): Photos fills the photo's frame with the movie and cuts"
                + " off what is over, so the picture jumps when it plays; --fill \(shape) makes the movie alike"
        ]
    }
}

extension ConversionPlan {
    /// The part of the plan that is shown to users.
    package var summary: PlanSummary {
        PlanSummary(
            clipDuration: clipDuration, contentIdentifier: contentIdentifier, start: start, stillInClip: stillInClip,
            stillTime: stillTime, duration: duration, frameCount: frameCount, frameRate: frameRate,
            movieSize: movieSize, photoSize: photoSize, metadata: metadata, warnings: warnings, text: text)
    }

    private var text: String {
        let lines = [
            ("clip", "\(clip), \(clipDuration)"),
            ("movie", "\(movieSize), \(frameCount) frames at \(frameRate), \(duration), from \(start) of the clip"),
            ("still", "\(stillTime) in the movie, \(stillInClip) in the clip"),
            ("photo", photoText),
            ("video", "H.264 High, x264 \(encoder.preset), CRF \(decimal(encoder.crf, places: 2))"),
            ("filters", filterNames),
            ("background", mayBeTransparent ? "\(background) (where the clip is transparent)" : ""),
            ("audio", "\(audio)"),
            ("shot", "\(metadata)"),
            ("identifier", "\(contentIdentifier)"),
        ].filter { !$0.1.isEmpty }
        return lines.map { "\($0): \($1)" }.joined(separator: "\n")
    }
    private var photoText: String {
        switch photo {
        case .frame(let size): "\(size), JPEG quality \(photoQuality)"
        case .userPhoto(let photo, _, _):
            "\(photo.path), \(photo.size), "
                + (photo.isKept ? "as it is but for its metadata" : "JPEG quality \(photoQuality)")
        }
    }

    private var filterNames: String {
        let names = [deinterlaces ? "deinterlace" : "", movieFilters.description].filter { !$0.isEmpty }
        return names.isEmpty ? "none" : names.joined(separator: ",")
    }
}
