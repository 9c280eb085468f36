import LivePhotoKit
import LivePhotoRequests

/// Edits the pairs given to `edit` and prints a result for each.
struct EditRun: Sendable {
    /// Without times and date.
    let edits: LivePhotoEdits
    let times: EditTimes
    let date: RequestedDate?
    let pairs: [PairPaths]
    let destination: LivePhotoLinker.Destination
    /// Of both copies; nil for the photo's.
    let name: String?
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
        var edits = edits
        try edits.set(times, of: pair.movie)
        edits.captureDate = try OutsideMetadata.SourcedDate(date, ofFile: pair.photo)?.date
        if case .directory(let directory, _) = destination, let base = pair.photo.lastComponent?.base {
            try claims.claim(name.map { directory.appending($0) } ?? directory.appending(base), for: pair.photo)
        }
        let editor = LivePhotoEditor()
        do {
            if isDryRun {
                try showPlan(of: pair, edits, editor, bar)
            } else {
                let result = try editor.edit(
                    edits, photo: pair.photo, movie: pair.movie, name: name, to: destination, journals)
                bar.clear()
                if json { return try Terminal.print(JSON.text(EditDocument(result))) }
                for note in result.plan.notes { progress.say("note: \(note)") }
                try Terminal.print(lines: [result.livePhoto.photo.string, result.livePhoto.movie.string])
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.internalError, pair.photo, "\(error)", cause: error)
        }
    }

    private func showPlan(
        of pair: PairPaths, _ edits: LivePhotoEdits, _ editor: LivePhotoEditor, _ bar: ProgressDisplay
    ) throws {
        var plan: LivePhotoEditor.Plan?
        try DryRun.show(to: destination) { files in
            bar.clear()
            guard json else { return files.map(\.string).joined(separator: "\n") }
            return try plan.map { try JSON.text(EditDocument($0)) } ?? ""
        } checking: {
            let made = try editor.plan(edits, photo: pair.photo, movie: pair.movie, name: name, to: $0)
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

/// Output of `edit --json` for a pair. Times are in seconds.
private struct EditDocument: Encodable {
    let schema = 1
    let status: String
    let photo: String?
    let movie: String?
    var contentIdentifier: String?
    var way: LivePhotoEditor.Way?
    var reason: String?
    /// The part of the old movie that is kept.
    var keptStart: Double?
    var keptEnd: Double?
    var duration: Double?
    var stillTime: Double?
    var stillMoved: Bool?
    /// Always true: the key photo keeps its picture.
    var photoPictureKept: Bool?
    var soundRemoved: Bool?
    var notes: [String]?
    var error: String?

    init(_ result: LivePhotoEditor.Result) {
        let pair = result.livePhoto
        (status, photo, movie) = ("edited", pair.photo.string, pair.movie.string)
        set(result.plan)
        contentIdentifier = pair.contentIdentifier.string
    }

    init(_ plan: LivePhotoEditor.Plan) {
        (status, photo, movie) = ("planned", plan.files.first?.string, plan.files.last?.string)
        set(plan)
    }

    init(_ pair: PairPaths, _ error: LivePhotoError) {
        (status, photo, movie) = ("failed", pair.photo.string, pair.movie.string)
        self.error = "\(error)"
    }

    private mutating func set(_ plan: LivePhotoEditor.Plan) {
        contentIdentifier = plan.contentIdentifier?.string
        (way, reason) = (plan.way, plan.reason)
        (keptStart, keptEnd, duration) = (plan.start.seconds, plan.end.seconds, plan.duration.seconds)
        (stillTime, stillMoved, photoPictureKept) = (plan.stillTime.seconds, plan.movesStill, true)
        soundRemoved = plan.removesSound
        notes = plan.notes
    }
}
