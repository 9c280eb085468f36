import LivePhotoKit
import LivePhotoRequests

/// A photo and a movie to link as a Live Photo.
struct LinkRequest: Sendable {
    let photo: FilePath
    let movie: FilePath
    let still: ClipTime?
    /// `still` as it is written in the job.
    let stillText: String?
    var contentIdentifier: ContentIdentifier?
    /// Nil keeps the dates of the files.
    var captureDate: RequestedDate?
    let name: String
    let outputDirectory: FilePath
    var replacesExisting = false
    /// Whether a photo and a movie with different content identifiers are linked.
    var joinsDifferentPairs = false

    /// The identifier that both files already have.
    var existingIdentifier: ContentIdentifier? {
        try? LivePhoto(photo: photo, movie: movie).contentIdentifier
    }

    func target() throws(LivePhotoError) -> PublishTarget {
        try PublishTarget(directory: outputDirectory, name: name, photo: PhotoFile.format(photo))
    }

    func link(_ engine: any MediaEngine) async throws -> (LivePhotoLinker.Result, warnings: [String]) {
        var linker = LivePhotoLinker()
        linker.acceptsDifferentPairs = joinsDifferentPairs
        try linker.setDate(captureDate, ofPhoto: photo)
        // Looking for the photo in the movie takes long.
        try await BlockingWork.run { [linker] _ in try linker.checkIdentifiers(photo: photo, movie: movie) }
        var choice = StillChoice(still: still)
        choice.stillText = stillText
        let moment = try await choice.moment(of: photo, in: movie, engine)
        let result = try await BlockingWork.run { [linker] _ in
            try linker.link(
                photo: photo, movie: movie, stillTime: moment.time, contentIdentifier: contentIdentifier, name: name,
                to: .directory(outputDirectory, replacesExisting: replacesExisting))
        }
        guard case .guess(let reason) = moment.source else { return (result, result.warnings) }
        return (result, ["\(reason); the still is at \(moment.time)"] + result.warnings)
    }
}
