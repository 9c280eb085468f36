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
    }

    /// Whether a list is written.
    var isGiven: Bool { csv != nil || html != nil }

    /// Checks before any work that the files can be written. Existing ones are replaced, since they are of an earlier run.
    func check() throws(LivePhotoError) {
        for path in [csv, html].compactMap(\.self) { try StagedFile.check(FilePath(argument: path), replacing: true) }
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
