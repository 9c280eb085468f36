import LivePhotoKit
import LivePhotoRequests

/// What `edit` was asked to do.
struct EditArguments: Sendable {
    let recipe: EditRecipe
    let identity: LivePhotoEdits.Identity
    let date: RequestedDate?
    let sources: [LivePhotoSource]
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

    private var sources: [LivePhotoSource] { arguments.sources }
    private var destination: LivePhotoLinker.Destination { arguments.destination }

    /// - Returns: whether all pairs were edited.
    /// - Throws: `Cancelled` if the task was cancelled; the error of a single pair.
    func run() throws -> Bool {
        let bar = ProgressDisplay("editing", progress.form)
        defer { bar.clear() }
        let journals = EditJournals()
        var claims = PairTransfer.Claims()
        var (done, failed) = (0, 0)
        for (index, source) in sources.enumerated() {
            do throws(LivePhotoError) {
                if Task.isCancelled { throw LivePhotoError(.cancelled, nil, "cancelled") }
                try ItemTime.item { () throws(LivePhotoError) in try edit(source, journals, &claims, bar) }
                done += 1
            } catch {
                bar.clear()
                if error.code == .cancelled {
                    let made = isDryRun || done == 0 ? "nothing was written" : "\(counted(done, "pair")) edited"
                    throw Cancelled(note: made)
                }
                guard sources.count > 1 else { throw error }
                failed += 1
                if json { Terminal.printResult(try JSON.text(EditDocument(source, error))) }
                Terminal.say(Failure.sentence(error, ofSeveral: true))
            }
            if sources.count > 1 { bar.show(index + 1, of: sources.count, "pair") }
        }
        bar.clear()
        if sources.count > 1 {
            let failures = failed == 0 ? "" : ", \(failed) failed"
            progress.say("\(counted(done, "pair")) \(isDryRun ? "would be edited" : "edited")\(failures)")
        }
        return failed == 0
    }

    private func edit(
        _ source: LivePhotoSource, _ journals: EditJournals, _ claims: inout PairTransfer.Claims, _ bar: ProgressDisplay
    ) throws(LivePhotoError) {
        var directory: FilePath = "."
        if case .directory(let path, _) = destination { directory = path }
        let input = try EditInput(source, to: directory)
        defer { input.discard() }
        do throws(LivePhotoError) {
            try edit(input, claiming: source, journals, &claims, bar)
        } catch {
            throw input.named(error)
        }
    }

    private func edit(
        _ input: EditInput, claiming source: LivePhotoSource, _ journals: EditJournals,
        _ claims: inout PairTransfer.Claims, _ bar: ProgressDisplay
    ) throws(LivePhotoError) {
        let pair = input.pair
        var edits = LivePhotoEdits()
        edits.identity = arguments.identity
        edits.removesSound = arguments.recipe.removesSound
        try edits.set(EditTimes(arguments.recipe), of: pair.movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(arguments.date, ofFile: pair.photo)?.date
        var copy: FilePath?
        if case .directory(let directory, _) = destination, let base = pair.photo.lastComponent?.base {
            let place = arguments.name.map { directory.appending($0) } ?? directory.appending(base)
            try claims.claim(place, for: source.photo)
            copy = place
        }
        do {
            if isDryRun {
                try showPlan(of: input, edits, adjustments(of: input, beside: copy), bar)
            } else {
                try make(input, edits, adjustments(of: input, beside: copy), journals, bar)
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.internalError, source.photo, "\(error)", cause: error)
        }
    }

    /// The file with the settings of the edit; nil if there are none.
    ///
    /// - Parameter copy: the files of a copy, without extension; nil in place.
    private func adjustments(of input: EditInput, beside copy: FilePath?) -> AdjustmentData? {
        guard !arguments.recipe.isEmpty else { return nil }
        var photo = input.pair.photo
        if let copy, let base = copy.lastComponent {
            photo = copy.removingLastComponent().appending(base.appending(".JPG"))
        }
        return arguments.recipe.adjustmentData(beside: photo, of: input.names)
    }

    private func make(
        _ input: EditInput, _ edits: LivePhotoEdits, _ adjustments: AdjustmentData?, _ journals: EditJournals,
        _ bar: ProgressDisplay
    ) throws {
        var replacing = false
        if case .directory(_, let replacesExisting) = destination {
            replacing = replacesExisting
            // `edit` checks everything else, except what contains its files. An error of the pair itself comes first.
            if input.container != nil || !isFree(adjustments, replacing: replacing) {
                _ = try plan(of: input, edits, adjustments, to: destination)
            }
        }
        let pair = input.pair
        let result = try LivePhotoEditor().edit(
            edits, photo: pair.photo, movie: pair.movie, name: arguments.name, to: destination, journals)
        let problem = adjustments?.stored(
            with: result.livePhoto, noting: destination == .inPlace ? journals : nil, replacing: replacing)
        bar.clear()
        if let problem { progress.say("warning: \(problem)") }
        if json {
            return Terminal.printResult(
                try JSON.text(EditDocument(result, problem == nil ? adjustments?.path : nil)))
        }
        for note in result.plan.notes { progress.say("note: \(note)") }
        Terminal.printResult(lines: [result.livePhoto.photo.string, result.livePhoto.movie.string])
    }

    private func isFree(_ adjustments: AdjustmentData?, replacing: Bool) -> Bool {
        do throws(LivePhotoError) {
            try adjustments?.check(replacing: replacing)
            return true
        } catch {
            return false
        }
    }

    /// Checks everything before anything is written.
    private func plan(
        of input: EditInput, _ edits: LivePhotoEdits, _ adjustments: AdjustmentData?,
        to destination: LivePhotoLinker.Destination
    ) throws -> LivePhotoEditor.Plan {
        let plan = try LivePhotoEditor().plan(
            edits, photo: input.pair.photo, movie: input.pair.movie, name: arguments.name, to: destination)
        if case .directory(_, let replacing) = destination {
            if let container = input.container {
                try Publisher.check(plan.files, inputs: [container], replacing: replacing)
            }
            try adjustments?.check(replacing: replacing)
        }
        return plan
    }

    private func showPlan(
        of input: EditInput, _ edits: LivePhotoEdits, _ adjustments: AdjustmentData?, _ bar: ProgressDisplay
    ) throws {
        var plan: LivePhotoEditor.Plan?
        try DryRun.show(to: destination) { files in
            bar.clear()
            guard json else { return files.map(\.string).joined(separator: "\n") }
            return try plan.map { try JSON.text(EditDocument($0)) } ?? ""
        } checking: { destination in
            let made = try self.plan(of: input, edits, adjustments, to: destination)
            plan = made
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
