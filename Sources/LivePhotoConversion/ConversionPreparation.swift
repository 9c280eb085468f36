import FFmpegKit
import LivePhotoKit

/// A clip opened and looked at, and the plan for it.
struct ConversionPreparation {
    let reader: ClipReader
    let ownPhoto: OwnPhoto?
    let plan: ConversionPlan

    init(_ request: ConversionRequest, _ cancellation: CancellationFlag) throws {
        let settings = try request.settings
        ownPhoto = try request.photo.map { try OwnPhoto($0) }
        reader = try ClipReader(request.clip, cancellation)
        let probe = ClipProbe(reader: reader)
        let duration = try probe.duration()
        var window = try Self.window(settings.window, of: request.clip, probe, duration: duration)
        var clip = try probe.describe(window, duration: duration)
        // A clip that was cut off while it was copied still claims its whole length. Who asked for no moment of it
        // wants the middle of what is there, not its last frame for three seconds.
        if settings.window.asksForNoMoment, let end = clip.endOfPicture, end <= window.still {
            window = try Self.window(settings.window, of: request.clip, probe, duration: end)
            clip = try probe.describe(window, duration: end)
        }
        plan = try ConversionPlan(
            request, settings: settings, clip: clip, window: window, ownPhoto: ownPhoto?.description)
    }

    private static func window(
        _ wanted: Preset.Window, of clip: FilePath, _ probe: ClipProbe, duration: MediaTime
    ) throws -> Window {
        func clipTime(_ time: ClipTime?) throws -> MediaTime? {
            switch time {
            case nil: nil
            case .seconds(let time): time
            case .part(let part): part.of(duration)
            case .frame(let number): try probe.time(ofFrame: number)
            }
        }
        let wish = Window.Wish(
            still: try clipTime(wanted.still), start: try clipTime(wanted.start), end: try clipTime(wanted.end),
            duration: wanted.duration, before: wanted.before, after: wanted.after)
        do {
            return try Window(wish, clipDuration: duration)
        } catch {
            throw LivePhotoError(.invalidRequest, clip, error.reason)
        }
    }
}

extension Preset.Window {
    fileprivate var asksForNoMoment: Bool { still == nil && start == nil && end == nil }
}
