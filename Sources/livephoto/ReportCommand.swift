import ArgumentParser
import LivePhotoBatch

struct ReportCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show the results of a batch and of all its parts.",
        usage: "livephoto report [<options>] <path> ...",
        discussion: """
            Each path is a report that 'batch --report' wrote, a batch's journal, or the folder of its pairs. Where they \
            tell of the same job, by its id, what is best known counts: done, then failed, then begun.

            Ends with status 0 when all jobs are done, else 1.
            """)

    static let examples = [
        "livephoto report LivePhotos --html report.html",
        "livephoto report part-1.jsonl part-2.jsonl --csv report.csv",
    ]

    @Argument(help: "Reports, journals or folders.", completion: .file())
    var paths: [String]

    @Option(help: ArgumentHelp("Write a table for spreadsheets.", valueName: "file"), completion: .file())
    var csv: String?

    @Option(help: ArgumentHelp("Write a page with the key photos.", valueName: "file"), completion: .file())
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Where the pairs are that the page shows. (default: the path, or the report's folder)", valueName: "dir"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Print a JSON document a line for each job.")
    var json = false

    @Flag(name: .shortAndLong, help: "Replace files that are there.")
    var force = false

    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        if folder != nil, html == nil { throw ValidationError("--folder is for --html") }
        if let csv, csv == html { throw ValidationError("--csv and --html need a file each") }
    }

    func run() async throws {
        logging.apply()
        let report = try MergedReport(
            paths.map { FilePath(argument: $0) }, folder: folder.map { FilePath(argument: $0) })
        for error in report.unreadable { Terminal.say("warning: \(error)") }
        for path in [html, csv].compactMap(\.self) {
            try report.check(FilePath(argument: path), replacesExisting: force)
        }
        let (html, csv, force) = (html, csv, force)
        let worker = try html.map { _ in try workerOptions.worker(logging) }
        try await Interruption.guarding {
            if let html, let worker {
                let bar = ProgressBar("report")
                defer { bar.clear() }
                try await report.writeHTML(to: FilePath(argument: html), worker, replacesExisting: force) {
                    bar.show($0, of: $1, "photos")
                }
            }
            if let csv { try report.writeCSV(to: FilePath(argument: csv), replacesExisting: force) }
        }
        if json {
            for entry in report.entries { try Terminal.print(entry.record.json(.line)) }
        } else {
            try Terminal.print(report.text(columns: Terminal.columnsOfOutput))
        }
        let totals = report.totals
        if totals.failed + totals.notDone > 0 { throw ExitCode(1) }
    }
}
