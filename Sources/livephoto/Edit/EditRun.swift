import LivePhotoKit
import LivePhotoRequests

/// What `edit` was asked to do.
struct EditArguments: Sendable {
    let recipe: EditRecipe
    let identity: LivePhotoEdits.Identity
    let date: RequestedDate?
    let pairs: [PairPaths]
    let destination: LivePhotoLinker.Destination
    /// Of both copies; nil for the photo's.
    let name: String?
    /// Whether HEICs stay ones if their pictures change.
    let keepsHEIC: Bool
}

/// Edits the pairs given to `edit` without encoding, and prints a result for each.
struct EditRun: Sendable {
    let arguments: EditArguments
    let isDryRun: Bool
    let json: Bool
    let progress: ProgressOptions

    private var pairs: [PairPaths] { arguments.pairs }
    private var destination: LivePhotoLinker.Destination { arguments.destination }

    /// - Returns: whether all pairs were edited.
    /// - Throws: `Cancelled` if the task was cancelled; the error of a single pair.
    func run() throws -> Bool {
        let bar = ProgressDisplay("editing", progress.form)
        defer { bar.clear() }
        let journals = EditJournals()
        var claims = PairTransfer.Claims()
        var (done, failed) = (0, 0)
        for (index, pair) in pairs.enumerated() {
            do throws(LivePhotoError) {
                if Task.isCancelled { throw LivePhotoError(.cancelled, nil, "cancelled") }
                try edit(pair, journals, &claims, bar)
                done += 1
            } catch {
                bar.clear()
                if error.code == .cancelled {
                    let made = isDryRun || done == 0 ? "nothing was written" : "\(counted(done, "pair")) edited"
                    throw Cancelled(note: made)
                }
                guard pairs.count > 1 else { throw error }
                failed += 1
                if json { try Terminal.print(JSON.text(EditDocument(pair, error))) }
                Terminal.say(Failure.sentence(error, ofSeveral: true))
            }
            if pairs.count > 1 { bar.show(index + 1, of: pairs.count, "pair") }
        }
        bar.clear()
        if pairs.count > 1 {
            let failures = failed == 0 ? "" : ", \(failed) failed"
            progress.say("\(counted(done, "pair")) \(isDryRun ? "would be edited" : "edited")\(failures)")
        }
        return failed == 0
    }

    private func edit(
        _ pair: PairPaths, _ journals: EditJournals, _ claims: inout PairTransfer.Claims, _ bar: ProgressDisplay
    ) throws(LivePhotoError) {
        var edits = LivePhotoEdits()
        edits.identity = arguments.identity
        edits.removesSound = arguments.recipe.removesSound
        try edits.set(EditTimes(arguments.recipe), of: pair.movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(arguments.date, ofFile: pair.photo)?.date
        var copy: FilePath?
        if case .directory(let directory, _) = destination, let base = pair.photo.lastComponent?.base {
            let place = arguments.name.map { directory.appending($0) } ?? directory.appending(base)
            try claims.claim(place, for: pair.photo)
            copy = place
        }
        do {
            if isDryRun {
                try showPlan(of: pair, edits, adjustments(of: pair, beside: copy), bar)
            } else {
                try make(pair, edits, adjustments(of: pair, beside: copy), journals, bar)
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.internalError, pair.photo, "\(error)", cause: error)
        }
    }

    /// The file with the settings of the edit; nil if there are none.
    ///
    /// - Parameter copy: the files of a copy, without extension; nil in place.
    private func adjustments(of pair: PairPaths, beside copy: FilePath?) -> AdjustmentData? {
        guard !arguments.recipe.isEmpty else { return nil }
        var photo = pair.photo
        if let copy, let base = copy.lastComponent {
            photo = copy.removingLastComponent().appending(base.appending(".JPG"))
        }
        return arguments.recipe.adjustmentData(beside: photo, of: [pair.photo, pair.movie])
    }

    private func make(
        _ pair: PairPaths, _ edits: LivePhotoEdits, _ adjustments: AdjustmentData?, _ journals: EditJournals,
        _ bar: ProgressDisplay
    ) throws {
        var replacing = false
        let editor = LivePhotoEditor()
        do throws(LivePhotoError) {
            if case .directory(_, let replacesExisting) = destination {
                replacing = replacesExisting
                try adjustments?.check(replacing: replacing)
            }
        } catch {
            // An error of the pair itself comes first.
            _ = try editor.plan(edits, photo: pair.photo, movie: pair.movie, name: arguments.name, to: destination)
            throw error
        }
        let result = try editor.edit(
            edits, photo: pair.photo, movie: pair.movie, name: arguments.name, to: destination, journals)
        let problem = adjustments?.stored(
            with: result.livePhoto, noting: destination == .inPlace ? journals : nil, replacing: replacing)
        bar.clear()
        if let problem { progress.say("warning: \(problem)") }
        if json {
            return try Terminal.print(JSON.text(EditDocument(result, problem == nil ? adjustments?.path : nil)))
        }
        for note in result.plan.notes { progress.say("note: \(note)") }
        try Terminal.print(lines: [result.livePhoto.photo.string, result.livePhoto.movie.string])
    }

    private func showPlan(
        of pair: PairPaths, _ edits: LivePhotoEdits, _ adjustments: AdjustmentData?, _ bar: ProgressDisplay
    ) throws {
        var plan: LivePhotoEditor.Plan?
        try DryRun.show(to: destination) { files in
            bar.clear()
            guard json else { return files.map(\.string).joined(separator: "\n") }
            return try plan.map { try JSON.text(EditDocument($0)) } ?? ""
        } checking: { destination in
            let made = try LivePhotoEditor().plan(
                edits, photo: pair.photo, movie: pair.movie, name: arguments.name, to: destination)
            plan = made
            if case .directory(_, let replacing) = destination { try adjustments?.check(replacing: replacing) }
            return made.files
        }
        guard !json, let plan else { return }
        for note in plan.notes { progress.say("note: \(note)") }
        Terminal.say("would be edited \(plan.words)")
    }
}

extension LivePhotoEditor.Plan {
    /// `without re-encoding, as no change needs new pixels or new sound: keeps 0 s to 2 s, the still time is 1.2 s`
    fileprivate var words: String {
        let way =
            switch way {
            case .lossless: "without re-encoding"
            }
        var parts = ["keeps \(start) to \(end) of the movie", "the still time is \(stillTime)"]
        if removesSound { parts.append("the sound is removed") }
        return "\(way), as \(reason): \(parts.joined(separator: ", "))"
    }
}
