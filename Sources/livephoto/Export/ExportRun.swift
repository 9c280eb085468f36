import ArgumentParser
import LivePhotoBatch

/// Runs `export` for one pair or several.
struct ExportRun: Sendable {
    struct Job: Sendable {
        let source: LivePhotoSource
        var request: ExportRequest
    }

    let engine: MediaEngine
    let isDryRun: Bool
    let isJSON: Bool
    let progress: ProgressOptions
    /// How many pairs are exported at a time. One alone can use all cores.
    let width: Int

    /// - Throws: the error of a single pair; `ExitCode` if one of several failed; `Cancelled`.
    func run(_ jobs: [Job]) async throws {
        let display = ConvertProgress(jobs.map(\.source.name), progress.form, title: "exporting")
        defer { display.clear() }
        var (done, failed) = (0, 0)
        do {
            try await concurrentForEachEnded(Self.claimed(jobs), width: width, mayStart: { _ in true }) {
                index, claimed in
                let job = claimed.job
                let result: Result<ExportResult, any Error>
                do {
                    if let error = claimed.error { throw error }
                    result = .success(try await self.result(of: job) { display.show($0, of: index) })
                } catch {
                    result = .failure(error)
                }
                return result
            } body: { (index: Int, result: Result<ExportResult, any Error>) in
                display.end(index)
                let job = jobs[index]
                do {
                    let result = try result.get()
                    try report(result, of: job, isSingle: jobs.count == 1)
                    done += 1
                } catch let error as LivePhotoError where error.code != .cancelled {
                    try report(error, of: job, isSingle: jobs.count == 1)
                    failed += 1
                }
            }
            if Task.isCancelled { throw CancellationError() }
        } catch {
            let isCancelled = error is CancellationError || (error as? LivePhotoError)?.code == .cancelled
            guard isCancelled else { throw error }
            let written = "\(counted(done, "pair was", plural: "pairs were")) exported"
            throw Cancelled(note: done == 0 || isDryRun ? "nothing was written" : written)
        }
        guard failed > 0 else { return }
        progress.say("\(failed) of \(counted(jobs.count, "pair")) failed")
        // A dry run fails only if nothing could be written.
        if !isDryRun || done == 0 { throw ExitCode(1) }
    }

    /// Each job with an error if another one writes the same file.
    private static func claimed(_ jobs: [Job]) -> [(job: Job, error: LivePhotoError?)] {
        var claims = PairTransfer.Claims()
        return jobs.map { job in
            do throws(LivePhotoError) {
                try claims.claim(job.request.output, for: job.source.photo)
                return (job, nil)
            } catch {
                return (job, error)
            }
        }
    }

    private func result(
        of job: Job, _ show: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportResult {
        var request = job.request
        // Before a container is copied.
        let checked = request
        if !isDryRun { try await BlockingWork.run { _ in try checked.checkOutput() } }
        let copies = try await BlockingWork.run { _ in try job.source.container?.copies(in: job.request.output.folder) }
        defer { withExtendedLifetime(copies) {} }
        (request.openedPhoto, request.openedMovie) = (copies?.photo, copies?.movie)
        return isDryRun ? try await engine.planExport(request) : try await engine.export(request, progress: show)
    }

    private func report(_ result: ExportResult, of job: Job, isSingle: Bool) throws {
        if isJSON {
            let line = try JSON.text(ExportDocument(job, result))
            guard isDryRun else { return Terminal.printResult(line) }
            guard isSingle else {
                // Each pair has one line: that of the error, if there is one.
                try job.request.checkOutput()
                return try Terminal.print(line)
            }
            return try DryRun.show({ line }, checking: { try job.request.checkOutput() })
        }
        let name = isSingle ? "" : "\(job.source.name): "
        for warning in result.warnings { progress.say("warning: \(name)\(warning)") }
        guard !isDryRun else {
            return try DryRun.show({ printable(result.summary) }, checking: { try job.request.checkOutput() })
        }
        let isSummary = Terminal.isOutputInteractive && !progress.quiet
        Terminal.printResult(lines: [isSummary ? result.summary : result.output.string])
    }

    private func report(_ error: LivePhotoError, of job: Job, isSingle: Bool) throws {
        if isJSON, !isSingle { Terminal.printResult(try JSON.text(ExportDocument(job, error))) }
        if isSingle { throw error }
        let named = error.file == nil ? LivePhotoError(error.code, job.source.photo, error.reason) : error
        Terminal.say(error: named, ofSeveral: true)
    }
}

extension ExportResult {
    /// `beach.gif: 480x360, 42 frames, 2.8 s, 2.1 MB`
    fileprivate var summary: String {
        let parts = [
            "\(size)", frames > 1 ? counted(frames, "frame") : "",
            duration > .zero ? "\(Words.decimal(duration.seconds, 1)) s" : "",
            bytes.map { Words.size(bytes: $0) } ?? "",
        ]
        return "\(output): \(parts.filter { !$0.isEmpty }.joined(separator: ", "))"
    }
}
