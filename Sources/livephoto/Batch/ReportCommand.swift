import ArgumentParser
import LivePhotoBatch

struct ReportCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show the results of a batch, merged from all its parts.",
        usage: "livephoto report [<options>] <path> ...",
        discussion: """
            Each path is a report written by 'batch --report', the journal of a batch, or its output folder. If a job \
            appears more than once, the best result counts: done, then failed, then started.

            Exits with status 0 if all jobs are done, otherwise 1.
            """)

    static let examples = [
        "livephoto report LivePhotos --html report.html",
        "livephoto report part-1.jsonl part-2.jsonl --csv report.csv",
    ]

    @Argument(help: "Reports, journals or output folders.", completion: .reports)
    var paths: [String]

    @Option(help: ArgumentHelp("Write a CSV table for spreadsheets.", valueName: "file"), completion: .files(["csv"]))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write an HTML page with the failures and all key photos, which play from their movies' files.",
            valueName: "file"),
        completion: .files(["html"]))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the pairs, for --html. (default: the path, or the folder of the report)", valueName: "dir"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Print one line of JSON for each job.")
    var json = false

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        if folder != nil, html == nil { throw ValidationError("--folder needs --html") }
        if let csv, csv == html { throw ValidationError("--csv and --html need different files") }
    }

    func run() async throws {
        logging.apply()
        let report = try MergedReport(
            paths.map { FilePath(argument: $0) }, folder: folder.map { FilePath(argument: $0) })
        for error in report.unreadable { Terminal.say("warning: \(error)") }
        for path in [html, csv].compactMap(\.self) {
            try report.check(FilePath(argument: path), replacesExisting: force)
        }
        let engine = try html.map { _ in try workerOptions.engine(logging) }
        if let html, let engine {
            let bar = ProgressDisplay("report")
            defer { bar.clear() }
            try await report.writeHTML(to: FilePath(argument: html), engine, replacesExisting: force) {
                bar.show($0, of: $1, "photo")
            }
        }
        if let csv { try report.writeCSV(to: FilePath(argument: csv), replacesExisting: force) }
        if json {
            for entry in report.entries { Terminal.printResult(try JSON.text(entry.record)) }
        } else {
            Terminal.printResult(report.text(columns: Terminal.columnsOfOutput))
        }
        let totals = report.totals
        if totals.failed + totals.notDone > 0 { throw ExitCode(1) }
    }
}
