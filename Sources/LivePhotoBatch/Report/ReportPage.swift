import LivePhotoKit
import LivePhotoPages
import MediaModel

/// The HTML of a report. All text from files is escaped by `HTML`.
struct ReportPage {
    /// Up to so many, all key photos, all failed jobs and all unfinished ones are shown.
    static let mostShown = 500
    /// Of more failed jobs, examples of each reason are shown, and of more reasons only how many they are.
    private static let examples = 20
    private static let mostReasons = 50
    /// Keeps the page small if errors are long. A character may take five bytes.
    private static let textLimit = 1_000
    private static let lastLines = 3

    private let open: MergedReport.SomeEntries
    private let totals: MergedReport.Totals
    private let groups: [MergedReport.Failures]
    private let origin: String

    init(_ report: MergedReport) {
        var sum = MergedReport.Sum()
        var search = MergedReport.FailureSearch()
        var origin = ReportOrigin()
        for (number, entry) in report.entries.enumerated() {
            sum.add(entry.record)
            search.add(entry.record, number: number)
            origin.add(entry.record)
        }
        open = report.entries(report.entries.numbers { $0 == .pending || $0 == .started })
        (totals, groups, self.origin) = (sum.totals, search.failures(in: report), origin.html)
    }

    /// The part before the photos.
    var head: String {
        frame.head + "<h1>Live Photos</h1>\n\(summary)\n\(failures)\(unfinished)"
    }

    var foot: String { frame.foot }

    private var frame: Page {
        var page = Page(
            title: "Live Photos: \(totals.done) done, \(totals.failed) failed, \(totals.notDone) not done")
        page.scripts = [Player.script]
        page.movies = "'self' file:"
        return page
    }

    private var summary: String {
        var cells = [
            ("Done", "\(totals.done)", "done"), ("Failed", "\(totals.failed)", totals.failed > 0 ? "failed" : ""),
            ("Not done", "\(totals.notDone)", totals.notDone > 0 ? "open" : ""),
            ("Size", Words.size(bytes: totals.bytes), ""), ("Total time", Words.time(seconds: totals.seconds), ""),
        ]
        if let median = totals.medianSeconds { cells.append(("Median", Words.time(seconds: median), "")) }
        if let slowest = totals.slowest, let seconds = slowest.seconds {
            cells.append(("Slowest: \(slowest.id)", Words.time(seconds: seconds), ""))
        }
        let items = cells.map { name, value, kind in
            "<div class=\"\(kind)\"><dt>\(HTML.text(name))</dt><dd>\(HTML.text(value))</dd></div>"
        }
        return "<dl class=\"sums\">\n\(items.joined(separator: "\n"))\n</dl>\n" + origin
    }

    private var failures: String {
        guard !groups.isEmpty else { return "" }
        let isShort = totals.failed <= Self.mostShown
        let shown = isShort ? groups[...] : groups.prefix(Self.mostReasons)
        let lists = shown.map { group in
            let records = group.records(atMost: isShort ? group.count : Self.examples)
            let others = group.count - records.count
            let failures = records.map { Self.failure(isShort ? $0 : $0.shortened(Self.textLimit, Self.lastLines)) }
            let reason = isShort ? group.reason : String(group.reason.prefix(Self.textLimit))
            return
                "<details\(isShort ? " open" : "")>\n<summary>\(group.count) failed: \(HTML.text(reason))</summary>\n"
                + failures.joined() + (others > 0 ? "<p>and \(counted(others, "other"))</p>\n" : "") + "</details>\n"
        }
        let rest = groups.dropFirst(shown.count)
        let jobs = counted(rest.reduce(0) { $0 + $1.count }, "job")
        let note = rest.isEmpty ? "" : "<p>\(jobs) failed for \(counted(rest.count, "other reason")).</p>\n"
        return "<section>\n<h2>Failed</h2>\n\(isShort ? "" : Self.tableNote)\(lists.joined())\(note)</section>\n"
    }

    /// Where all jobs are.
    static let tableNote = "<p class=\"origin\">The table that --csv writes has all jobs.</p>\n"

    private static func failure(_ record: JobRecord) -> String {
        var facts = record.inputs.map { "input \(HTML.text($0.path))" }
        if let signal = record.signal { facts.append("ended by \(HTML.text(signal))") }
        if let exitCode = record.exitCode { facts.append("exit status \(exitCode)") }
        if let attempts = record.attempts, attempts > 1 { facts.append("tried \(attempts) times") }
        if let seconds = record.seconds { facts.append("after \(Words.time(seconds: seconds))") }
        if record.retryable == true { facts.append("a retry may succeed") }
        let words =
            record.lastWords.isEmpty ? "" : "<pre>\(record.lastWords.map(HTML.text).joined(separator: "\n"))</pre>\n"
        return """
            <article class="failure">
            <h3>\(HTML.text(record.id))</h3>
            <p>\(HTML.text(record.error ?? "failed"))</p>
            <p class="facts">\(facts.joined(separator: " · "))</p>
            \(words)</article>

            """
    }

    private var unfinished: String {
        guard totals.notDone > 0 else { return "" }
        let items: [String] = open.prefix(Self.mostShown).map { entry in
            let isStarted = entry.record.status == .started
            return "<li>\(HTML.text(entry.record.id))\(isStarted ? " <small>started</small>" : "")</li>\n"
        }
        let others = totals.notDone - items.count
        let note = others > 0 ? "<p>and \(counted(others, "other"))</p>\n" : ""
        return "<section>\n<h2>Not done</h2>\n<ul class=\"open\">\n\(items.joined())</ul>\n\(note)</section>\n"
    }
}

extension JobRecord {
    /// With texts of at most so many characters, and the last lines only.
    fileprivate func shortened(_ limit: Int, _ lines: Int) -> JobRecord {
        var copy = self
        copy.error = error.map { String($0.prefix(limit)) }
        copy.lastWords = lastWords.suffix(lines).map { String($0.prefix(limit)) }
        copy.inputs = Array(inputs.prefix(lines))
        return copy
    }
}
