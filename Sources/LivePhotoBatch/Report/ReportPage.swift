import LivePhotoKit
import LivePhotoPages
import LivePhotoRequests
import MediaModel

/// The HTML of a report. All text from files is escaped by `HTML`.
struct ReportPage {
    private let records: [JobRecord]
    private let totals: MergedReport.Totals
    private let groups: [MergedReport.Failures]

    init(_ report: MergedReport) {
        records = report.entries.map(\.record)
        totals = report.totals
        groups = report.failures
    }

    /// The part before the photos.
    var head: String {
        frame.head + "<h1>Live Photos</h1>\n\(summary)\n\(failures)\(unfinished)"
            + (totals.done > 0 ? "<section>\n<h2>Key photos</h2>\n<div class=\"photos\">\n" : "")
    }

    var foot: String {
        (totals.done > 0 ? "</div>\n</section>\n" : "") + frame.foot
    }

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

    /// When, where and by which version the jobs were run.
    private var origin: String {
        func list(_ name: String, _ values: [String?]) -> String? {
            let values = Set(values.compactMap(\.self)).sorted()
            guard let first = values.first else { return nil }
            return name + " "
                + (values.count > 8
                    ? "\(HTML.text(first)) and \(values.count - 1) others"
                    : values.map(HTML.text).joined(separator: ", "))
        }
        let parts = [
            records.compactMap(\.ended).max().map { "Last ended \(HTML.text($0))" },
            list("on", records.map(\.host)), list("parts", records.map(\.shard)),
            list("livephoto", records.map(\.version)),
        ].compactMap(\.self)
        return parts.isEmpty ? "" : "<p class=\"origin\">\(parts.joined(separator: " · "))</p>\n"
    }

    private var failures: String {
        guard !groups.isEmpty else { return "" }
        let lists = groups.map { group in
            "<details open>\n<summary>\(group.records.count) failed: \(HTML.text(group.reason))</summary>\n"
                + "\(group.records.map(Self.failure).joined())</details>\n"
        }
        return "<section>\n<h2>Failed</h2>\n\(lists.joined())</section>\n"
    }

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
        let open = records.filter { $0.status == .pending || $0.status == .started }
        guard !open.isEmpty else { return "" }
        let items = open.map { record in
            "<li>\(HTML.text(record.id))\(record.status == .started ? " <small>started</small>" : "")</li>\n"
        }
        return "<section>\n<h2>Not done</h2>\n<ul class=\"open\">\n\(items.joined())</ul>\n</section>\n"
    }

    /// A figure with the key photo, or with the reason why it cannot be shown.
    ///
    /// - Parameter movie: the address of the movie, which plays while the photo is pressed.
    static func figure(
        _ record: JobRecord, _ thumbnail: Result<Thumbnail, LivePhotoError>, movie: String?
    ) -> String {
        let picture =
            switch thumbnail {
            case .success(let thumbnail): Self.picture(record, thumbnail, movie: movie)
            case .failure(let error): "<p class=\"gone\">\(HTML.text("\(error)"))</p>"
            }
        var facts: [String] = []
        if let still = record.stillTime {
            let inClip = record.stillTimeInClip.map { ", \(Words.decimal($0, 2)) s in the clip" } ?? ""
            facts.append("still \(Words.decimal(still, 2)) s\(inClip)")
        }
        let sizes = [record.photo, record.movie].compactMap { $0.map { Words.size(bytes: $0.bytes) } }
        if !sizes.isEmpty { facts.append(sizes.joined(separator: " + ")) }
        let warnings = record.warnings.map { "<br><span class=\"warning\">\(HTML.text($0))</span>" }
        return "<figure><div>\(picture)</div><figcaption><b>\(HTML.text(record.id))</b><br>"
            + "\(facts.joined(separator: " · "))\(warnings.joined())</figcaption></figure>\n"
    }

    private static func picture(_ record: JobRecord, _ thumbnail: Thumbnail, movie: String?) -> String {
        let image = thumbnail.image(alternative: record.id, slot: "photo")
        guard let movie else { return image }
        return Player(photo: nil, movie: movie, still: record.stillTime, alternative: record.id).html(image)
    }
}
