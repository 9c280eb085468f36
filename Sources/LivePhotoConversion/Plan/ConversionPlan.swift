package import FFmpegKit
package import LivePhotoRequests
package import QuickTime

/// All decisions about a conversion, made before any work starts: the frames of the clip and their times, how they are
/// scaled, converted and encoded, and what happens to the sound. It holds no media; `summary` describes it.
package struct ConversionPlan: Sendable, Hashable {
    package let clip: FilePath
    package let contentIdentifier: ContentIdentifier
    package let span: PictureSpan

    /// The times and durations that were requested, as they were written: `still 1:30, duration 2`.
    let requestedTimes: String
    /// The best stills, if they were looked for: the first one was taken.
    package internal(set) var stillCandidates: [StillCandidate]
    /// Whether the still time is the one that the clip has as the movie of a Live Photo.
    let hasOwnStill: Bool
    package let schedule: FrameSchedule
    /// The frames of the movie, in the order in which it shows them.
    package private(set) var frames: FrameSequence
    /// The part of the schedule that a loop shows, once it is known.
    private(set) var loop: LoopPart?
    /// Effect and speed.
    let motion: Motion
    /// How the frames of the schedule are steadied; nil leaves them as they are.
    private(set) var steadying: [PictureCorrection]?
    /// How the frames of a long exposure are laid over each other; nil for a frame that is left out.
    private(set) var exposureSteadying: [PictureCorrection?]?
    private let isStabilized: Bool
    /// The time in the clip from which on it is needed.
    package var start: MediaTime { schedule.start }
    /// The time in the clip at which the movie starts.
    var firstShown: MediaTime {
        frames.items[0].index == 0 ? start : schedule.entries[frames.items[0].index].source
    }
    /// The presentation time in the clip of the key photo's frame.
    package var stillInClip: MediaTime { schedule.entries[schedule.stillIndex].source }
    /// The key photo's time in the movie: exactly that of a frame, unless the camera wrote another one and it is kept.
    package var stillTime: MediaTime { frames.stillTime }
    /// The still time in the clip, if it is not that of the key photo's frame.
    private let stillBetweenFrames: MediaTime?
    var keepsStillBetweenFrames: Bool { stillBetweenFrames != nil }
    /// The movie's duration.
    package var duration: MediaTime { MediaTime(value: frames.durationTicks, timescale: FrameSchedule.timescale) }
    /// The time in the clip up to which it is needed.
    package var end: MediaTime { schedule.end }
    package var frameCount: Int { frames.items.count }
    /// The movie's nominal frame rate.
    package var frameRate: FrameRate { encoder.frameRate }
    /// The clip's frame rate around the movie.
    package let clipFrameRate: FrameRate
    /// Whether HDR pictures become SDR.
    package var isToneMapped: Bool { ColorDescription(of: picture).isHDR && !keepsHDR }
    /// Whether a user's photo stays HDR if it becomes a HEIC.
    let keepsHDROfPhoto: Bool
    /// Whether the movie is HDR.
    package var keepsHDR: Bool { encoder.color.isHDR }
    /// Whether the key photo gets a gain map for HDR.
    package var hasGainMap: Bool { gainMapFilters != nil }
    /// The size of the movie's pictures, upright.
    package var movieSize: PixelSize { encoder.size }
    /// The sizes at which pictures are adjusted.
    var adjustedSizes: [PixelSize] {
        [movieFilters.pictureInCanvas.size, photo.isFrame ? photoFilters.pictureInCanvas.size : photo.size]
    }
    /// The size of the key photo, upright.
    package var photoSize: PixelSize { photo.size }
    /// Date, location and camera for both files.
    package let metadata: ClipMetadata
    /// Where its date comes from; nil if there is none.
    package let captureDateSource: CaptureDateSource?
    /// Whether the name that it comes from has no time of day.
    let isDayOnly: Bool
    /// Each one sentence for the user.
    package let warnings: [String]

    /// The format of the clip's pictures at the movie's start, or at the still time if that is known to differ.
    package let picture: VideoParameters
    /// Pixels of a coded picture.
    package var codedPixels: Int { picture.codedSize.width * picture.codedSize.height }
    /// Pixels of a user's photo that is encoded again; 0 if it is kept, or if the photo is a frame.
    package var encodedPhotoPixels: Int {
        guard case .userPhoto(let photo, _, _) = photo, !photo.isKept else { return 0 }
        return photo.uncroppedSize.width * photo.uncroppedSize.height
    }
    /// Whether `picture` is that of the still.
    package let hasShapeOfStill: Bool
    /// Whether `warnings` mention that the clip is damaged.
    package let isDamaged: Bool
    /// The needed packets, by presentation time on the clip's clock; nil needs all.
    package let neededPackets: Set<MediaTime>?
    package let entry: EntryPoint
    package let movieFilters: PictureFilters
    package let photoFilters: PictureFilters
    /// Makes the light of which the key photo's gain map is made; nil if it gets none.
    let gainMapFilters: PictureFilters?
    /// Fills the transparent parts of the clip, and of a photo that is encoded.
    package let background: BackgroundColor
    package let photo: KeyPhotoPlan
    package let encoder: VideoEncoder.Settings
    /// Number of groups of pictures that are encoded at a time. The movie does not depend on it.
    package let encodersAtOnce: Int
    /// The format of a frame that becomes the key photo.
    let photoFormat: KeyPhotoFormat
    package let photoQuality: Int
    package let audio: AudioPlan
    package let processingThreads: Int
    package let decodingThreads: Int
    /// The metadata of a movie that is edited, which stays.
    let ownItems: [MetadataItem]
    /// Whether the clip is the movie of a Live Photo that is edited.
    let isEdit: Bool
    /// Whether the motion of the movie's pictures is measured and written into a live-photo-info track.
    package internal(set) var recordsMotion = false
    /// Whether such a movie is kept, so that only the photo is made.
    let keepsMovie: Bool
    /// Whether its frame at the still time becomes the picture of the photo.
    let makesNewKeyPhoto: Bool
    /// Whether the frame at the still time is needed for the photo.
    var needsStillFrame: Bool { photo.isFrame || makesNewKeyPhoto && motion.effect != .longExposure }
    /// The size that the photo is scaled down to fit, for a preview.
    let previewSize: MaximumSize?
    /// The size of a preview's movie relative to the full one; 1 without a preview.
    let fullSizeShare: Double

    private static func share(_ size: PixelSize, ofFullSize full: PixelSize, isPreview: Bool) -> Double {
        isPreview ? Double(size.longEdge) / Double(max(full.longEdge, 1)) : 1
    }

    /// - Parameters:
    ///   - settings: the request's.
    ///   - userPhoto: describes the request's photo.
    ///   - ownItems: the metadata of a movie that is edited.
    ///   - colorTable: the one that the settings name.
    ///   - encoders: an edit keeps the codec of its movie if there is one for it.
    package init(
        _ request: ConversionRequest, settings: Preset, clip: ClipDescription, window: Window,
        userPhoto: UserPhotoDescription? = nil, ownItems: [MetadataItem] = [], colorTable: ColorTable? = nil,
        encoders: AvailableEncoders = .installed
    ) throws(LivePhotoError) {
        let window = request.isEdit ? window.withStill(nearestOf: clip.frameTimes) : window
        let sourceRate = SourceRate(times: clip.frameTimes, nominal: clip.picture.averageFrameRate)
        let motion = settings.motion
        let cadence = Cadence(
            source: sourceRate,
            range: settings.video.frameRate.ofClip(playedAt: motion.speed, clipRate: sourceRate.rate))
        guard let schedule = FrameSchedule(times: clip.frameTimes, window: window, cadence: cadence) else {
            throw LivePhotoError(.unusableMedia, clip.path, "has no frame that can be decoded")
        }
        let picture = clip.picture.turned(by: settings.adjustments)
        let geometry: PictureGeometry
        do {
            var framing = settings.picture.framing
            if request.isEdit, let photo = userPhoto, let crop = framing.crop {
                let upright = try PictureGeometry(picture, maximum: nil).photo.size
                framing.crop = crop.scaled(from: photo.uncroppedSize, to: upright)
            }
            geometry = try PictureGeometry(picture, maximum: settings.video.maxSize, framing: framing)
        } catch {
            throw LivePhotoError(.invalidRequest, clip.path, "\(error)", cause: error)
        }

        self.clip = clip.path
        span = clip.span
        self.picture = picture
        hasShapeOfStill = clip.hasShapeOfStill
        isDamaged = clip.damage != nil
        let identifier = request.contentIdentifier ?? ContentIdentifier()
        contentIdentifier = identifier
        let outside = request.outsideMetadata ?? OutsideMetadata()
        let requestedDate = outside.requestedDate?.date
        var photoGeometry = geometry
        var ownPhoto = userPhoto
        if request.replacesPicture, let photo = userPhoto {
            // A long exposure has the shape of the photo that it replaces.
            if motion.effect == .longExposure {
                photoGeometry = try Self.geometry(picture, settings, shapedLike: photo.size, of: clip.path)
            }
            ownPhoto?.size = photoGeometry.photo.size
        }
        photo =
            ownPhoto.map {
                KeyPhotoPlan(
                    $0, identifier, settings.metadata, captureDate: requestedDate,
                    clip: request.isEdit ? ClipMetadata() : clip.metadata.completed(by: outside))
            } ?? .frame(geometry.photo.size)
        // An edited movie gets no date and place from its photo: they may have been removed from it.
        let completed =
            request.isEdit ? clip.metadata : clip.metadata.completed(by: userPhoto).completed(by: outside)
        metadata = completed.output(settings.metadata, captureDate: requestedDate)
        let requested = request.requestedTimes
        requestedTimes = Setting.all.filter { $0.section == Setting.still.section }.compactMap { setting in
            requested[setting.key].map { "\(setting.key) \($0)" }
        }.joined(separator: ", ")
        hasOwnStill = window.isOwnStill
        stillCandidates = request.stillCandidates
        captureDateSource = metadata.captureDate.flatMap { _ in
            if let requested = outside.requestedDate { return requested.source }
            if clip.metadata.captureDate != nil { return .clip }
            return userPhoto?.captureDate != nil ? .photo : outside.date?.source
        }
        isDayOnly = captureDateSource == .fileName && outside.date?.isDayOnly == true
        self.schedule = schedule
        self.motion = motion
        isStabilized = settings.adjustments.stabilization == .on
        // Of a requested part, all of it is the loop; otherwise it is searched for.
        let isWhole = ["start", "end", "duration"].contains { request.requestedTimes[$0] != nil }
        loop = motion.effect == .loop && isWhole ? LoopPart(frames: schedule.entries.count) : nil
        stillBetweenFrames = window.stillBetweenFrames
        frames = FrameSequence(
            schedule, effect: motion.effect, loop: loop, speed: motion.speed, still: stillBetweenFrames)
        clipFrameRate = sourceRate.rate
        // Deinterlacing also needs the neighbouring pictures.
        neededPackets =
            clip.hasPacketTimes && !picture.isInterlaced ? Set(schedule.entries.map(\.source)) : nil
        entry = clip.entry
        let background = settings.picture.background
        self.background = background
        func filters(_ geometry: PictureGeometry, to target: PictureFilters.Target) -> PictureFilters {
            PictureFilters(
                picture, geometry, to: target, toneMapping: settings.picture.toneMapping, background: background,
                adjustments: settings.adjustments, colorTable: colorTable)
        }
        let coding = try OutputCoding(clip, request, settings, encoders, keepsPhoto: userPhoto?.isKept == true)
        let hdr = coding.hdr
        movieFilters = filters(geometry, to: hdr.map { .hdr(geometry.movie, $0) } ?? .movie(geometry))
        let isHEIC = userPhoto?.becomesHEIC ?? (settings.photo.format == .heic)
        let photoHDR = isHEIC && motion.effect != .longExposure && !coding.makesGainMap ? hdr : nil
        keepsHDROfPhoto = coding.keepsHDR
        photoFilters = filters(
            photoGeometry, to: photoHDR.map { .hdr(photoGeometry.photo, $0) } ?? .photo(photoGeometry.photo))
        gainMapFilters =
            coding.makesGainMap && userPhoto == nil ? filters(photoGeometry, to: .light(photoGeometry.photo)) : nil
        processingThreads = request.processingThreads
        decodingThreads = request.decodingThreads(ofClip: clip.videoCodec)
        let frameRate = cadence.frameRate.played(at: motion.speed)
        // Pictures of about a second. x264 gives the first key frame of each group the same idr_pic_id, and those of adjacent
        // pictures have to differ.
        let keyFrameInterval = max(Int(frameRate.framesPerSecond.rounded()), 2)
        var encoder = VideoEncoder.Settings(
            coding.codec, settings.video, hdr.map { ($0, picture.hdrMetadata) }, size: geometry.movie.size,
            frameRate: frameRate, keyFrameInterval: keyFrameInterval)
        encodersAtOnce = Self.encodersAtOnce(encoder, threads: processingThreads, memory: request.memory)
        encoder.threads = min(processingThreads.dividedUp(by: encodersAtOnce), encoder.mostInterchangeableThreads)
        self.encoder = encoder
        photoFormat = settings.photo.format
        photoQuality = settings.photo.quality.value
        audio = AudioPlan(
            clip.audio, mode: settings.audio.mode, bitRate: settings.audio.bitrate.bitsPerSecond,
            volume: settings.audio.volume, motion: motion)
        self.ownItems = ownItems
        (isEdit, keepsMovie) = (request.isEdit, request.keepsMovie)
        makesNewKeyPhoto = request.makesNewKeyPhoto
        previewSize = request.previewSize
        fullSizeShare = Self.share(geometry.movie.size, ofFullSize: geometry.photo.size, isPreview: previewSize != nil)
        warnings =
            Self.warnings(clip)
            + (request.isLivePhoto
                ? Self.warnings(clip, cadence, window, frameCount: schedule.entries.count, isEdit: request.isEdit)
                    + schedule.warnings(window, requested: request.requestedTimes["duration"]) : [])
            + (settings.video.livePhotoInfo == .on ? Self.lockScreenWarnings(frames, rate: frameRate) : [])
            + (request.isEdit ? [] : Self.warnings(photo, movieSize: geometry.movie.size))
            + Self.warnings(settings.adjustments.filter, photoSize: photo.size, movieSize: geometry.movie.size)
            + coding.notes
            + (userPhoto?.becomesJPEG == true
                ? ["the photo was a HEIC; its edited picture is a JPEG, as libheif has no encoder for HEIC here"] : [])
            + (userPhoto?.losesPictures == true
                ? ["further pictures in the photo, such as an HDR gain map or a depth map, are left out"] : [])
            + Self.warnings(userPhoto, settings.metadata)
            + (userPhoto?.isTransparent == true ? [background.warning(about: "photo")] : [])
            + (settings.audio.mode == .keep ? clip.soundWarnings : []) + outside.warnings
            + request.movieNotes
    }

    /// The geometry of frames that are cropped to the shape of a photo.
    private static func geometry(
        _ picture: VideoParameters, _ settings: Preset, shapedLike photo: PixelSize, of clip: FilePath
    ) throws(LivePhotoError) -> PictureGeometry {
        do {
            var framing = settings.picture.framing
            framing.crop = nil
            if case .fit = framing.shape {} else { framing.shape = .fill(AspectRatio(photo.width, photo.height)) }
            return try PictureGeometry(picture, maximum: settings.video.maxSize, framing: framing)
        } catch {
            throw LivePhotoError(.invalidRequest, clip, "\(error)", cause: error)
        }
    }

    private static func warnings(_ clip: ClipDescription) -> [String] {
        var warnings = clip.pictureWarnings
        if let damage = clip.damage { warnings.append(damage.warning) }
        if clip.picture.dolbyVisionProfile == 5 {
            warnings.append(
                "the clip is Dolby Vision profile 5, which only Dolby's decoders can convert; its colours will be wrong"
            )
        }
        return warnings
    }

    private static func warnings(
        _ clip: ClipDescription, _ cadence: Cadence, _ window: Window, frameCount: Int, isEdit: Bool
    ) -> [String] {
        var warnings: [String] = []
        if window.still < clip.span.start {
            warnings.append(
                "the clip's picture begins at \(clip.span.start), after the still time \(window.still); its first frame is"
                    + " the photo")
        }
        if let end = clip.endOfPicture, window.still > end {
            warnings.append(
                "the clip's picture ends at \(end), before the still time \(window.still); its last frame is the photo")
        }
        if let own = window.outsideOwnStill {
            warnings.append(
                "the still time of this Live Photo's movie, \(own), is outside the part from \(window.start) to "
                    + "\(window.end); the still time is the middle of that part, \(window.still)")
        }
        if case .source(let rate, _) = cadence, !isEdit {
            warnings.append("the clip has only \(rate); its frames are kept as they are")
        }
        if frameCount == 1 {
            warnings.append("the movie has only one frame: the Live Photo will not move")
        }
        return warnings
    }

    private static func warnings(_ photo: UserPhotoDescription?, _ mode: MetadataMode) -> [String] {
        guard let photo, mode != .discard, !photo.leftOutMetadata.isEmpty else { return [] }
        return [
            "the new picture or format of the photo cannot keep all metadata; left out: "
                + photo.leftOutMetadata.joined(separator: "; ")
        ]
    }

    private static func warnings(_ photo: KeyPhotoPlan, movieSize: PixelSize) -> [String] {
        guard !photo.isFrame, !photo.size.hasShape(of: movieSize) else { return [] }
        let shape = AspectRatio(photo.size.width, photo.size.height)
        return [
            "the photo is \(photo.size) and the movie \(movieSize): Photos crops the movie to the photo's shape, so the"
                + " picture jumps when it plays; --fill \(shape) gives the movie that shape"
        ]
    }

    private static func warnings(_ chain: FilterChain?, photoSize: PixelSize, movieSize: PixelSize) -> [String] {
        guard let names = chain?.pixelFilters, !names.isEmpty, photoSize != movieSize else { return [] }
        return [
            "the result of \(alternatives(names, "and")) depends on the number of pixels: it differs between the photo of"
                + " \(photoSize) and the movie of \(movieSize)"
        ]
    }
}

extension ConversionPlan {
    /// Whether the motion of its pictures has to be measured.
    var needsCameraPath: Bool { isStabilized || motion.effect == .longExposure }

    /// The same plan with pictures that are steadied.
    func steadied(along path: CameraPath) -> ConversionPlan {
        var copy = self
        let seconds = schedule.end - schedule.start
        let frames = Double(schedule.entries.count) / max(seconds.seconds, 0.001) * Self.smoothingSeconds
        copy.steadying = isStabilized ? path.smoothed(over: frames) : nil
        copy.exposureSteadying = motion.effect == .longExposure ? path.held(at: schedule.stillIndex) : nil
        return copy
    }

    /// The standard deviation of the smoothing of a shaky camera's path.
    private static var smoothingSeconds: Double { 0.4 }

    /// How the key photo is steadied.
    var stillCorrection: PictureCorrection? { steadying?[schedule.stillIndex] }

    /// Whether the frames of its loop have to be found.
    var needsLoop: Bool { motion.effect == .loop && loop == nil }

    /// The same plan for a loop of these frames.
    func showing(_ loop: LoopPart) -> ConversionPlan {
        var copy = self
        copy.loop = loop
        copy.frames = FrameSequence(
            schedule, effect: motion.effect, loop: loop, speed: motion.speed, still: stillBetweenFrames)
        return copy
    }

    /// The timed metadata of an edited movie that stay true: they describe pictures, such as their motion, at their times.
    ///
    /// - Throws: `Errno` of pread(2).
    func keptTimedMetadata(of movie: MovieReader) throws -> MovieTimedMetadata? {
        guard motion.speed == nil, motion.effect == nil || motion.effect == .longExposure,
            picture.orientation == .upright, movieSize == picture.codedSize
        else { return nil }
        var kept = try MovieTimedMetadata(movie, from: firstShown, to: end)
        // The transform from the photo to the frame.
        if makesNewKeyPhoto || motion.effect == .longExposure { kept.stillValues = [] }
        return kept
    }
}
