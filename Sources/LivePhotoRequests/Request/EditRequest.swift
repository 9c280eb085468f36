package import LivePhotoKit
package import SystemPackage

/// What an edit changes, and where the edited pair goes, whichever pair it is.
package struct EditSettings: Sendable {
    package var recipe: EditRecipe
    package var identity = LivePhotoEdits.Identity.automatic
    /// Nil keeps the dates of the files.
    package var captureDate: RequestedDate?
    /// Of copies, without extension; nil for the photo's.
    package var name: String?
    package var destination: LivePhotoLinker.Destination
    /// Whether a HEIC stays one if its picture changes.
    package var keepsHEIC = false

    package init(_ recipe: EditRecipe, to destination: LivePhotoLinker.Destination) {
        (self.recipe, self.destination) = (recipe, destination)
    }

    /// The identifier that the pair is given; nil if it follows from the pair or from what is changed.
    package var requestedIdentifier: ContentIdentifier? {
        if case .set(let identifier) = identity { identifier } else { nil }
    }

    /// The folder of copies; nil in place.
    package var folder: FilePath? {
        if case .directory(let directory, _) = destination { directory } else { nil }
    }

    fileprivate var replacesExisting: Bool {
        if case .directory(_, let replacesExisting) = destination { replacesExisting } else { false }
    }
}

/// A Live Photo to edit.
package struct EditRequest: Sendable {
    package let photo: FilePath
    package let movie: FilePath
    /// What contains the Live Photo, if `photo` and `movie` are temporary copies.
    package var container: FilePath?
    /// The identifier that both files have, if they have been read already.
    package var ownIdentifier: ContentIdentifier?
    package var settings: EditSettings

    package init(_ pair: PairPaths, _ settings: EditSettings) {
        (photo, movie, self.settings) = (pair.photo, pair.movie, settings)
    }
}

extension EditRequest {
    /// The edit as a conversion, which decodes the movie or the photo.
    ///
    /// - Parameter journals: those for an edit in place; nil for copies.
    /// - Throws: `LivePhotoError` if the files are no Live Photo, or for a recipe with values that were not checked.
    package func conversion(_ journals: EditJournals? = nil) throws(LivePhotoError) -> ConversionRequest {
        let own =
            if let ownIdentifier { ownIdentifier } else { try LivePhoto(photo: photo, movie: movie).contentIdentifier }
        var request = ConversionRequest(editing: photo, movie, outputDirectory: settings.folder ?? photo.folder)
        try request.apply(settings.recipe)
        request.name = settings.name ?? request.name
        request.contentIdentifier =
            switch try identity() {
            case .automatic: settings.destination == .inPlace ? own : nil
            case .kept: own
            case .set(let identifier): identifier
            }
        (request.container, request.journals) = (container, journals)
        (request.captureDate, request.replacesExisting) = (settings.captureDate, settings.replacesExisting)
        request.work.edit?.keepsHEIC = settings.keepsHEIC
        return request
    }

    /// The identifier of the edited pair. That of copies follows from the pair and from what is changed, so that the same edit
    /// makes the same files.
    private func identity() throws(LivePhotoError) -> LivePhotoEdits.Identity {
        guard settings.identity == .automatic, settings.destination != .inPlace else { return settings.identity }
        let pair = try ContentIdentifier(ofPhoto: photo, movie: movie, .whole)
        // Copies of one pair that are edited alike are told apart by their names.
        let name = settings.name ?? photo.stem ?? ""
        let changes = [settings.recipe.yaml(comments: []), settings.captureDate?.optionText ?? "", name]
        let key = "livephoto \(ProgramVersion.current) edit \(pair.string)\n\(changes.joined(separator: "\n"))"
        return ContentIdentifier(derivedFrom: key).map { .set($0) } ?? .automatic
    }

    /// The changes of an edit that encodes nothing.
    private func edits() throws(LivePhotoError) -> LivePhotoEdits {
        var edits = LivePhotoEdits()
        edits.identity = try identity()
        edits.removesSound = settings.recipe.removesSound
        try edits.set(EditTimes(settings.recipe), of: movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(settings.captureDate, ofFile: photo)?.date
        return edits
    }

    /// Checks an edit that encodes nothing before anything is written.
    ///
    /// - Parameter destination: nil for the one of the request.
    /// - Throws: `LivePhotoError`.
    package func plan(
        to destination: LivePhotoLinker.Destination? = nil
    ) throws(LivePhotoError) -> LivePhotoEditor.Plan {
        let destination = destination ?? settings.destination
        let plan = try LivePhotoEditor().plan(edits(), photo: photo, movie: movie, name: settings.name, to: destination)
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
        if settings.destination != .inPlace, container != nil || !canStoreRecipe { _ = try plan() }
        let result = try LivePhotoEditor().edit(
            edits(), photo: photo, movie: movie, name: settings.name, to: settings.destination, journals)
        let adjustments = adjustments(beside: result.livePhoto.photo)
        let warning = adjustments?.stored(
            with: result.livePhoto, noting: settings.destination == .inPlace ? journals : nil,
            replacing: settings.replacesExisting)
        return (result, warning == nil ? adjustments?.path : nil, warning)
    }

    private var canStoreRecipe: Bool {
        guard case .directory(let folder, let replacing) = settings.destination, let stem = settings.name ?? photo.stem,
            let file = adjustments(beside: folder.appending(stem + ".JPG"))
        else { return true }
        return (try? file.check(replacing: replacing)) != nil
    }

    /// The file that stores the recipe; nil for a recipe without changes.
    ///
    /// - Parameter result: the photo of the edited pair.
    package func adjustments(beside result: FilePath) -> AdjustmentData? {
        guard !settings.recipe.isEmpty else { return nil }
        return settings.recipe.adjustmentData(beside: result, of: container.map { [$0] } ?? [photo, movie])
    }
}
