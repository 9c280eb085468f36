import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime

/// The opened files of work on a clip, with the part of the clip that is needed.
struct OpenedClip {
    let work: ClipWork
    let reader: ClipReader
    /// How a user's photo is changed: it keeps its shape, unless it is the photo of a Live Photo that is edited.
    let edit: PictureEdit
    let userPhoto: UserPhoto?
    let photoFile: InputFile?
    /// The movie of a Live Photo that is edited.
    let movie: MovieReader?
    let window: Window
    /// Describes the clip in and around the window.
    let clip: ClipDescription
    /// The best stills, if they were looked for: the first one was taken.
    let stillCandidates: [StillCandidate]

    init(_ work: ClipWork, _ files: ConversionFiles, _ cancellation: CancellationFlag) throws {
        self.work = work
        let settings = work.preset
        let edit = PictureEdit(
            framing: work.isEdit ? settings.picture.framing : Framing(), adjustments: settings.adjustments,
            colorTable: try files.colorTable.map { file throws(LivePhotoError) in try CubeFile.table(in: file) })
        self.edit = edit
        photoFile = files.photo
        userPhoto = try files.photo.map { try UserPhoto($0, for: work, edit: edit) }
        reader = try ClipReader(files.clip, cancellation)
        let probe = ClipProbe(reader: reader, threads: work.decodingThreads(ofClip: reader.video.codecName))
        var span = try probe.pictureSpan()
        // The complete clip is requested, up to the end of its last picture.
        if settings.window.end?.isClipEnd == true, let end = reader.endOfShownPictures, end > span.start {
            span = PictureSpan(start: span.start, end: end)
        }
        let stills = try Self.stills(work, probe, span)
        stillCandidates = stills?.suggestions(5) ?? work.stillCandidates
        // The frame that is shown at the start of the place may begin before it.
        let best = stills.flatMap { stills in stills.best.map { max($0.time, stills.place.start) } }
        (window, clip) = try Self.part(work, probe, span, still: best)
        movie = work.isEdit ? try? MovieReader(files.clip) : nil
        try check()
    }

    private func check() throws(LivePhotoError) {
        if let end = clip.shownUntil, window.start >= end {
            throw LivePhotoError(
                .invalidRequest, work.clip,
                "there are no pictures from \(window.start) on, because they end at \(end)"
                    + (clip.damage == nil ? "" : ", where the clip is damaged or cut off") + "; write an earlier time")
        }
        if work.preset.audio.mode == .keep, reader.hasEncryptedSound {
            throw LivePhotoError(
                .unusableMedia, work.clip, "its sound is encrypted; leave the sound out (--no-audio)")
        }
        if !work.isEdit, let photo = work.photo, work.preset.motion.effect == .longExposure {
            throw LivePhotoError(
                .invalidRequest, work.clip,
                "cannot have both \(photo) and the mean of its frames as the key photo; leave out --photo or --effect "
                    + "long-exposure")
        }
        if work.isEdit, let still = window.outsideOwnStill {
            throw LivePhotoError(
                .invalidRequest, work.clip,
                "its still time, \(still), is outside the part from \(window.start) to \(window.end); give another one "
                    + "with --still")
        }
    }

    /// - Parameter still: the best still, if that is requested.
    private static func part(
        _ work: ClipWork, _ probe: ClipProbe, _ span: PictureSpan, still: MediaTime?
    ) throws -> (Window, ClipDescription) {
        let window = try probe.resolved(work, in: span, still: still, Window.init)
        let clip = try probe.describe(window, span: span)
        // A truncated clip still declares its full length, and the sound may be longer than the picture. Without a requested
        // time, the still is the middle of the part that exists, and the movie does not end in a frozen frame.
        guard work.preset.window.hasNoTimes, let end = clip.endOfPicture, let shownUntil = clip.shownUntil,
            end <= window.still || window.end - shownUntil > longestFreeze
        else { return (window, clip) }
        let shown = PictureSpan(start: span.start, end: end)
        let shorter = try probe.resolved(work, in: shown, still: still, Window.init)
        var rest = try probe.describe(shorter, span: shown)
        // The new window may end before the damage.
        rest.damage = rest.damage ?? clip.damage
        // A still time that follows from `before` or `after` may be the end of the picture.
        let isMiddle = still == nil && shorter.still == shown.start + (shown.end - shown.start).halved
        if rest.damage == nil, isMiddle || span.end - end > probe.reader.nominalFrameDuration {
            rest.pictureWarnings.append(
                "the clip's picture ends at \(end), though the clip lasts \(span.end)"
                    + (isMiddle ? "; the middle of the picture is the photo" : ""))
        }
        return (shorter, rest)
    }

    /// How long the default movie may show the clip's last frame after its end.
    private static let longestFreeze = MediaTime(value: 1, timescale: 2)

    /// The frames that are compared for the best still; nil if another one is requested.
    private static func stills(
        _ work: ClipWork, _ probe: ClipProbe, _ span: PictureSpan
    ) throws -> StillScoring? {
        guard work.preset.window.still == .best else { return nil }
        let place = try probe.resolved(work, in: span, StillPlace.init)
        var reading = StillReading(
            reader: probe.reader, span: span, place: place, settings: work.preset,
            threads: work.processingThreads, measuresAll: false)
        return StillScoring(
            try reading.samples(), in: reading.place, prefersCalm: work.preset.video.writesLivePhotoInfo)
    }
}

extension ClipTime {
    fileprivate var isClipEnd: Bool { self == .part(ClipPart.all) }
}

extension Preset.Window {
    fileprivate var hasNoTimes: Bool { still?.time == nil && start == nil && end == nil }
}
