import FFmpegKit
import LivePhotoKit

/// An opened clip, and the plan made for it.
struct ConversionPreparation {
    let reader: ClipReader
    let userPhoto: UserPhoto?
    let plan: ConversionPlan

    /// - Parameter shape: the shape of the clip's picture at the still, if it is known already.
    init(
        _ request: ConversionRequest, _ files: ConversionFiles, _ cancellation: CancellationFlag,
        shape: PictureShape? = nil
    ) throws {
        let settings = request.preset
        userPhoto = try files.photo.map { try UserPhoto($0) }
        reader = try ClipReader(files.clip, cancellation)
        let probe = ClipProbe(reader: reader)
        let span = try probe.pictureSpan()
        var window = try Self.window(settings.window, of: request.clip, probe, span)
        var clip = try probe.describe(window, span: span, shape: shape)
        // A clip that was truncated still declares its whole length. Without an explicit time, the still is the middle
        // of the part that exists, not its last frame.
        if settings.window.asksForNoMoment, let end = clip.endOfPicture, end <= window.still {
            let (claimed, damage) = (span.end, clip.damage)
            let span = PictureSpan(start: span.start, end: end)
            window = try Self.window(settings.window, of: request.clip, probe, span)
            clip = try probe.describe(window, span: span, shape: shape)
            // The window in the middle need not reach it.
            clip.damage = clip.damage ?? damage
            if clip.damage == nil {
                clip.pictureWarnings.append(
                    "the clip's picture ends at \(end), though the clip lasts \(claimed); the middle of the picture is the"
                        + " photo")
            }
        }
        if settings.audio.mode == .keep, reader.hasEncryptedSound {
            throw LivePhotoError(
                .unusableMedia, request.clip, "its sound is encrypted; leave the sound out (--no-audio)")
        }
        plan = try ConversionPlan(
            request, settings: settings, clip: clip, window: window, userPhoto: userPhoto?.description)
    }

    private static func window(
        _ wanted: Preset.Window, of clip: FilePath, _ probe: ClipProbe, _ span: PictureSpan
    ) throws -> Window {
        func clipTime(_ time: ClipTime?) throws -> MediaTime? {
            switch time {
            case nil: nil
            case .seconds(let time): time
            case .part(let part): span.start + part.of(span.end - span.start)
            case .frame(let number): try probe.time(ofFrame: number)
            }
        }
        let request = Window.Request(
            still: try clipTime(wanted.still), start: try clipTime(wanted.start), end: try clipTime(wanted.end),
            duration: wanted.duration, before: wanted.before, after: wanted.after)
        do {
            return try Window(request, span)
        } catch {
            throw LivePhotoError(.invalidRequest, clip, error.reason)
        }
    }
}

extension Preset.Window {
    fileprivate var asksForNoMoment: Bool { still == nil && start == nil && end == nil }
}
