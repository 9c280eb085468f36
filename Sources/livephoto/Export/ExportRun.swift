import ArgumentParser
import LivePhotoBatch

/// Runs `export` for one pair or several, one after another: each uses all cores.
struct ExportRun: Sendable {
    struct Job: Sendable {
        let source: LivePhotoSource
        var request: ExportRequest
    }

    let engine: MediaEngine
    let isDryRun: Bool
    let isJSON: Bool
    let progress: ProgressOptions

    /// - Throws: the error of a single pair; `ExitCode` if one of several failed; `Cancelled`.
    func run(_ jobs: [Job]) async throws {
        let display = ConvertProgress(jobs.map(\.source.name), progress.form, title: "exporting")
        defer { display.clear() }
        var claims = PairTransfer.Claims()
        var (done, failed) = (0, 0)
        for (index, job) in jobs.enumerated() {
            do {
                try claims.claim(job.request.output, for: job.source.photo)
                let result = try await ItemTime.item {
                    try await self.result(of: job) { display.show($0, of: index) }
                }
                display.end(index)
                try display.interrupt { try report(result, of: job, isSingle: jobs.count == 1) }
                done += 1
            } catch let error as LivePhotoError where error.code == .cancelled {
                let written = "\(counted(done, "pair was", plural: "pairs were")) exported"
                throw Cancelled(note: done == 0 || isDryRun ? "nothing was written" : written)
            } catch let error as LivePhotoError {
                display.end(index)
                try display.interrupt { try report(error, of: job, isSingle: jobs.count == 1) }
                failed += 1
            }
        }
        guard failed > 0 else { return }
        progress.say("\(failed) of \(counted(jobs.count, "pair")) failed")
        // A dry run fails only if nothing could be written.
        if !isDryRun || done == 0 { throw ExitCode(1) }
    }

    private func result(
        of job: Job, _ show: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportResult {
        var request = job.request
        // Before a container is copied.
        let checked = request
        if !isDryRun || isJSON { try await BlockingWork.run { _ in try checked.checkOutput() } }
        let copies = try await BlockingWork.run { _ in try job.source.container?.copies(in: job.request.output.folder) }
        defer { withExtendedLifetime(copies) {} }
        (request.openedPhoto, request.openedMovie) = (copies?.photo, copies?.movie)
        return isDryRun ? try await engine.planExport(request) : try await engine.export(request, progress: show)
    }

    private func report(_ result: ExportResult, of job: Job, isSingle: Bool) throws {
        if isJSON {
            return Terminal.printResult(try JSON.text(ExportDocument(job, result)))
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
        Terminal.say(Failure.sentence(named, ofSeveral: true))
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
