import ArgumentParser
import LivePhotoBatch
import LivePhotoKit
import MediaModel

struct ReportCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show the results of a batch, merged from all its parts.",
        usage: "livephoto batch report [<options>] <path> ...",
        discussion: """
            Each path is a report written by 'batch --report', the journal of a batch, or its output folder. If a job \
            appears more than once, the best result counts: done, then failed, then started.

            With a job file among the paths, all of its jobs count, also those that have not begun, and no others. Alone, it \
            means the batch in the output folder that it names. --failed prints the failed jobs as a new job file, which \
            'batch' runs again.

            Exits with status 0 if all jobs are done, otherwise 1.
            """)

    static let examples = [
        "livephoto batch report LivePhotos --html report.html",
        "livephoto batch report part-1.jsonl part-2.jsonl --csv report.csv",
        "livephoto batch report jobs.yaml LivePhotos --failed > again.jsonl",
    ]

    @Argument(
        help: ArgumentHelp("Reports, journals, output folders, and a job file.", valueName: "file|folder"),
        completion: .jobFiles)
    var paths: [String]

    @Option(help: ArgumentHelp("Write a CSV table for spreadsheets.", valueName: "file"), completion: .files(["csv"]))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write an HTML page with the failures and the key photos (of more than 500, a sample), which play from their movies.",
            valueName: "file"),
        completion: .files(["html"]))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the pairs, for --html. (default: the path, or the folder of the report)", valueName: "dir"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Print the failed jobs as a new job file, to run them again; needs the job file.")
    var failed = false

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(help: "Print one line of JSON for each job.")
    var json = false

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        if folder != nil, html == nil { throw ValidationError("--folder needs --html") }
        if failed, json {
            throw ValidationError("--failed and --json exclude each other: each prints lines of its own")
        }
        if let csv, csv == html { throw ValidationError("--csv and --html need different files") }
    }

    func run() async throws {
        logging.apply()
        let bar = ProgressDisplay("report", progress.form)
        defer { bar.clear() }
        let (report, file) = try read(bar)
        bar.clear()
        for error in report.unreadable { progress.say("warning: \(error)") }
        if report.otherJobs > 0 {
            progress.say("warning: \(counted(report.otherJobs, "job")) left out that the job file does not have")
        }
        for path in [html, csv].compactMap(\.self) {
            try report.check(FilePath(argument: path), replacesExisting: force)
        }
        let engine = try html.map { _ in try workerOptions.engine(logging) }
        if let html, let engine {
            try await report.writeHTML(to: FilePath(argument: html), engine, replacesExisting: force) {
                bar.show($0, of: $1, "photo", stage: "page")
            }
            bar.clear()
        }
        if let csv {
            let jobs = report.entries.count
            try report.writeCSV(to: FilePath(argument: csv), replacesExisting: force) {
                bar.show($0, of: jobs, "job", stage: "table")
            }
            bar.clear()
        }
        if failed {
            if let file { try printFailed(of: report, file) }
        } else if json {
            for entry in report.entries {
                try Task.checkCancellation()
                Terminal.printResult(try JSON.text(entry.record))
            }
        } else {
            try report.printText(columns: Terminal.columnsOfOutput) {
                try Task.checkCancellation()
                Terminal.printResult($0)
            }
        }
        if !report.isComplete { throw ExitCode(1) }
    }

    /// The report, and the job file among the paths.
    private func read(_ bar: ProgressDisplay) throws -> (MergedReport, JobFile?) {
        func show(_ records: Int) { bar.show(found: records, "record", stage: "merging") }
        var paths = [FilePath](arguments: paths)
        guard let index = paths.firstIndex(where: Self.isJobFile) else {
            if failed { throw UsageError("--failed needs the job file: livephoto batch report JOBFILE PATH --failed") }
            return (try MergedReport(paths, folder: folder.map { FilePath(argument: $0) }, progress: show), nil)
        }
        let path = paths.remove(at: index)
        if let other = paths.first(where: Self.isJobFile) {
            throw UsageError("\(quoted(path.string)) and \(quoted(other.string)) are two job files; name one")
        }
        let folder = folder.map { FilePath(argument: $0) }
        // Paths relative to the job file would mean others in the one that is printed.
        let file = try JobFile(
            CurrentProcess.folder.pushing(path), output: folder ?? paths.first(where: MergedReport.isBatch),
            presets: .withOwnPresets
        ) { bar.show(found: $0, "job", stage: "reading") }
        guard paths.isEmpty else {
            return (try MergedReport(paths, folder: folder, jobs: file.jobs, progress: show), file)
        }
        guard let output = file.output else {
            throw UsageError(
                "\(quoted(path.string)) names no output folder; add it: livephoto batch report \(shellWord(path.string)) FOLDER"
            )
        }
        // A batch that has not begun has no folder yet.
        let begun = MergedReport.isBatch(output) ? [output] : []
        return (try MergedReport(begun, folder: folder, jobs: file.jobs, progress: show), file)
    }

    /// Whether this is a job file and not a report.
    private static func isJobFile(_ path: FilePath) -> Bool {
        ["yaml", "yml", "json", "jsonl", "ndjson"].contains(path.extension?.lowercased())
            && FileSystem.exists(path) && !MergedReport.isReport(path)
    }

    private func printFailed(of report: MergedReport, _ file: JobFile) throws {
        let failed = report.entries.indices.filter { report.entries.status(of: $0) == .failed }
        if failed.isEmpty { return progress.say("no job has failed") }
        let output = report.folder ?? file.output
        if output == nil { progress.say("warning: the jobs are without an output folder; give 'batch' --output") }
        Terminal.printResult(Job.headLine(output: output))
        for job in failed.lazy.map({ file.jobs[$0] }) {
            try Task.checkCancellation()
            if let line = job.line {
                Terminal.printResult(line)
            } else {
                progress.say(
                    "warning: \(printable(job.id)): left out, because a job file cannot describe it; rename its input or output"
                )
            }
        }
    }
}
