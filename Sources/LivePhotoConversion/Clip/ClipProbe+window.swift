import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

extension ClipProbe {
    /// What follows from the times that work requests.
    ///
    /// - Parameters:
    ///   - still: the best still, if that is requested.
    ///   - make: makes a `Window` or a `StillPlace`.
    /// - Throws: `LivePhotoError` for times that do not fit together or into the clip.
    func resolved<Result>(
        _ work: ClipWork, in span: PictureSpan, still: MediaTime? = nil,
        _ make: (Window.Request, PictureSpan) throws(WindowError) -> Result
    ) throws -> Result {
        func clipTime(_ time: ClipTime?) throws -> MediaTime? { try time.map { try self.time($0, in: span) } }
        let settings = work.preset.window
        var window = Window.Request(
            still: try clipTime(settings.still?.time) ?? still, start: try clipTime(settings.start),
            end: try clipTime(settings.end), duration: settings.duration, before: settings.before, after: settings.after
        )
        window.texts = work.requestedTimes
        window.ownStill = reader.stillTime.flatMap { $0 >= .zero && $0 <= span.end ? $0 : nil }
        do {
            return try make(window, span)
        } catch {
            throw LivePhotoError(.invalidRequest, work.clip, error.reason)
        }
    }
}
