import LivePhotoKit
import LivePhotoPages
import LivePhotoRequests
import MediaModel

/// The key photos of a page: all, or a sample and links to all files.
extension ReportPage {
    /// Key photos of a page that does not show all.
    private static let sampleCount = 240
    /// Links in a section.
    private static let sectionCount = 1_000
    /// Bytes of the links, which leave room for the rest of a page of 50 MB.
    private static let linkBytes = 30_000_000
    private static let warningLimit = 300

    /// The jobs whose photos the page shows: all, or a sample that is spread evenly over them.
    static func sample(of jobs: MergedReport.SomeEntries) -> [MergedReport.Entry] {
        guard jobs.count > mostShown else { return Array(jobs) }
        return (0..<sampleCount).map { jobs[$0 * jobs.count / sampleCount] }
    }

    /// The part before the figures.
    static func photosStart(_ shown: Int, of all: Int) -> String {
        let note =
            shown < all
            ? "<p class=\"origin\">\(shown) of \(all), evenly spread. <a href=\"#all\">Links to all files</a> follow.</p>\n"
            : ""
        return "<section>\n<h2>Key photos</h2>\n\(note)<div class=\"photos\">\n"
    }

    static let photosEnd = "</div>\n</section>\n"

    /// Writes links to the files of all jobs, in sections that are closed at first.
    ///
    /// - Parameter folder: the folder of the page.
    static func writeLinks<Failure>(
        to jobs: MergedReport.SomeEntries, from folder: AddressBase, _ write: (String) throws(Failure) -> Void
    ) throws(Failure) {
        try write("<section id=\"all\">\n<h2>All Live Photos</h2>\n")
        var (bytes, start) = (0, 0)
        while start < jobs.count {
            let part = Array(jobs[start..<min(start + sectionCount, jobs.count)])
            let items = part.map { link($0, from: folder) }.joined()
            bytes += items.utf8.count
            guard bytes <= linkBytes else { break }
            let names = [part.first, part.last].compactMap { $0.map { HTML.text(String($0.record.id.prefix(100))) } }
            try write(
                "<details>\n<summary>\(start + 1) to \(start + part.count): \(names.joined(separator: " to "))</summary>\n"
                    + "<ul class=\"links\">\n\(items)</ul>\n</details>\n")
            start += part.count
        }
        let others = jobs.count - start
        try write((others > 0 ? "<p>and \(counted(others, "other"))</p>\n\(tableNote)" : "") + "</section>\n")
    }

    private static func link(_ entry: MergedReport.Entry, from folder: AddressBase) -> String {
        let record = entry.record
        func link(_ output: JobRecord.Output?, _ text: String) -> String? {
            entry.path(of: output).map { "<a href=\"\(HTML.attribute(folder.address(of: $0)))\">\(text)</a>" }
        }
        let name = HTML.text(record.id)
        let movie = link(record.movie, "movie").map { " \($0)" } ?? ""
        let warnings = record.warnings.map {
            " <small class=\"warning\">\(HTML.text(String($0.prefix(warningLimit))))</small>"
        }
        return "<li>\(link(record.photo, name) ?? name)\(movie)\(warnings.joined())</li>\n"
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
