import LivePhotoKit
import LivePhotoRequests

/// Edits the pairs given to `edit` without encoding, and prints a result for each.
struct EditRun: Sendable {
    let sources: [LivePhotoSource]
    let settings: EditSettings
    let isDryRun: Bool
    let json: Bool
    let progress: ProgressOptions

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
                try ItemTime.item { () throws(LivePhotoError) in try edit(source, journals, &claims) }
                done += 1
            } catch {
                if error.code == .cancelled {
                    let made = isDryRun || done == 0 ? "nothing was written" : "\(counted(done, "pair")) edited"
                    throw Cancelled(note: made)
                }
                guard sources.count > 1 else { throw error }
                failed += 1
                if json { Terminal.printResult(try JSON.text(EditDocument(source, error))) }
                Terminal.say(error: error, ofSeveral: true)
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
        _ source: LivePhotoSource, _ journals: EditJournals, _ claims: inout PairTransfer.Claims
    ) throws(LivePhotoError) {
        let input = try EditInput(source, settings)
        defer { input.discard() }
        do {
            let request = input.request
            if let folder = settings.folder, let name = settings.name ?? request.photo.stem {
                try claims.claim(folder.appending(name), for: source.photo)
            }
            try isDryRun ? showPlan(of: request) : make(request, journals)
        } catch {
            throw input.named(
                error as? LivePhotoError ?? LivePhotoError(.internalError, source.photo, "\(error)", cause: error))
        }
    }

    private func make(_ request: EditRequest, _ journals: EditJournals) throws {
        let (result, adjustments, warning) = try request.edit(journals)
        if let warning { progress.say("warning: \(warning)") }
        if json { return Terminal.printResult(try JSON.text(EditDocument(result, adjustments))) }
        for note in result.plan.allNotes { progress.say("note: \(note)") }
        Terminal.printResult(lines: [result.livePhoto.photo.string, result.livePhoto.movie.string])
    }

    private func showPlan(of request: EditRequest) throws {
        var plan: LivePhotoEditor.Plan?
        try DryRun.show(to: settings.destination) { files in
            guard json else { return files.map(\.string).joined(separator: "\n") }
            return try plan.map { try JSON.text(EditDocument($0)) } ?? ""
        } checking: { destination in
            let made = try request.plan(to: destination)
            plan = made
            return made.files
        }
        guard !json, let plan else { return }
        for note in plan.allNotes { progress.say("note: \(note)") }
        Terminal.say("would be edited \(plan.words)")
    }
}

extension LivePhotoEditor.Plan {
    /// The notes, and the options for what many expect of another still time or start.
    fileprivate var allNotes: [String] {
        notes + (movesStill ? ["--new-key-photo gives the photo the picture of the new still time"] : [])
            + (startsEarly ? ["--exact begins at the time itself, and encodes the movie again for that"] : [])
    }

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
