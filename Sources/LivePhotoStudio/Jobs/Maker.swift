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

    private let made = MadeRequests()
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

    /// Whether files exist that one of the Live Photos would replace, except those that were made here with the same choices.
    func isTaken(_ requests: [ConversionRequest]) async throws -> Bool {
        try await BlockingWork.run { _ in
            try requests.contains { request in
                guard !made.contains(request) else { return false }
                let target = try request.target()
                return FileSystem.exists(target.photo) || FileSystem.exists(target.movie)
            }
        }
    }

    /// - Returns: the number of the job.
    /// - Throws: `LivePhotoError` for a choice that cannot be.
    func make(_ item: StudioItem, _ choice: StudioChoice) async throws -> Int {
        item.isClip ? try await convert(item, choice) : try await edit(item, choice)
    }

    private func convert(_ item: StudioItem, _ choice: StudioChoice) async throws -> Int {
        let clip = try await media.open(item.id).movie
        let requests = try choice.requests(of: clip, to: item.output, presets)
        let command = try choice.convertCommand(item.argument, to: item.output, presets)
        for request in requests {
            // What was made before of the same clip with the same settings is not made again.
            guard case .made(let new) = try await ConversionSeries.known(request, isPlan: true) else { continue }
            do {
                try await BlockingWork.run { _ in _ = try new.checkedTarget() }
            } catch let error as LivePhotoError {
                throw ConversionSeries.explained(error, of: request)
            }
        }
        try await ConversionSeries.checkTargets(of: requests)
        made.note(requests)
        let names = requests.map { $0.name ?? item.name }
        return try jobs.start(.make, item.name, parts: names) { job in
            if requests.count == 1 {
                // As the command does it: with all cores.
                switch try await ConversionSeries.known(requests[0], isPlan: false) {
                case .existing(let pair): try end(job, 0, pair, command)
                case .made(let request):
                    do {
                        let made = try await engine.convert(request) { job.show(0, fraction: $0.fraction) }
                        job.note(made.warnings)
                        try end(job, 0, made.livePhoto, command)
                    } catch let error as LivePhotoError {
                        throw ConversionSeries.explained(error, of: request)
                    }
                }
            } else {
                try await convert(requests, job, command) { _, _ in }
            }
        }
    }

    /// - Parameter ended: called with what became of each.
    private func convert(
        _ requests: [ConversionRequest], _ job: JobReport, _ command: String,
        ended: (Int, Result<LivePhoto, LivePhotoError>) -> Void
    ) async throws {
        try await ConversionSeries(requests, slots: nil, worker: worker).convert { index, progress in
            job.show(index, fraction: progress.fraction)
        } ended: { _ in
        } report: { index, result in
            switch result {
            case .success(.made(let made)):
                job.note(made.warnings)
                try end(job, index, made.livePhoto, command)
                ended(index, .success(made.livePhoto))
            case .success(.existing(let pair)):
                try end(job, index, pair, command)
                ended(index, .success(pair))
            case .failure(let error):
                job.fail(index, error)
                ended(index, .failure(error))
            }
        }
    }

    private func end(
        _ job: JobReport, _ part: Int, _ pair: LivePhoto, _ command: String
    ) throws(LivePhotoError) {
        let paths = PairPaths(photo: pair.photo, movie: pair.movie)
        job.end(part, result: try results.add(paths, command: command))
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
        return try jobs.start(.edit, item.name, parts: [item.name]) { job in
            defer { withExtendedLifetime(opened) {} }
            do {
                if isEncoded {
                    let journals = isInPlace ? EditJournals() : nil
                    defer { journals?.close() }
                    let made = try await engine.convert(request.conversion(journals)) {
                        job.show(0, fraction: $0.fraction)
                    }
                    job.note(made.warnings)
                    try end(job, 0, made.livePhoto, command)
                } else {
                    let (made, _, warning) = try await withTaskExecutorPreference(BlockingExecutor.shared) {
                        let journals = EditJournals()
                        defer { journals.close() }
                        return try request.edit(journals)
                    }
                    job.note(made.plan.notes + [warning].compactMap(\.self))
                    try end(job, 0, made.livePhoto, command)
                }
            } catch let error as LivePhotoError {
                throw opened.extracted?.named(error) ?? error
            }
            guard isInPlace else { return }
            job.allowUndo()
            await media.forget(item.id)
        }
    }

    // MARK: Several clips

    /// - Returns: the number of the job.
    /// - Throws: `LivePhotoError` if there is no clip among the items.
    func makeAll(_ items: [StudioItem], _ choice: StudioChoice, reports: ReportFiles) async throws -> Int {
        let clips = items.filter(\.isClip)
        guard !clips.isEmpty else {
            throw LivePhotoError(.invalidRequest, nil, "none of these is a clip; select clips to make Live Photos of")
        }
        var requests: [ConversionRequest] = []
        for item in clips {
            requests += try choice.requests(of: try await media.open(item.id).movie, to: item.output, presets)
        }
        try await ConversionSeries.checkTargets(of: requests)
        let command = "livephoto convert " + clips.map { shellWord($0.argument.string) }.joined(separator: " ")
        let title = counted(clips.count, "clip")
        return try jobs.start(.batch, title, parts: clips.map(\.name)) { [requests] job in
            let start = ContinuousClock.now
            var records: [JobRecord] = []
            try await convert(requests, job, command) { index, result in
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                records.append(
                    JobRecord(
                        "\(index + 1) \(clips[index].name)", result, below: requests[index].outputDirectory,
                        seconds: seconds))
            }
            try await reports.write(records, of: job.id, engine)
            job.offerReport()
        }
    }
}

extension ConversionProgress {
    fileprivate var fraction: Double { Double(frames) / Double(max(totalFrames, 1)) }
}

/// The requests that were made here.
private final class MadeRequests: Sendable {
    private let requests = Mutex(Set<ConversionRequest>())
    private static let most = 10_000

    func note(_ new: [ConversionRequest]) {
        requests.withLock { requests in
            if requests.count < Self.most { requests.formUnion(new) }
        }
    }

    func contains(_ request: ConversionRequest) -> Bool { requests.withLock { $0.contains(request) } }
}
