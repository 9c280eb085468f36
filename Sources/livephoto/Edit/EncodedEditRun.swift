import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// Decodes the pairs given to `edit`, changes their pictures and sound, and encodes them again.
struct EncodedEditRun: Sendable {
    let sources: [LivePhotoSource]
    let settings: EditSettings
    let run: ConvertRun

    /// - Returns: whether all pairs were edited.
    /// - Throws: the error of a single pair; `Cancelled`.
    func run() async throws -> Bool {
        let journals = settings.destination == .inPlace ? EditJournals() : nil
        defer { journals?.close() }
        var clips: [ClipArguments.Clip] = []
        var unreadable: [ClipArguments.Unreadable] = []
        var opened: [EditInput] = []
        defer { for input in opened { input.discard() } }
        for source in sources {
            do throws(LivePhotoError) {
                let input = try EditInput(source, settings)
                opened.append(input)
                clips.append(.init(name: source.photo.string, request: try input.request.conversion(journals)))
            } catch {
                guard sources.count > 1 else { throw error }
                unreadable.append(.init(name: source.photo.string, error: error))
            }
        }
        var inputs = ClipArguments(clips, unreadable: unreadable)
        do {
            try await run.run(&inputs)
            return true
        } catch is ExitCode {
            return false
        }
    }
}
