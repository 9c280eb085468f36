package import LivePhotoKit
package import SystemPackage

/// A Live Photo to edit, what is changed, and where the edited pair goes.
package struct EditRequest: Sendable {
    package let photo: FilePath
    package let movie: FilePath
    /// What contains the Live Photo, if `photo` and `movie` are temporary copies.
    package var container: FilePath?
    package var recipe: EditRecipe
    package var identity = LivePhotoEdits.Identity.automatic
    /// Nil keeps the dates of the files.
    package var captureDate: RequestedDate?
    /// Of copies, without extension; nil for the photo's.
    package var name: String?
    package var destination: LivePhotoLinker.Destination
    /// Whether a HEIC stays one if its picture changes.
    package var keepsHEIC = false
    /// The identifier that both files have, if they have been read already.
    package var ownIdentifier: ContentIdentifier?

    package init(_ pair: PairPaths, _ recipe: EditRecipe, to destination: LivePhotoLinker.Destination) {
        (photo, movie, self.recipe, self.destination) = (pair.photo, pair.movie, recipe, destination)
    }
}

extension EditRequest {
    /// The identifier that the pair is given; nil if it follows from the pair or is new.
    package var requestedIdentifier: ContentIdentifier? {
        if case .set(let identifier) = identity { identifier } else { nil }
    }

    private var replacesExisting: Bool {
        if case .directory(_, let replacesExisting) = destination { replacesExisting } else { false }
    }

    /// The edit as a conversion, which decodes the movie or the photo.
    ///
    /// - Parameter journals: those for an edit in place; nil for copies.
    /// - Throws: `LivePhotoError` if the files are no Live Photo, or for a recipe with values that were not checked.
    package func conversion(_ journals: EditJournals? = nil) throws(LivePhotoError) -> ConversionRequest {
        let own =
            if let ownIdentifier { ownIdentifier } else { try LivePhoto(photo: photo, movie: movie).contentIdentifier }
        var folder = photo.folder
        if case .directory(let directory, _) = destination { folder = directory }
        var request = ConversionRequest(editing: photo, movie, outputDirectory: folder)
        try request.apply(recipe)
        request.name = name ?? request.name
        request.contentIdentifier =
            switch identity {
            case .automatic: destination == .inPlace ? own : nil
            case .kept: own
            case .set(let identifier): identifier
            }
        (request.container, request.journals) = (container, journals)
        (request.captureDate, request.replacesExisting) = (captureDate, replacesExisting)
        request.work.edit?.keepsHEIC = keepsHEIC
        return request
    }

    /// The changes of an edit that encodes nothing.
    private func edits() throws(LivePhotoError) -> LivePhotoEdits {
        var edits = LivePhotoEdits()
        edits.identity = identity
        edits.removesSound = recipe.removesSound
        try edits.set(EditTimes(recipe), of: movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(captureDate, ofFile: photo)?.date
        return edits
    }

    /// Checks an edit that encodes nothing before anything is written.
    ///
    /// - Parameter destination: nil for the one of the request.
    /// - Throws: `LivePhotoError`.
    package func plan(
        to destination: LivePhotoLinker.Destination? = nil
    ) throws(LivePhotoError) -> LivePhotoEditor.Plan {
        let destination = destination ?? self.destination
        let plan = try LivePhotoEditor().plan(edits(), photo: photo, movie: movie, name: name, to: destination)
        if case .directory(_, let replacing) = destination {
            if let container { try Publisher.check(plan.files, inputs: [container], replacing: replacing) }
            try adjustments(beside: plan.files[0])?.check(replacing: replacing)
        }
        return plan
    }

    /// Edits without encoding, and stores the recipe beside the edited pair.
    ///
    /// - Parameter journals: those for an edit in place.
    /// - Returns: also the file with the recipe, if it was stored, and a sentence if it could not be.
    /// - Throws: `LivePhotoError`.
    package func edit(
        _ journals: EditJournals = EditJournals()
    ) throws(LivePhotoError) -> (LivePhotoEditor.Result, adjustments: FilePath?, warning: String?) {
        // The editor checks everything else, except what contains its files. An error of the pair itself comes first.
        if destination != .inPlace, container != nil || !canStoreRecipe { _ = try plan() }
        let result = try LivePhotoEditor().edit(
            edits(), photo: photo, movie: movie, name: name, to: destination, journals)
        let adjustments = adjustments(beside: result.livePhoto.photo)
        let warning = adjustments?.stored(
            with: result.livePhoto, noting: destination == .inPlace ? journals : nil, replacing: replacesExisting)
        return (result, warning == nil ? adjustments?.path : nil, warning)
    }

    private var canStoreRecipe: Bool {
        guard case .directory(let folder, let replacing) = destination, let stem = name ?? photo.stem,
            let file = adjustments(beside: folder.appending(stem + ".JPG"))
        else { return true }
        return (try? file.check(replacing: replacing)) != nil
    }

    /// The file that stores the recipe; nil for a recipe without changes.
    ///
    /// - Parameter result: the photo of the edited pair.
    package func adjustments(beside result: FilePath) -> AdjustmentData? {
        guard !recipe.isEmpty else { return nil }
        return recipe.adjustmentData(beside: result, of: container.map { [$0] } ?? [photo, movie])
    }
}
