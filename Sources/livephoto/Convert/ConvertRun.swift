import ArgumentParser
import LivePhotoBatch

/// Runs `convert` for one clip or several.
struct ConvertRun: Sendable {
    let worker: MediaWorker
    /// Number of clips to convert at a time.
    let slots: Int?
    let isDryRun: Bool
    let output: ConvertOutput
    /// Those of each clip.
    var moments = Moments.one
    /// Names each Live Photo; nil for the names of the clips.
    var names: NameTemplate?

    private var progress: ProgressOptions { output.progress }
    private var engine: MediaEngine { worker.engine }

    /// Reads standard input if it is one of the clips, and converts all clips. A single clip that cannot be converted has a
    /// line of JSON too.
    ///
    /// - Throws: the error of a single clip; `ExitCode` if one of several failed; `Cancelled`.
    func run(_ arguments: inout ClipArguments) async throws {
        let only = arguments.isSingle ? arguments.clips.first : nil
        do {
            if let note = moments.note { progress.say("note: \(note)") }
            // A name without a number is followed by that of the moment.
            if let names, moments.isOne || !names.hasIndex { try arguments.name(by: names) }
            if arguments.isSingle, moments.isOne {
                try await arguments.readStandardInput(moments, isDryRun: isDryRun)
                for clip in arguments.clips { try await ItemTime.item { try await runSingle(clip) } }
            } else {
                try await runSeveral(&arguments)
            }
        } catch let error as LivePhotoError {
            guard let only else { throw error }
            let named = (arguments.clips.first ?? only).request.named(error)
            // A dry run has printed what would be made.
            let isPrinted = isDryRun && error.code == .outputExists
            if error.code != .cancelled, !isPrinted { try output.failSingle(only.name, named) }
            throw named
        }
    }

    private func runSeveral(_ arguments: inout ClipArguments) async throws {
        if moments.isOne { try await ConversionSeries.checkTargets(of: arguments.clips.map(\.request)) }
        // Otherwise each conversion would fail for the same reason.
        _ = try await engine.environment()
        for note in arguments.notes { progress.say(note) }
        try await arguments.readStandardInput(moments, isDryRun: isDryRun)
        if !moments.isOne {
            for note in try await arguments.expand(moments, engine) { progress.say("note: \(note)") }
            if let names, names.hasIndex { try arguments.name(by: names) }
            try await ConversionSeries.checkTargets(of: arguments.clips.map(\.request))
        }
        try await runAll(arguments)
    }

    /// Converts the only clip, whose error is that of the command.
    private func runSingle(_ clip: ClipArguments.Clip) async throws {
        if isDryRun {
            if case .existing(let pair) = try await ConversionSeries.known(clip.request, isPlan: true) {
                sayExisting(1)
                return try output.print(existing: pair, of: clip)
            }
            var planned = clip.request
            // Existing files are an error only after the plan is shown.
            planned.replacesExisting = true
            let (plan, target) = try await engine.planWithTarget(planned)
            try DryRun.show {
                try output.text(of: plan, target, ofOnly: clip)
            } checking: {
                try clip.request.checkedTarget(target)
            }
            return output.note(clip.request, photo: target.photo, movie: target.movie)
        }
        let display = ConvertProgress([clip.name], progress.form)
        defer { display.clear() }
        let result: ConversionResult
        do {
            switch try await ConversionSeries.known(clip.request, isPlan: false) {
            case .existing(let pair):
                sayExisting(1)
                return try output.print(existing: pair, of: clip)
            case .made(let request): result = try await engine.convert(request) { display.show($0) }
            }
            display.end()
        } catch let error as LivePhotoError where error.code != .cancelled {
            display.end()
            throw ConversionSeries.explained(error, of: clip.request)
        }
        display.clear()
        output.note(clip.request, photo: result.photo, movie: result.movie)
        try output.print(result, ofOnly: clip.name)
    }

    /// Converts several clips; an error does not stop the others.
    private func runAll(_ arguments: ClipArguments) async throws {
        let series = ConversionSeries(arguments.clips.map(\.request), slots: slots, worker: worker)
        for input in arguments.unreadable { try output.fail(input.name, input.error) }
        var tally = Tally(failed: arguments.unreadable.count)
        do {
            if isDryRun {
                try await plan(series, arguments.clips, &tally)
            } else {
                try await convert(series, arguments.clips, &tally)
            }
        } catch is CancellationError {
            let pairs =
                "\(counted(tally.done, "pair was", plural: "pairs were")) written"
                + (arguments.clips.contains { $0.request.work.isEdit } ? "" : "; the same command continues")
            throw Cancelled(note: tally.done == 0 || isDryRun ? "nothing was written" : pairs)
        }
        if tally.existing > 0 { sayExisting(tally.existing) }
        guard tally.failed > 0 else { return }
        let total = arguments.clips.count + arguments.unreadable.count
        progress.say("\(tally.failed) of \(counted(total, "clip")) failed")
        throw ExitCode(1)
    }

    private func sayExisting(_ count: Int) {
        let (clips, them) = count == 1 ? ("clip", "it") : ("clips", "them")
        progress.say(
            "\(counted(count, "pair")) existed already, made of the same \(clips) with the same settings; --force makes "
                + "\(them) again")
    }

    private struct Tally {
        var done = 0
        var existing = 0
        var failed: Int
    }

    private func plan(_ series: ConversionSeries, _ clips: [ClipArguments.Clip], _ tally: inout Tally) async throws {
        var isFirst = true
        try await series.plan { index, result in
            let clip = clips[index]
            try report(result, of: clip, &tally) { plan, target in
                let problem = Self.problem(with: clip.request, target)
                // With --json, each clip has one line.
                if problem == nil || !output.isJSON {
                    try output.print(plan, target, of: clip, isFirst: isFirst)
                    isFirst = false
                }
                return problem
            }
        }
    }

    /// Why the pair cannot be written, such as existing files.
    private static func problem(with request: ConversionRequest, _ target: PublishTarget) -> LivePhotoError? {
        do {
            try request.checkedTarget(target)
            return nil
        } catch let error as LivePhotoError {
            return error
        } catch {
            return LivePhotoError(.internalError, request.clip, "internal error: \(error)", cause: error)
        }
    }

    private func convert(
        _ series: ConversionSeries, _ clips: [ClipArguments.Clip], _ tally: inout Tally
    ) async throws {
        let display = ConvertProgress(clips.map(\.name), progress.form)
        defer { display.clear() }
        try await series.convert {
            display.show($1, of: $0)
        } ended: {
            display.end($0)
        } report: { index, result in
            try report(result, of: clips[index], &tally) {
                try output.print($0, of: clips[index])
                return nil
            }
        }
    }

    /// - Parameter show: prints the value; returns an error that it led to.
    private func report<Value>(
        _ result: Result<ConversionSeries.Outcome<Value>, LivePhotoError>, of clip: ClipArguments.Clip,
        _ tally: inout Tally,
        _ show: (Value) throws -> LivePhotoError?
    ) throws {
        let error: LivePhotoError?
        switch result {
        case .success(.made(let value)): error = try show(value)
        case .success(.existing(let pair)):
            try output.print(existing: pair, of: clip)
            tally.existing += 1
            return
        case .failure(let failure): error = failure
        }
        guard let error else {
            tally.done += 1
            return
        }
        tally.failed += 1
        try output.fail(clip.name, clip.request.named(error))
    }
}
