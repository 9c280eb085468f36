import ArgumentParser
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests

/// The options for lists of what a person should look at.
struct FindingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write what to look at as a CSV table for spreadsheets.", valueName: "file"),
        completion: .files(["csv"]))
    var csv: String?

    @Option(
        help: ArgumentHelp("Write what to look at as an HTML page with pictures.", valueName: "file"),
        completion: .files(["html"]))
    var html: String?

    func validate() throws {
        if let csv, csv == html { throw ValidationError("--csv and --html need different files") }
        for (option, path, kinds) in [("--csv", csv, ["csv"]), ("--html", html, ["html", "htm"])] {
            guard let path, !kinds.contains(FilePath(argument: path).extension?.lowercased() ?? "") else { continue }
            throw ValidationError("\(option): give the name of a file that ends in .\(kinds[0])")
        }
    }

    /// Whether a list is written.
    var isGiven: Bool { csv != nil || html != nil }

    /// Checks before any work that the files can be written. Lists of an earlier run are replaced, and nothing else.
    func check() throws(LivePhotoError) {
        if let csv { try FindingList.checkCSV(FilePath(argument: csv)) }
        if let html { try FindingList.checkHTML(FilePath(argument: html)) }
    }

    /// Writes the files.
    ///
    /// - Parameter engine: decodes the photos of the page.
    func write(_ list: FindingList, _ engine: () throws -> MediaEngine, _ form: ProgressForm) async throws {
        if let csv { try list.writeCSV(to: FilePath(argument: csv), replacesExisting: true) }
        guard let html else { return }
        let bar = ProgressDisplay("page", form)
        defer { bar.clear() }
        try await list.writeHTML(to: FilePath(argument: html), engine(), replacesExisting: true) {
            bar.show($0, of: $1, "picture")
        }
    }
}
