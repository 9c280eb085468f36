import LivePhotoKit
import LivePhotoRequests

/// A Live Photo to edit.
struct EditRequest: Sendable {
    /// Its photo or movie; with `photo`, its movie.
    var input: FilePath
    /// Its photo, if the names of both files differ.
    let photo: FilePath?
    let recipe: EditRecipe
    var contentIdentifier: ContentIdentifier?
    /// Nil keeps the dates of the files.
    let captureDate: RequestedDate?
    let name: String
    let outputDirectory: FilePath
    var replacesExisting = false
    /// Whether a HEIC stays one if its picture changes.
    var keepsHEIC = false

    /// - Parameters:
    ///   - job: the job's options with resolved paths, a name and the recipe.
    ///   - directory: the folder of the edited pair.
    init(_ job: YAMLMapping<JobKey>, to directory: FilePath) throws(LivePhotoError) {
        input = FilePath(try job.required(.input).line())
        photo = try job.text(.photo).map { FilePath($0) }
        recipe = try EditRecipe(job.required(.edit))
        contentIdentifier = try job[.contentIdentifier]?.option()
        captureDate = try job[.date]?.option()
        name = try job.required(.name).line()
        outputDirectory = directory
    }

    /// Both files.
    ///
    /// - Throws: `LivePhotoError` if one is missing, or they are no Live Photo.
    func livePhoto() throws(LivePhotoError) -> LivePhoto {
        let pair: PairPaths
        if let photo {
            pair = try PairPaths(input, photo)
        } else {
            pair = try PairPaths(besides: input, byIdentifierOnly: true)
        }
        return try LivePhoto(photo: pair.photo, movie: pair.movie)
    }

    /// The edit of a pair for the worker.
    func conversion(of pair: LivePhoto) throws(LivePhotoError) -> ConversionRequest {
        var request = ConversionRequest(editing: pair.photo, pair.movie, outputDirectory: outputDirectory)
        try request.apply(recipe)
        request.name = name
        request.contentIdentifier = contentIdentifier
        request.captureDate = captureDate
        request.replacesExisting = replacesExisting
        request.work.edit?.keepsHEIC = keepsHEIC
        return request
    }

    /// Edits a pair without encoding.
    ///
    /// - Returns: also a warning if the recipe could not be stored.
    func editOnly(
        _ pair: LivePhoto, beside target: PublishTarget
    ) throws(LivePhotoError) -> (LivePhotoEditor.Result, warning: String?) {
        var edits = LivePhotoEdits()
        edits.removesSound = recipe.removesSound
        try edits.set(EditTimes(recipe), of: pair.movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(captureDate, ofFile: pair.photo)?.date
        if let contentIdentifier { edits.identity = .set(contentIdentifier) }
        let result = try LivePhotoEditor().edit(
            edits, photo: pair.photo, movie: pair.movie, name: name,
            to: .directory(outputDirectory, replacesExisting: replacesExisting))
        let adjustments = adjustments(of: pair, beside: target)
        return (result, adjustments.stored(with: result.livePhoto, noting: nil, replacing: replacesExisting))
    }

    /// The file that stores the recipe.
    func adjustments(of pair: LivePhoto, beside target: PublishTarget) -> AdjustmentData {
        recipe.adjustmentData(beside: target.photo, of: [pair.photo, pair.movie])
    }
}
