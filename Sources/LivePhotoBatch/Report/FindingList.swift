import Bytes
import LivePhotoKit
import LivePhotoPages
import LivePhotoRequests
import MediaModel
public import SystemPackage

/// What a command has found about files that a person should look at: as text, a table and a page.
public struct FindingList: Sendable {
    /// Something about one or several files.
    public struct Finding: Sendable, Hashable {
        /// The files that it is about.
        public let files: [FilePath]
        /// Why, and what to do.
        public let doubt: Doubt

        /// - Parameters:
        ///   - files: the one whose picture is shown is the first.
        ///   - doubt: why, and what to do.
        public init(_ files: [FilePath], _ doubt: Doubt) {
            (self.files, self.doubt) = (files, doubt)
        }

        /// An error about files, without the name of the file if that is one of them.
        public init(_ error: LivePhotoError, _ files: [FilePath]) {
            let isNamed = error.file.map(files.contains) ?? true
            self.init(files, Doubt(isNamed ? error.reason : "\(error)"))
        }
    }

    private typealias Groups = ReasonGroups<Doubt, Finding>

    /// The title of the page.
    public let title: String
    /// What was done, by words such as `copied`.
    public var counts: [(name: String, count: Int)] = []
    private var groups = Groups()

    /// A list without findings.
    public init(title: String) { self.title = title }

    /// Whether there is nothing to look at.
    public var isEmpty: Bool { groups.isEmpty }

    /// Adds a finding.
    public mutating func add(_ finding: Finding) { groups.add(finding, finding.doubt, text: "\(finding.doubt)") }

    /// Lines for a terminal: each reason with what to do, and some of its files.
    ///
    /// - Parameter limit: the number of files that are named for each reason.
    public func lines(namingAtMost limit: Int) -> [String] {
        groups.sorted.flatMap { group in
            let count = group.elements.count
            let names = group.elements.prefix(limit).map { finding in
                let files = finding.files.prefix(limit).map { "\($0)" }.joined(separator: " + ")
                let more = finding.files.count > limit ? " and \(finding.files.count - limit) more" : ""
                let own = finding.doubt.reason == group.reason.reason ? "" : ": \(finding.doubt.reason)"
                return "  \(files)\(more)\(own)"
            }
            let isSame = group.elements.allSatisfy { $0.doubt.reason == group.reason.reason }
            let more = count > limit ? ["  and \(count - limit) more"] : []
            return ["\(count): \(isSame ? "" : "for reasons like this one: ")\(group.reason)"] + names + more
        }
    }

    private static let columns = CSV.line(["reason", "advice", "file", "otherFiles"])

    /// Checks before any work that a table can be written: an existing file is replaced only if it is such a table.
    ///
    /// - Throws: `LivePhotoError`.
    public static func checkCSV(_ path: FilePath) throws(LivePhotoError) { try check(path, beginsWith: columns) }

    /// Checks before any work that a page can be written: an existing file is replaced only if it is such a page.
    ///
    /// - Throws: `LivePhotoError`.
    public static func checkHTML(_ path: FilePath) throws(LivePhotoError) {
        try check(path, beginsWith: page(title: "").opening)
    }

    private static func check(_ path: FilePath, beginsWith opening: String) throws(LivePhotoError) {
        try StagedFile.check(path, replacingOnly: "a list") { file in
            try file.bytes(at: 0, count: opening.utf8.count).elementsEqual(opening.utf8)
        }
    }

    /// Writes a table for spreadsheets: a line for each finding, with its reason, what to do, and the files.
    ///
    /// - Throws: `LivePhotoError` if the file exists and must not be replaced, or cannot be written.
    public func writeCSV(to path: FilePath, replacesExisting: Bool = false) throws(LivePhotoError) {
        let file = try StagedFile(path, replacesExisting: replacesExisting)
        try file.write(Array(Self.columns.utf8))
        for group in groups.sorted {
            for finding in group.elements {
                let names = finding.files.map(\.string)
                let cells = [
                    finding.doubt.reason, finding.doubt.advice ?? "", names.first ?? "",
                    names.dropFirst().joined(separator: "; "),
                ]
                try file.write(Array(CSV.line(cells.map(CSV.cell)).utf8))
            }
        }
        try file.publish()
    }

    /// Writes an HTML page with the reasons, and the pictures of the photos. It embeds its pictures and needs no network.
    ///
    /// - Parameters:
    ///   - path: the page's file.
    ///   - engine: decodes the photos.
    ///   - replacesExisting: whether a file at `path` is replaced, once the page is complete.
    ///   - progress: called with the number of finished findings and the number of all.
    /// - Throws: `LivePhotoError` if the file exists and must not be replaced, it cannot be written, or the task was
    ///   cancelled.
    public func writeHTML(
        to path: FilePath, _ engine: MediaEngine, replacesExisting: Bool = false,
        progress: (Int, Int) -> Void = { _, _ in }
    ) async throws(LivePhotoError) {
        let file = try StagedFile(path, replacesExisting: replacesExisting)
        let groups = self.groups.sorted
        let total = groups.map(\.elements.count).reduce(0, +)
        var done = 0
        try file.write(Array(head.utf8))
        do {
            for group in groups {
                try file.write(Array(Self.head(of: group).utf8))
                try await concurrentForEach(
                    Thumbnail.parts(of: group.elements), width: Thumbnail.width,
                    work: { ($0, await engine.pageThumbnails(of: $0.map { $0.photo }, .photo)) }
                ) { findings, thumbnails in
                    for (finding, thumbnail) in zip(findings, thumbnails) {
                        if Task.isCancelled { throw CancellationError() }
                        try file.write(Array(Self.figure(finding, try? thumbnail.get(), from: path.folder).utf8))
                        done += 1
                        progress(done, total)
                    }
                }
                try file.write(Array("</div>\n</details>\n".utf8))
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.cancelled, nil, "the page was stopped")
        }
        try file.write(Array(page.foot.utf8))
        try file.publish()
    }

    private var page: Page { Self.page(title: title) }

    private static func page(title: String) -> Page {
        var page = Page(title: title)
        page.kind = "findings"
        (page.pictures, page.movies) = ("data: 'self' file:", "'self' file:")
        return page
    }

    private var head: String {
        let cells = counts.map { name, count in
            "<div><dt>\(HTML.text(name))</dt><dd>\(count)</dd></div>\n"
        }
        let found = groups.isEmpty ? "<p>Nothing to look at.</p>\n" : ""
        return page.head + "<h1>\(HTML.text(title))</h1>\n<dl class=\"sums\">\n\(cells.joined())</dl>\n\(found)"
    }

    private static func head(of group: Groups.Group) -> String {
        let advice = group.reason.advice.map { "<p class=\"origin\">\(HTML.text($0))</p>\n" } ?? ""
        return
            "<details open>\n<summary>\(group.elements.count): \(HTML.text(group.reason.reason))</summary>\n\(advice)"
            + "<div class=\"photos\">\n"
    }

    private static func figure(_ finding: Finding, _ thumbnail: Thumbnail?, from folder: FilePath) -> String {
        let name = finding.files.first?.lastComponent?.string ?? ""
        let picture =
            thumbnail.map { $0.image(alternative: name) } ?? finding.files.lazy.compactMap { shown($0, from: folder) }
            .first ?? "<p class=\"gone\">no picture</p>"
        let paths = finding.files.map { HTML.text($0.string) }.joined(separator: "<br>")
        return "<figure><div>\(picture)</div><figcaption><b>\(HTML.text(name))</b><br>\(paths)</figcaption></figure>\n"
    }

    /// A file that browsers show from where it is; nil for others.
    private static func shown(_ path: FilePath, from folder: FilePath) -> String? {
        let address = HTML.attribute(path.address(from: folder))
        return switch path.extension?.lowercased() {
        case "apng"?, "bmp"?, "gif"?, "png"?, "webp"?: "<img src=\"\(address)\" loading=\"lazy\" alt=\"\">"
        case "m4v"?, "mov"?, "mp4"?, "ogv"?, "webm"?:
            "<video src=\"\(address)\" preload=\"metadata\" controls muted></video>"
        default: nil
        }
    }
}

extension FindingList.Finding {
    private static let photoExtensions = FileTree.photoExtensions.union(["avif"])

    /// The first photo; an error if there is none.
    fileprivate var photo: Result<FilePath, LivePhotoError> {
        files.first { Self.photoExtensions.contains($0.extension?.lowercased() ?? "") }
            .map { .success($0) } ?? .failure(LivePhotoError(.noInput, nil, "there is no photo"))
    }
}
