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
                var directory: FilePath = "."
                if case .directory(let path, _) = arguments.destination { directory = path }
                let input = try EditInput(source, to: directory)
                opened.append(input)
                clips.append(.init(name: source.photo.string, request: try request(for: input, journals)))
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

    private func request(
        for input: EditInput, _ journals: EditJournals?
    ) throws(LivePhotoError) -> ConversionRequest {
        let pair = input.pair
        let livePhoto = try LivePhoto(photo: pair.photo, movie: pair.movie)
        var request = ConversionRequest(editing: pair.photo, pair.movie, outputDirectory: pair.photo.folder)
        try request.apply(arguments.recipe)
        request.container = input.container
        request.journals = journals
        if case .directory(let directory, let replacesExisting) = arguments.destination {
            (request.outputDirectory, request.replacesExisting) = (directory, replacesExisting)
        }
        request.name = arguments.name ?? request.name
        request.contentIdentifier =
            switch arguments.identity {
            case .automatic: journals == nil ? nil : livePhoto.contentIdentifier
            case .kept: livePhoto.contentIdentifier
            case .set(let identifier): identifier
            }
        request.captureDate = arguments.date
        request.work.edit?.keepsHEIC = arguments.keepsHEIC
        return request
    }
}
