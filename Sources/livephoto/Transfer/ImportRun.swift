import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests

/// Runs `import`, and prints a line for each item.
struct ImportRun: Sendable {
    let library: LibraryImport
    let folders: [FilePath]
    let output: FilePath
    let json: Bool
    let progress: ProgressOptions

    /// How many files are named for each reason on a terminal.
    private static let namedFiles = 10

    struct Result {
        var findings = FindingList(title: "Import")
        var hasFailed = false
    }

    /// - Throws: `Cancelled` if the task was cancelled.
    func run() async throws -> Result {
        let bar = ProgressDisplay("import", progress.form)
        defer { bar.clear() }
        var result = Result()
        var tally = ImportTally(isDryRun: library.isDryRun)
        do {
            try await library.run(folders, to: output) { progress in
                bar.show(progress.done, of: progress.total, progress.stage.unit, stage: progress.stage.rawValue)
            } onOutcome: { outcome in
                tally.count(outcome)
                result.findings.add(outcome)
                if case .failed = outcome.status { result.hasFailed = true }
                try show(outcome)
            }
        } catch let error as LivePhotoError where error.code == .cancelled {
            throw Cancelled(note: "\(tally); the same command continues")
        }
        bar.clear()
        result.findings.counts = tally.counts
        for line in result.findings.lines(namingAtMost: Self.namedFiles) { progress.say(line) }
        progress.say("\(tally)")
        return result
    }

    private func show(_ outcome: LibraryImport.Outcome) throws {
        if json { return Terminal.printResult(try JSON.text(ImportDocument(outcome))) }
        let names = outcome.sources.map { "\($0)" }.joined(separator: " + ")
        switch outcome.status {
        case .made: Terminal.printResult(lines: outcome.files.map(\.string))
        case .planned(let kind):
            let files = outcome.files.map { "\($0)" }.joined(separator: " + ")
            try Terminal.print(lines: ["\(names): would be \(kind == .file ? "copied as" : kind.verb) \(files)"])
        case .copy(let other):
            if library.isDryRun { try Terminal.print(lines: ["\(names): equal to \(other), not copied"]) }
        case .failed(let error): Terminal.say(error: error, ofSeveral: true)
        case .present, .leftOut: break
        }
    }
}

extension LibraryImport.Stage {
    /// A singular noun.
    fileprivate var unit: String {
        switch self {
        case .reading, .comparing: "file"
        case .pairing, .dating, .copying, .planning: "item"
        }
    }
}

extension LibraryImport.Kind {
    fileprivate var verb: String {
        switch self {
        case .livePhoto: "the Live Photo"
        case .motionPhoto: "the motion photo"
        case .photoAndMovie: "the photo and the movie"
        case .file: "the file"
        }
    }
}

extension FindingList {
    fileprivate mutating func add(_ outcome: LibraryImport.Outcome) {
        if case .failed(let error) = outcome.status { add(Finding(error, outcome.sources)) }
        for doubt in outcome.doubts { add(Finding(outcome.sources + outcome.related, doubt)) }
    }
}

/// How many items were made of what.
struct ImportTally {
    let isDryRun: Bool
    private var livePhotos = 0
    private var files = 0
    private var present = 0
    private var copies = 0
    private var leftOut = 0
    private var failed = 0

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    mutating func count(_ outcome: LibraryImport.Outcome) {
        switch outcome.status {
        case .made(.file), .planned(.file): files += 1
        case .made, .planned: livePhotos += 1
        case .present: present += 1
        case .copy: copies += 1
        case .leftOut: leftOut += 1
        case .failed: failed += 1
        }
    }

    /// What was done, for a page.
    var counts: [(name: String, count: Int)] {
        [
            ("Live Photos", livePhotos), ("Other photos and videos", files), ("There already", present),
            ("Copies left out", copies), ("No photos", leftOut), ("Failed", failed),
        ]
    }
}

extension ImportTally: CustomStringConvertible {
    /// `12 Live Photos and 3 other files imported, 4 there already`
    var description: String {
        let made = "\(counted(livePhotos, "Live Photo")) and \(counted(files, "other file"))"
        var parts = ["\(made) \(isDryRun ? "would be imported" : "imported")"]
        let others = [
            (present, "there already"), (copies, "equal to others and not copied"), (leftOut, "no photo or video"),
            (failed, "failed"),
        ]
        parts += others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.joined(separator: ", ")
    }
}

/// Output of `import --json` for an item.
private struct ImportDocument: Encodable {
    private let schema = 1
    private let status: String
    private var kind: LibraryImport.Kind?
    private let sources: [String]
    private let files: [String]
    private let doubts: [Doubt]
    private let related: [String]
    private var copyOf: String?
    private var error: String?

    init(_ outcome: LibraryImport.Outcome) {
        (sources, files) = (outcome.sources.map(\.string), outcome.files.map(\.string))
        (doubts, related) = (outcome.doubts, outcome.related.map(\.string))
        switch outcome.status {
        case .made(let kind): (status, self.kind) = ("made", kind)
        case .planned(let kind): (status, self.kind) = ("planned", kind)
        case .present(let kind): (status, self.kind) = ("present", kind)
        case .copy(let other): (status, copyOf) = ("copy", other.string)
        case .leftOut: status = "left-out"
        case .failed(let error): (status, self.error) = ("failed", "\(error)")
        }
    }
}
