import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import Synchronization
import SystemPackage

/// Makes and changes Live Photos as the page's choices say, by jobs.
struct Maker: Sendable {
    let media: ClipMedia
    let presets: StudioPresets
    let worker: MediaWorker
    let jobs: JobList
    let results: ResultList
    let report: @Sendable (StudioEvent) -> Void

    /// Of the clip that was asked about last.
    private let digests = DigestedInputs()
    private var engine: MediaEngine { worker.engine }

    init(
        _ media: ClipMedia, _ presets: StudioPresets, _ worker: MediaWorker, _ jobs: JobList, _ results: ResultList,
        report: @escaping @Sendable (StudioEvent) -> Void
    ) {
        (self.media, self.presets, self.worker, self.jobs) = (media, presets, worker, jobs)
        (self.results, self.report) = (results, report)
    }

    /// What would be made, whatever files exist.
    func plan(of request: ConversionRequest) async throws -> (plan: PlanSummary, target: PublishTarget) {
        var request = request
        request.replacesExisting = true
        return try await engine.planWithTarget(request)
    }

    /// Whether files exist that one of the Live Photos would replace, except those that were made of the same clip with the same
    /// choices.
    func isTaken(_ requests: [ConversionRequest]) async throws -> Bool {
        for request in requests {
            guard case .made(let new) = try await known(request), !request.replacesExisting else { continue }
            let target = try new.target()
            if FileSystem.exists(target.photo) || FileSystem.exists(target.movie) { return true }
        }
        return false
    }

    /// What was made before, if its files exist. The clip is read for that once.
    private func known(_ request: ConversionRequest) async throws -> ConversionSeries.Outcome<ConversionRequest> {
        let former = digests.withLock { $0 }
        let (outcome, read) = try await BlockingWork.run { _ in
            var inputs = former
            return (try ConversionSeries.known(request, isPlan: true, &inputs), inputs)
        }
        digests.withLock { $0 = read }
        return outcome
    }

    /// - Returns: the number of the job.
    /// - Throws: `LivePhotoError` for choices that contradict each other or the files.
    func make(_ item: StudioItem, _ choice: StudioChoice) async throws -> Int {
        item.isClip ? try await convert(item, choice) : try await edit(item, choice)
    }

    private func convert(_ item: StudioItem, _ choice: StudioChoice) async throws -> Int {
        let clip = try await media.open(item.id).movie
        let requests = try choice.requests(of: clip, to: item.output, presets)
        let command = try choice.convertCommand(item.argument, to: item.output, presets)
        for request in requests {
            // What was made before of the same clip with the same settings is not made again.
            guard case .made(let new) = try await known(request) else { continue }
            do {
                try await BlockingWork.run { _ in _ = try new.checkedTarget() }
            } catch let error as LivePhotoError {
                throw ConversionSeries.explained(error, of: request)
            }
        }
        try await ConversionSeries.checkTargets(of: requests)
        let names = requests.map { $0.name ?? item.name }
        return try jobs.start(.make, item.name, parts: names.map { StudioJob.Part(name: $0, item: item.id) }) { job in
            if requests.count == 1 {
                // As the command does it: with all cores.
                switch try await ConversionSeries.known(requests[0], isPlan: false) {
                case .existing(let pair): end(job, 0, pair, command)
                case .made(let request):
                    do {
                        let made = try await engine.convert(request) { job.show(0, fraction: $0.fraction) }
                        job.note(made.warnings)
                        end(job, 0, made.livePhoto, command)
                    } catch let error as LivePhotoError {
                        throw ConversionSeries.explained(error, of: request)
                    }
                }
            } else {
                try await convert(requests, job, requests.map { _ in command }) { _, _ in }
            }
        }
    }

    /// - Parameter ended: called with what became of each.
    private func convert(
        _ requests: [ConversionRequest], _ job: JobReport, _ commands: [String],
        ended: (Int, Result<LivePhoto, LivePhotoError>) -> Void
    ) async throws {
        try await ConversionSeries(requests, slots: nil, worker: worker).convert { index, progress in
            job.show(index, fraction: progress.fraction)
        } ended: { _ in
        } report: { index, result in
            switch result {
            case .success(.made(let made)):
                job.note(made.warnings)
                end(job, index, made.livePhoto, commands[index])
                ended(index, .success(made.livePhoto))
            case .success(.existing(let pair)):
                end(job, index, pair, commands[index])
                ended(index, .success(pair))
            case .failure(let error):
                job.fail(index, error)
                ended(index, .failure(error))
            }
        }
    }

    private func end(
        _ job: JobReport, _ part: Int, _ pair: LivePhoto, _ command: String
    ) {
        let paths = PairPaths(photo: pair.photo, movie: pair.movie)
        job.end(part, result: results.add(paths, command: command))
        report(.made(photo: PathText(pair.photo), movie: PathText(pair.movie)))
    }

    // MARK: Edits

    /// The edit of an item, and whether something has to be decoded for it.
    func editRequest(
        _ item: StudioItem, _ choice: StudioChoice
    ) async throws -> (request: EditRequest, isEncoded: Bool, opened: OpenedItem) {
        let opened = try await media.open(item.id)
        let pair = try opened.livePhoto()
        if choice.flags.contains(.inPlace), opened.extracted != nil || item.isUpload {
            throw LivePhotoError(
                .invalidRequest, item.argument, "cannot be changed itself; a copy of it can be made")
        }
        var keepsHEIC = false
        if try choice.recipe().encodesPhoto, try PhotoFile.isHEIC(pair.photo) {
            keepsHEIC = try await engine.environment().canEncodeHEIC
        }
        let settings = try choice.editSettings(to: item.output, keepsHEIC: keepsHEIC)
        var request = EditRequest(pair, settings)
        request.container = opened.extracted?.container
        return (request, settings.recipe.isEncoded, opened)
    }

    private func edit(_ item: StudioItem, _ choice: StudioChoice) async throws -> Int {
        let (request, isEncoded, opened) = try await editRequest(item, choice)
        let command = try choice.editCommand(item.argument, to: item.output)
        let isInPlace = choice.flags.contains(.inPlace)
        if !isEncoded { _ = try await BlockingWork.run { _ in try request.plan() } }
        return try jobs.start(.edit, item.name, parts: [StudioJob.Part(name: item.name, item: item.id)]) { job in
            defer { withExtendedLifetime(opened) {} }
            do {
                if isEncoded {
                    let journals = isInPlace ? EditJournals() : nil
                    defer { journals?.close() }
                    let made = try await engine.convert(request.conversion(journals)) {
                        job.show(0, fraction: $0.fraction)
                    }
                    job.note(made.warnings)
                    await end(job, made.livePhoto, command, item, isInPlace: isInPlace)
                } else {
                    let (made, _, warning) = try await withTaskExecutorPreference(BlockingExecutor.shared) {
                        let journals = EditJournals()
                        defer { journals.close() }
                        return try request.edit(journals)
                    }
                    job.note(made.plan.notes + [warning].compactMap(\.self))
                    await end(job, made.livePhoto, command, item, isInPlace: isInPlace)
                }
            } catch let error as LivePhotoError {
                throw opened.extracted?.named(error) ?? error
            }
        }
    }

    private func end(
        _ job: JobReport, _ pair: LivePhoto, _ command: String, _ item: StudioItem, isInPlace: Bool
    ) async {
        if isInPlace {
            job.allowUndo(of: pair.photo)
            await media.forget(item.id)
        }
        end(job, 0, pair, command)
    }

    // MARK: Several clips

    /// - Returns: the number of the job.
    /// - Throws: `LivePhotoError` if there is no clip among the items.
    func makeAll(_ items: [StudioItem], _ choice: StudioChoice, reports: ReportFiles) async throws -> Int {
        let clips = items.filter(\.isClip)
        guard !clips.isEmpty else {
            throw LivePhotoError(.invalidRequest, nil, "none of these is a clip; select clips to make Live Photos of")
        }
        var (requests, commands): ([ConversionRequest], [String]) = ([], [])
        var taken: Set<FilePath> = []
        for item in clips {
            var choice = choice
            let clip = try await media.open(item.id).movie
            let stem = clip.stem ?? "clip"
            // Clips of one name, in one folder of results.
            var number = 1
            while !taken.insert(item.output.appending((choice.name ?? stem).lowercased())).inserted {
                number += 1
                choice.name = "\(stem)-\(number)"
            }
            requests += try choice.requests(of: clip, to: item.output, presets)
            commands.append(try choice.convertCommand(item.argument, to: item.output, presets))
        }
        try await ConversionSeries.checkTargets(of: requests)
        let title = counted(clips.count, "clip")
        return try jobs.start(.batch, title, parts: clips.map { StudioJob.Part(name: $0.name, item: $0.id) }) {
            [requests, commands] job in
            let start = ContinuousClock.now
            var records: [(records: [JobRecord], folder: FilePath)] = []
            try await convert(requests, job, commands) { index, result in
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                let folder = requests[index].outputDirectory
                let record = JobRecord(
                    "\(index + 1) \(clips[index].name)", result, below: folder, seconds: seconds)
                records.append(([record], folder.orCurrentFolder))
            }
            do {
                try await reports.write(records, of: job.id, engine)
                job.offerReport()
            } catch let error as LivePhotoError {
                job.note(["the report could not be written: \(error)"])
            }
        }
    }
}

/// The digests of files that were read. A file that has changed is read again.
private final class DigestedInputs: Sendable {
    private let inputs = Mutex<[JobRecord.Input]>([])

    func withLock<Value: Sendable>(_ body: (inout sending [JobRecord.Input]) -> sending Value) -> Value {
        inputs.withLock(body)
    }
}
