import FFmpegKit
import LivePhotoKit
import QuickTime

/// An opened clip, and the plan made for it.
struct ConversionPreparation {
    let reader: ClipReader
    let userPhoto: UserPhoto?
    let plan: ConversionPlan
    /// The timed metadata of an edited movie that stay true.
    let timedMetadata: MovieTimedMetadata

    /// - Parameters:
    ///   - isProcessed: whether a frame processor changes the pictures.
    ///   - shape: the shape of the clip's picture at the still time, if it is already known.
    ///   - encoders: without one that is needed, there is no plan.
    init(
        _ request: ConversionRequest, _ files: ConversionFiles, _ cancellation: CancellationFlag,
        isProcessed: Bool = false, shape: PictureShape? = nil, encoders: AvailableEncoders
    ) throws {
        let settings = request.preset
        // A user's photo keeps its shape; the photo of a Live Photo that is edited gets the movie's.
        let colorTable = try files.colorTable.map { file throws(LivePhotoError) in try CubeFile.table(in: file) }
        let edit = PictureEdit(
            framing: request.isEdit ? settings.picture.framing : Framing(), adjustments: settings.adjustments,
            colorTable: colorTable)
        userPhoto = try files.photo.map {
            try UserPhoto(
                $0, edit: edit, isProcessed: isProcessed, isReplaced: request.replacesPicture,
                keepsHEIC: request.keepsHEIC, encoding: settings.photo.format,
                requestedFormat: request.requestedPhotoFormat, needsSDR: request.requestsSDR)
        }
        reader = try ClipReader(files.clip, cancellation)
        let probe = ClipProbe(reader: reader, threads: request.decodingThreads(ofClip: reader.video.codecName))
        var span = try probe.pictureSpan()
        // The complete clip is requested, up to the end of its last picture.
        if settings.window.end?.isClipEnd == true, let end = reader.endOfShownPictures, end > span.start {
            span = PictureSpan(start: span.start, end: end)
        }
        let stills = try Self.stills(request, probe, span, cancellation)
        var window = try Self.window(request, probe, span, still: stills?.best?.time)
        var clip = try probe.describe(window, span: span, shape: shape)
        // A truncated clip still declares its full length, and the sound may be longer than the picture. Without a requested
        // time, the still is the middle of the part that exists, and the movie does not end in a frozen frame.
        if settings.window.hasNoTimes, let end = clip.endOfPicture, let shownUntil = clip.shownUntil,
            end <= window.still || window.end - shownUntil > Self.longestFreeze
        {
            let (fullEnd, damage) = (span.end, clip.damage)
            let span = PictureSpan(start: span.start, end: end)
            window = try Self.window(request, probe, span)
            clip = try probe.describe(window, span: span, shape: shape)
            // The new window may end before the damage.
            clip.damage = clip.damage ?? damage
            // A still time that follows from `before` or `after` may be the end of the picture.
            let isMiddle = window.still == span.start + (span.end - span.start).halved
            if clip.damage == nil, isMiddle || fullEnd - end > reader.nominalFrameDuration {
                clip.pictureWarnings.append(
                    "the clip's picture ends at \(end), though the clip lasts \(fullEnd)"
                        + (isMiddle ? "; the middle of the picture is the photo" : ""))
            }
        }
        if let end = clip.shownUntil, window.start >= end {
            throw LivePhotoError(
                .invalidRequest, request.clip,
                "there are no pictures from \(window.start) on, because they end at \(end)"
                    + (clip.damage == nil ? "" : ", where the clip is damaged or cut off") + "; write an earlier time")
        }
        if settings.audio.mode == .keep, reader.hasEncryptedSound {
            throw LivePhotoError(
                .unusableMedia, request.clip, "its sound is encrypted; leave the sound out (--no-audio)")
        }
        if request.isEdit, let still = window.outsideOwnStill {
            throw LivePhotoError(
                .invalidRequest, request.clip,
                "its still time, \(still), is outside the part from \(window.start) to \(window.end); give another one "
                    + "with --still")
        }
        let movie = request.isEdit ? try? MovieReader(files.clip) : nil
        var plan = try ConversionPlan(
            request, settings: settings, clip: clip, window: window, userPhoto: userPhoto?.description,
            ownItems: movie?.metadata ?? [], colorTable: colorTable, encoders: encoders)
        if let stills { plan.stillCandidates = stills.suggestions(5) }
        if let chain = settings.adjustments.filter {
            for size in Set(plan.adjustedSizes) { try chain.check(for: size, request.clip) }
        }
        try plan.check(encoders)
        if plan.needsCameraPath { plan = plan.steadied(along: try MotionReading(plan, reader, cancellation).path()) }
        if plan.needsLoop { plan = plan.showing(try LoopSearch(plan, reader, cancellation).find()) }
        let kept = edit.keepsGeometry ? try movie.flatMap { [plan] in try plan.keptTimedMetadata(of: $0) } : nil
        timedMetadata = kept ?? MovieTimedMetadata()
        // A camera's records are kept as long as they are true. If an edit makes them wrong, the motion is measured.
        let isWanted = settings.video.livePhotoInfo == .on || movie?.livePhotoInfoTrack != nil
        plan.recordsMotion =
            isWanted && !plan.keepsMovie && request.previewSize == nil && !timedMetadata.hasLivePhotoInfo
        self.plan = plan
    }

    /// How long the default movie may show the clip's last frame after its end.
    private static let longestFreeze = MediaTime(value: 1, timescale: 2)

    /// The frames that are compared for the best still; nil if another one is requested.
    private static func stills(
        _ request: ConversionRequest, _ probe: ClipProbe, _ span: PictureSpan, _ cancellation: CancellationFlag
    ) throws -> StillScoring? {
        guard request.preset.window.still == .best else { return nil }
        let place: StillPlace
        do {
            place = try StillPlace(windowRequest(request, probe, span, still: nil), span)
        } catch let error as WindowError {
            throw LivePhotoError(.invalidRequest, request.clip, error.reason)
        }
        var reading = StillReading(
            probe.reader, span, place, settings: request.preset, threads: request.processingThreads, cancellation)
        let samples = try reading.samples()
        return StillScoring(samples, in: reading.place)
    }

    /// - Parameter still: the best still, if that is requested.
    private static func window(
        _ request: ConversionRequest, _ probe: ClipProbe, _ span: PictureSpan, still: MediaTime? = nil
    ) throws -> Window {
        let window = try windowRequest(request, probe, span, still: still)
        do {
            return try Window(window, span)
        } catch {
            throw LivePhotoError(.invalidRequest, request.clip, error.reason)
        }
    }

    private static func windowRequest(
        _ request: ConversionRequest, _ probe: ClipProbe, _ span: PictureSpan, still: MediaTime?
    ) throws -> Window.Request {
        func clipTime(_ time: ClipTime?) throws -> MediaTime? { try time.map { try probe.time($0, in: span) } }
        let settings = request.preset.window
        var window = Window.Request(
            still: try clipTime(settings.still?.time) ?? still, start: try clipTime(settings.start),
            end: try clipTime(settings.end),
            duration: settings.duration, before: settings.before, after: settings.after)
        window.texts = request.requestedTimes
        window.ownStill = probe.reader.stillTime.flatMap { $0 >= .zero && $0 <= span.end ? $0 : nil }
        return window
    }
}

extension ClipTime {
    fileprivate var isClipEnd: Bool { self == .part(ClipPart.all) }
}

extension Preset.Window {
    fileprivate var hasNoTimes: Bool { still == nil && start == nil && end == nil }
}
