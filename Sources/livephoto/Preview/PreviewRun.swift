import ArgumentParser
import LivePhotoBatch

/// Writes the page of `preview` and prints the results.
struct PreviewRun {
    let preview: Preview
    let items: [GalleryItem]
    let output: FilePath
    let isJSON: Bool
    let progress: ProgressOptions

    /// - Throws: the error of a single Live Photo or of the page; `ExitCode` if one of several Live Photos failed.
    func run(isDryRun: Bool, _ engine: MediaEngine) async throws {
        let bar = ProgressDisplay(output.lastComponent?.string ?? "preview", progress.form)
        defer { bar.clear() }
        var (done, failed) = (0, 0)
        func report(_ outcome: Preview.Outcome) throws {
            done += 1
            bar.show(done, of: items.count, "Live Photo")
            if case .failure(let error) = outcome.result, items.count == 1 { throw error }
            if isJSON { Terminal.printResult(try JSON.text(PreviewDocument(outcome, isDryRun: isDryRun))) }
            switch outcome.result {
            case .success(let copies):
                if isDryRun, !isJSON { try Terminal.print(line(outcome.item, copies)) }
            case .failure(let error):
                failed += 1
                Terminal.say(error: error, ofSeveral: true)
            }
        }
        if isDryRun {
            try await preview.plan(report: report)
            try preview.checkOutput()
        } else {
            try await preview.write(with: engine, report: report)
        }
        bar.clear()
        if !isDryRun, !isJSON { Terminal.printResult(lines: [output.string]) }
        guard failed > 0 else { return }
        progress.say("\(failed) of \(counted(items.count, "Live Photo")) cannot be shown")
        throw ExitCode(1)
    }

    /// `IMG_1.HEIC: photo as a JPEG copy, movie as an H.264 copy`
    private func line(_ item: GalleryItem, _ copies: (photo: Bool, movie: Bool)) -> String {
        let usual = preview.isLinked ? "linked" : "embedded"
        let photo = copies.photo ? "as a JPEG copy" : usual
        let movie = copies.movie ? "as an H.264 copy" : usual
        return "\(printable(item.name)): photo \(photo), movie \(movie)"
    }
}

/// Output of `preview --json` for a Live Photo.
struct PreviewDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    /// `shown`, `planned` or `failed`.
    private let status: String
    private let name: String
    private var files: [String] = []
    /// Whether browsers get a copy of the photo.
    private var photoCopy: Bool?
    private var movieCopy: Bool?
    private var code: String?
    private var exitCode: Int32?
    private var error: String?

    init(_ outcome: Preview.Outcome, isDryRun: Bool) {
        name = outcome.item.name
        switch outcome.item.source {
        case .pair(let pair): files = [pair.photo.string, pair.movie.string]
        case .container(let path): files = [path.string]
        case .unreadable(let error): files = [error.file?.string].compactMap(\.self)
        }
        switch outcome.result {
        case .success(let copies):
            status = isDryRun ? "planned" : "shown"
            (photoCopy, movieCopy) = (copies.photo, copies.movie)
        case .failure(let error):
            status = "failed"
            (code, exitCode, self.error) = (error.code.general.rawValue, error.code.exitStatus, "\(error)")
        }
    }
}
