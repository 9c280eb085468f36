import ArgumentParser
import LivePhotoBatch
import LivePhotoKit
import Logging
import MediaModel

struct BatchCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Convert the clips listed in a job file.",
        usage: "livephoto batch [<options>] <jobfile>",
        discussion: """
            The job file is YAML, JSON or JSON lines; '-' reads standard input. It lists clips and their settings, which have the \
            names of keys instead of options ('livephoto presets keys jobs' lists them):

            version: 1
            defaults: {preset: compact, before: 1}
            jobs:
            - {input: beach.mp4, still: 2.5}
            - {input: 'clips/*.mp4', output: '{folder}'}

            Several jobs run at a time, each in its own process, so a clip that makes the decoder crash, hang or run out of \
            memory does not affect the others. Run the same command again to continue a batch that was stopped: pairs that \
            are complete are not made again.

            Exits with status 0 if all pairs are complete, 1 if a job failed, 64 if the job file has an error, 66 if \
            it cannot be read, 74 if the disk is full, and 130 or 143 if the batch was stopped by a signal.
            """,
        subcommands: [ReportCommand.self])

    static let takesArguments = true

    static let examples = [
        "livephoto batch jobs.yaml --output LivePhotos",
        "livephoto batch jobs.yaml --dry-run",
        "livephoto batch jobs.yaml --shard 1/2 --report part-1.jsonl",
    ]

    /// What to do with pairs that an earlier run made.
    enum Earlier: String, EnumerableFlag {
        case resume, restart

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .resume: "Continue an earlier run: do not make complete pairs again."
            case .restart: "Make all pairs again."
            }
        }
    }

    @Argument(help: "The job file.", completion: .jobFiles)
    var jobfile: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Output folder; created if missing. (default: the job file's 'output', or .)", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Flag(exclusivity: .exclusive)
    var earlier: Earlier = .resume

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of retries after a failure that may be temporary.", valueName: "n"))
    var retry: Int = 1

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Start no more jobs after this many failures.", valueName: "n"))
    var maxFailures: Int?

    @Option(help: ArgumentHelp("Run one part of the batch: 3/6, or auto on a cluster.", valueName: "part"))
    var shard: String?

    @Option(
        help: ArgumentHelp("Write the result of each job as JSON lines, when the batch ends.", valueName: "file"),
        completion: .reports)
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write figures for Prometheus, every 5 seconds and when the batch ends.", valueName: "file"),
        completion: .files(["prom"]))
    var metrics: String?

    @Flag(name: .shortAndLong, help: "Replace existing files that do not belong to this batch.")
    var force = false

    @Flag(
        name: [.customShort("n"), .long], help: "Check the job file and the inputs, and list the jobs, but run none.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each job at the end.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        func check(_ holds: Bool, _ sentence: String) throws { if !holds { throw ValidationError(sentence) } }
        try check((0...100).contains(retry), "--retry: write a number from 0 to 100")
        try check(maxFailures.map { $0 > 0 } ?? true, "--max-failures: write a number of at least 1")
        try check(
            metrics.map { FilePath(argument: $0).extension == "prom" } ?? true,
            "--metrics: give the name of a file that ends in .prom")
    }

    func run() async throws {
        logging.apply()
        guard let jobfile else { throw UsageError("name the job file: livephoto batch JOBFILE") }
        if let kind = FilePath(argument: jobfile).extension?.lowercased(), FileTree.movieExtensions.contains(kind) {
            throw UsageError(
                "\(quoted(jobfile)) is a clip, not a job file; to convert it: livephoto convert \(shellWord(jobfile))")
        }
        if FilePath(argument: jobfile).isFolderOfFiles {
            throw UsageError(
                "\(quoted(jobfile)) is a folder, not a job file; to convert the clips in it: livephoto convert "
                    + shellWord(jobfile))
        }
        let choice: ShardChoice? = try value(shard, of: "--shard")
        let shard = try choice.map { try $0.shard(in: CurrentProcess.environment) }
        let output = try output.map(OutputPlace.folder)
        let file = try read(FilePath(argument: jobfile), output: output)
        let batch = Batch(
            file.jobs, folder: output ?? file.output ?? JobFile.defaultOutput, shard: shard,
            options: options, worker: try workerOptions.worker(logging))
        if dryRun { return try await check(batch, file.problems) }
        if let report, report != "-" { try BatchReport.check(FilePath(argument: report)) }
        if let metrics { try MetricsLog.check(FilePath(argument: metrics)) }
        let result = try await run(batch)
        if json || report == "-" {
            for record in result.records { Terminal.printResult(try JSON.text(record)) }
        }
        if let report, report != "-" {
            try write(result.records, to: FilePath(argument: report))
        }
        if result.stop?.code == .cancelled { throw Cancelled(note: "run the same command again to continue") }
        if let stop = result.stop { throw stop }
        if result.progress.done < result.progress.total { throw ExitCode(1) }
    }

    private func read(_ path: FilePath, output: FilePath?) throws -> JobFile {
        let bar = ProgressDisplay("batch", progress.form)
        defer { bar.clear() }
        return try JobFile(path, output: output, presets: .withOwnPresets, skipsProblems: dryRun) {
            bar.show(found: $0, "job", stage: "reading")
        }
    }

    private func write(_ records: JobRecords, to report: FilePath) throws {
        let bar = ProgressDisplay("batch", progress.form)
        defer { bar.clear() }
        let shown = zip(1..., records).lazy.map { number, record in
            bar.show(number, of: records.count, "job", stage: "report")
            return record
        }
        try BatchReport.write(shown, to: report)
    }

    private func run(_ batch: Batch) async throws -> BatchResult {
        let display = BatchDisplay(progress)
        let log = metrics.map { MetricsLog(FilePath(argument: $0), batch, progress) }
        do {
            let bar = ProgressDisplay("batch", progress.form)
            defer { bar.clear() }
            let result = try await batch.run {
                display.show($0)
                log?.show($0)
            } resuming: {
                bar.show(found: $0, "record", stage: "resuming")
            }
            display.end(result)
            log?.end(result)
            return result
        } catch {
            log?.end(nil)
            throw error
        }
    }

    /// Lists the jobs, and all that is wrong with the job file and its inputs.
    private func check(_ batch: Batch, _ problems: [LivePhotoError]) async throws {
        if json {
            for record in batch.pendingRecords { Terminal.printResult(try JSON.text(record)) }
        } else if !batch.jobs.isEmpty {
            for start in stride(from: 0, to: batch.jobs.count, by: 1_000) {
                try Terminal.print(batch.listing(start))
            }
        }
        var problems = problems
        do {
            try OutputDirectory.check(batch.folder, for: batch.folder)
        } catch {
            problems.append(error)
        }
        for problem in problems { Terminal.say(error: problem) }
        let bar = ProgressDisplay("batch", progress.form)
        defer { bar.clear() }
        let missing = try await batch.problems {
            bar.show($0, of: batch.jobs.count, "job", stage: "checking")
        }
        for problem in missing {
            Terminal.say(
                "error: \(problem.id): \(problem.error)", code: problem.error.code.general.rawValue,
                file: problem.error.file?.string)
        }
        if let first = problems.first { throw ExitCode(first.code.exitStatus) }
        if !missing.isEmpty { throw ExitCode(1) }
    }

    private var options: BatchOptions {
        var options = BatchOptions()
        options.slots = jobs.count
        options.retries = retry
        options.maxFailures = maxFailures
        options.restarts = earlier == .restart
        options.replacesExisting = force
        return options
    }
}

extension Batch {
    /// A part of the output of a dry run: a line for each of a thousand jobs.
    fileprivate func listing(_ start: Int) -> String {
        jobs[start..<min(start + 1_000, jobs.count)].map {
            "\(printable($0.input.string)) -> \(printable($0.movie(in: folder).string))"
        }
        .joined(separator: "\n")
    }
}
