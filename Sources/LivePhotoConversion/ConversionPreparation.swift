import FFmpegKit
import LivePhotoKit

/// A clip opened and looked at, and the plan for it.
struct ConversionPreparation {
    let reader: ClipReader
    let plan: ConversionPlan

    init(_ request: ConversionRequest, _ cancellation: CancellationFlag) throws {
        let preset = try request.preset ?? PresetLibrary().preset(named: PresetLibrary.defaultName)
        reader = try ClipReader(request.clip, cancellation)
        let probe = ClipProbe(reader: reader)
        let duration = try probe.duration()
        func clipTime(_ time: ClipTime?) throws -> MediaTime? {
            switch time {
            case nil: nil
            case .seconds(let time): time
            case .part(let part): part.of(duration)
            case .frame(let number): try probe.time(ofFrame: number)
            }
        }
        let wish = Window.Wish(
            still: try clipTime(request.still), start: try clipTime(request.start), end: try clipTime(request.end),
            duration: request.duration, before: request.before ?? preset.window.before,
            after: request.after ?? preset.window.after)
        let window: Window
        do {
            window = try Window(wish, clipDuration: duration)
        } catch {
            throw ConversionError(.invalidRequest, request.clip, error.reason)
        }
        let clip = try probe.describe(window, duration: duration)
        plan = try ConversionPlan(request, preset: preset, clip: clip, window: window)
    }
}
