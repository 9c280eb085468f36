import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// Decodes the pairs given to `edit`, changes their pictures and sound, and encodes them again.
struct EncodedEditRun: Sendable {
    let arguments: EditArguments
    let run: ConvertRun

    /// - Returns: whether all pairs were edited.
    /// - Throws: the error of a single pair; `Cancelled`.
    func run() async throws -> Bool {
        let journals = arguments.destination == .inPlace ? EditJournals() : nil
        defer { journals?.close() }
        var clips: [ClipArguments.Clip] = []
        var unreadable: [ClipArguments.Unreadable] = []
        var opened: [EditInput] = []
        defer { for input in opened { input.discard() } }
        for source in arguments.sources {
            do throws(LivePhotoError) {
                let input = try EditInput(source, arguments)
                opened.append(input)
                clips.append(.init(name: source.photo.string, request: try input.request.conversion(journals)))
            } catch {
                guard arguments.sources.count > 1 else { throw error }
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
