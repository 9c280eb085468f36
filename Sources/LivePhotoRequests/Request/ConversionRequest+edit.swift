package import LivePhotoKit
package import SystemPackage

extension ConversionRequest {
    /// An edit of a Live Photo: all frames of its movie at their times and in full size, and its photo.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - outputDirectory: the folder of the edited pair.
    package init(editing photo: FilePath, _ movie: FilePath, outputDirectory: FilePath) {
        self.init(clip: movie, outputDirectory: outputDirectory, preset: .wholeMovie)
        work.product = .edit(EditWork())
        work.photo = photo
        name = photo.lastComponent?.stem
    }

    /// Sets what the edit changes.
    ///
    /// - Parameter recipe: with values that were checked.
    /// - Throws: `LivePhotoError`.
    package mutating func apply(_ recipe: EditRecipe) throws(LivePhotoError) {
        (preset, work.requestedTimes) = try recipe.applied(to: preset) { setting, message in
            LivePhotoError(.invalidValue, nil, "\(setting.jobKey ?? setting.key): \(message)")
        }
        work.edit?.makesNewKeyPhoto = recipe.makesNewKeyPhoto
        work.edit?.startsExactly = recipe.startsExactly
        work.edit?.requestedCoding = Set(Setting.coding.filter { recipe[$0] != nil }.map(\.path))
        self.recipe = recipe
    }

    /// The request with an identifier and everything that is read from outside of the clip's pictures and sound: its
    /// `outsideMetadata`, and what becomes of a movie that an edit keeps.
    ///
    /// - Throws: `LivePhotoError`.
    package func prepared() throws(LivePhotoError) -> ConversionRequest {
        var request = try withOutsideMetadata()
        request.contentIdentifier = contentIdentifier ?? ContentIdentifier()
        guard let edit = work.edit, !work.keepsMovie, try changesOnlyPhoto(),
            let plan = try request.editedMovie()?.plan, !(edit.startsExactly && plan.startsEarly)
        else { return request }
        request.work.edit?.keptMovieNotes = plan.notes
        // A movie that is not encoded begins with a key frame, perhaps before the requested time.
        request.preset.window.start = .seconds(plan.start)
        request.preset.window.end = plan.end < (try MovieMoments(of: clip)).end ? .seconds(plan.end) : .part(.all)
        request.preset.window.duration = nil
        if request.work.requestedTimes.removeValue(forKey: Setting.duration.key) != nil {
            request.work.requestedTimes[Setting.start.key] = "\(plan.start)"
            request.work.requestedTimes[Setting.end.key] = "\(plan.end)"
        }
        return request
    }

    /// The search for the best still of an edit that keeps the movie: what is cut from the movie depends on the still time. Nil if
    /// no search is needed.
    ///
    /// - Throws: `LivePhotoError`.
    func stillSearch() throws(LivePhotoError) -> ClipWork? {
        guard preset.window.still == .best, work.isEdit, try changesOnlyPhoto() else { return nil }
        var search = ClipWork(clip, preset, to: outputDirectory, .media)
        (search.requestedTimes, search.threads) = (work.requestedTimes, threads)
        search.preset.audio.mode = .discard
        search.preset.motion = Motion()
        return search
    }

    /// The movie of an edit that keeps its pictures and sound; nil if there is no photo.
    ///
    /// - Throws: `LivePhotoError` for a pair or times that cannot be used.
    package func editedMovie() throws(LivePhotoError) -> EditedMovie? {
        guard let photo else { return nil }
        var edits = LivePhotoEdits()
        edits.removesSound = preset.audio.mode == .discard || preset.audio.volume?.percent == 0
        var times = EditTimes()
        times.still = preset.window.still?.time
        if work.requestedTimes[Setting.start.key] != nil { times.start = preset.window.start }
        if work.requestedTimes[Setting.end.key] != nil { times.end = preset.window.end }
        if work.requestedTimes[Setting.duration.key] != nil { times.duration = preset.window.duration }
        try edits.set(times, of: clip)
        edits.captureDate = work.outsideMetadata?.requestedDate?.date
        if let contentIdentifier { edits.identity = .set(contentIdentifier) }
        edits.replacesPhoto = work.replacesPicture
        return try EditedMovie(edits, photo: photo, movie: clip, isInPlace: journals != nil)
    }

    /// Whether an edit leaves the movie's pictures and sound as they are, except for what it removes.
    fileprivate func changesOnlyPhoto() throws(LivePhotoError) -> Bool {
        let whole = Preset.wholeMovie
        var settings = preset
        settings.window = whole.window
        if settings.motion.effect == .longExposure { settings.motion.effect = nil }
        if settings.motion.isIdentity { settings.motion = whole.motion }
        if settings.adjustments.isIdentity { settings.adjustments = whole.adjustments }
        settings.audio.mode = whole.audio.mode
        if [0, 100].contains(settings.audio.volume?.percent) { settings.audio.volume = nil }
        settings.photo.format = whole.photo.format
        settings.picture.hdr = whole.picture.hdr
        guard let edit = work.edit, !work.isRequested(.videoCodec),
            !work.isRequested(.hdr) || preset.picture.hdr == .keep
        else { return false }
        return !edit.isProcessed && edit.previewSize == nil && settings == whole
    }
}

extension EditRecipe {
    /// Whether it may change the picture of the photo, which is then encoded again.
    package var encodesPhoto: Bool {
        get throws(LivePhotoError) {
            var request = ConversionRequest(editing: "photo", "movie", outputDirectory: ".")
            try request.apply(self)
            return request.work.encodesPhoto || request.work.requestsSDR
        }
    }

    /// The file in which the recipe is stored beside an edited pair.
    ///
    /// - Parameters:
    ///   - photo: the photo of the edited pair.
    ///   - sources: the files that were edited.
    package func adjustmentData(beside photo: FilePath, of sources: [FilePath]) -> AdjustmentData {
        let names = sources.map { $0.lastComponent?.string ?? "" }.joined(separator: " and ")
        return AdjustmentData(
            text: yaml(comments: ["The edit of \(names)." + " " + Self.hint]), beside: photo)
    }

    /// How a recipe file is used, for its first line.
    package static let hint = "Apply it to other pairs: livephoto edit PHOTO --recipe FILE --output DIR"
}
