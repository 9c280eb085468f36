import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

/// Runs `link --by-name`: links all pairs of a folder and prints a line for each.
struct FolderLinkRun: Sendable {
    /// Finds photos in movies.
    let engine: MediaEngine
    let folder: FilePath
    let destination: LivePhotoLinker.Destination
    /// Folders by date for copies; nil for those of the tree.
    let folders: DateFolders?
    /// The still time for pairs where neither the movie nor the photo shows it.
    let fallback: ClipTime?
    /// `fallback` as the user wrote it.
    let stillText: String?
    /// Whether to search every movie for its photo.
    let comparesAll: Bool
    /// Whether to convert movies in formats that cannot be linked.
    let convertsOthers: Bool
    let isDryRun: Bool
    let json: Bool
    let jobs: JobsOption
    let progress: ProgressOptions

    /// - Returns: what was done, and what was not linked.
    /// - Throws: `Cancelled` if the task was cancelled.
    func run() async throws -> (tally: FolderLinkTally, findings: FindingList) {
        var choice = StillChoice(fallback: fallback)
        choice.stillText = stillText
        var linker = FolderLinker(isDryRun: isDryRun, chooseStill: engine.stillChooser(choice))
        linker.comparesAll = comparesAll
        if convertsOthers { linker.convertClip = convertClip }
        linker.folders = folders
        linker.changesAtOnce = jobs.changesInPlace
        linker.identify = FolderLinker.byContents
        let bar = ProgressDisplay("linking", progress.form)
        defer { bar.clear() }
        var tally = FolderLinkTally(isDryRun: isDryRun)
        var findings = FindingList(title: "Linking")
        do {
            try await linker.link(below: folder, to: destination, width: jobs.width) { progress in
                bar.show(progress.done, of: progress.total, progress.stage.unit, stage: progress.stage.rawValue)
            } onOutcome: { outcome in
                tally.count(outcome.status)
                findings.add(outcome)
                try show(outcome)
            }
        } catch let error as LivePhotoError where error.code == .cancelled {
            let undo =
                destination == .inPlace && tally.linked > 0 && !isDryRun
                ? "; livephoto undo \(shellWord(folder.string)) undoes it" : ""
            throw Cancelled(note: tally.description + undo)
        }
        findings.counts = tally.counts
        return (tally, findings)
    }

    private func convertClip(
        photo: FilePath, clip: FilePath, directory: FilePath, name: String?, identifier: ContentIdentifier?,
        replacesExisting: Bool
    ) async throws(LivePhotoError) -> LivePhoto {
        var request = ConversionRequest(clip: clip, outputDirectory: directory)
        request.photo = photo
        request.name = name ?? photo.stem
        request.contentIdentifier = identifier
        request.replacesExisting = replacesExisting
        do {
            return try await engine.convert(request).livePhoto
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.internalError, clip, "\(error)", cause: error)
        }
    }

    private func show(_ outcome: FolderLinker.Outcome) throws {
        if json { return Terminal.printResult(try JSON.text(FolderLinkDocument(outcome))) }
        let names = outcome.files.map { "\($0)" }.joined(separator: " + ")
        switch outcome.status {
        case .linked(let result, _):
            progress.warn(result.warnings)
            Terminal.printResult(lines: [result.livePhoto.photo.string, result.livePhoto.movie.string])
        case .linkable(let moment, let plan):
            progress.warn(plan.warnings)
            let files = plan.files
            let targets = files == outcome.files ? "" : " as \(files.map { "\($0)" }.joined(separator: " + "))"
            try Terminal.print(lines: ["\(names): would be linked\(targets) \(plan.words(moment))"])
        case .converted(let pair): Terminal.printResult(lines: [pair.photo.string, pair.movie.string])
        case .convertible: try Terminal.print(lines: ["\(names): would be converted"])
        case .linkedAlready: if isDryRun { try Terminal.print(lines: ["\(names): linked already"]) }
        case .copy(let photo): if isDryRun { try Terminal.print(lines: ["\(names): equal to \(photo), not copied"]) }
        case .leftAlone(let reason): progress.say("\(names): skipped: \(reason)")
        case .notAlike(let reason): progress.say("\(names): not linked: \(reason)")
        case .failed(let error): Terminal.say(error: error, ofSeveral: true)
        }
    }
}

extension FolderLinker.Stage {
    /// A singular noun.
    fileprivate var unit: String {
        switch self {
        case .reading: "file"
        case .comparing, .dating, .linking, .planning: "pair"
        }
    }
}

extension FindingList {
    fileprivate mutating func add(_ outcome: FolderLinker.Outcome) {
        switch outcome.status {
        case .leftAlone(let reason), .notAlike(let reason): add(Finding(outcome.files, Doubt(reason)))
        case .failed(let error): add(Finding(error, outcome.files))
        case .linked, .linkable, .linkedAlready, .copy, .converted, .convertible: break
        }
    }
}

/// Counts pairs by their result.
struct FolderLinkTally: Sendable {
    let isDryRun: Bool
    /// In a dry run, pairs that would be linked.
    private(set) var linked = 0
    private var converted = 0
    private var linkedAlready = 0
    private var copies = 0
    private var leftAlone = 0
    private var notAlike = 0
    private var failed = 0

    /// Whether the exit status is 1. A dry run only fails if nothing could be linked.
    var isFailure: Bool { failed > 0 && !(isDryRun && linked + converted + linkedAlready > 0) }

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
    }

    /// What was done, for a page.
    var counts: [(name: String, count: Int)] {
        [
            ("Linked", linked), ("Converted", converted), ("Linked already", linkedAlready),
            ("Copies left out", copies), ("Skipped", leftAlone), ("With different pictures", notAlike),
            ("Failed", failed),
        ]
    }

    mutating func count(_ status: FolderLinker.Outcome.Status) {
        switch status {
        case .linked, .linkable: linked += 1
        case .converted, .convertible: converted += 1
        case .linkedAlready: linkedAlready += 1
        case .copy: copies += 1
        case .leftAlone: leftAlone += 1
        case .notAlike: notAlike += 1
        case .failed: failed += 1
        }
    }
}

extension FolderLinkTally: CustomStringConvertible {
    /// `3 pairs linked, 1 linked already`
    var description: String {
        var parts = ["\(counted(linked, "pair")) \(isDryRun ? "would be linked" : "linked")"]
        let others = [
            (converted, isDryRun ? "would be converted" : "converted"), (linkedAlready, "linked already"),
            (copies, "equal to others and not copied"), (leftAlone, "skipped"),
            (notAlike, "with different pictures"),
            (failed, "could not be linked"),
        ]
        parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.joined(separator: ", ")
    }
}

extension LivePhotoLinker.Plan {
    /// `at 1.2 s, as recorded in the movie; date 2025-09-12T13:45:10+0200 from the photo`
    func words(_ moment: StillMoment) -> String {
        var parts = ["at \(moment.time), \(moment.source.words)"]
        if let date = writtenDate, let source = writtenDateSource {
            parts.append("date \(date) \(source.description(isDayOnly: isWrittenDateDayOnly))")
        }
        if let location = writtenLocation { parts.append("place \(location.iso6709) from the sidecar") }
        return parts.joined(separator: "; ")
    }
}

extension StillMoment.Source {
    /// `as recorded in the movie`
    var words: String {
        switch self {
        case .request: "as given by --still"
        case .movie: "as recorded in the movie"
        case .photo(let similarity):
            "where the movie shows the photo (similarity \((similarity * 100).rounded() / 100))"
        case .photoMetadata: "as recorded in the photo"
        case .middle: "the middle of the movie; --find-still searches it for the photo"
        case .guess(let reason): "a guess: \(reason)"
        }
    }
}
