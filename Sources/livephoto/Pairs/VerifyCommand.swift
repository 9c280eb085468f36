import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage

struct VerifyCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check Live Photos and motion photos and report what is wrong with them.",
        usage: "livephoto verify [<options>] <photo> <movie> | <photo> ... | <folder> ...",
        discussion: """
            Pass a photo and its movie, one of the two if both have the same name, or folders. In folders, files are \
            paired by content identifier first and by name second, and files without a partner are reported. Only the \
            structure and metadata are read; --pixels also compares the pictures.

            Motion photos (Android) are checked by rules of their own. Without errors, some programs show the movie; \
            without warnings, strict readers do too, and "strict" in JSON is true.

            Exits with status 1 if a pair breaks a rule of severity "error" or a file in a folder cannot be read. \
            'livephoto rules' explains the rules.
            """)

    static let examples = [
        "livephoto verify beach.JPG beach.MOV",
        "livephoto verify --profile classic beach.MOV",
        "livephoto verify ~/Pictures --json > report.jsonl",
    ]

    @Argument(help: "A photo and its movie, one of the two, motion photos, or folders.", completion: .pairs)
    var paths: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The rules to apply: any, classic (H.264, 1080p, 12 to 15 fps) or wallpaper (lock screen). (default: any)",
            valueName: "profile"),
        completion: .words(of: Profile.self))
    var profile: String?

    @Flag(help: "Also compare the photo with the movie's frame at the still time.")
    var pixels = false

    @Flag(name: .shortAndLong, help: "Print only problems.")
    var quiet = false

    @Flag(help: "Print one line of JSON for each pair.")
    var json = false

    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let verifier = LivePhotoVerifier(profile: try value(profile, of: "--profile") ?? .any)
        if let motionPhotos = PairSources.motionPhotos(paths) {
            if pixels { throw UsageError("--pixels compares the files of a Live Photo, not those of a motion photo") }
            return try verify(motionPhotos, verifier)
        }
        let compare = try await comparison()
        switch try PairSources(paths) {
        case .pair(let pair):
            let report =
                if let compare {
                    try await Interruption.guarding {
                        try await verifier.verify(photo: pair.photo, movie: pair.movie, comparing: compare)
                    }
                } else {
                    try verifier.verify(photo: pair.photo, movie: pair.movie)
                }
            try show(report)
            if !report.isGood { throw ExitCode(1) }
        case .folders(let folders):
            let bar = ProgressDisplay("verifying")
            defer { bar.clear() }
            @Sendable func verify() async throws -> LibraryReport {
                try await verifier.verify(below: folders, comparing: compare, width: CurrentProcess.cores) {
                    done, total in
                    bar.show(done, of: total, "file")
                }
            }
            let report = compare == nil ? try await verify() : try await Interruption.guarding { try await verify() }
            bar.clear()
            try show(report)
            if !report.isGood { throw ExitCode(1) }
        }
    }

    private func verify(_ motionPhotos: [FilePath], _ verifier: LivePhotoVerifier) throws {
        var areGood = true
        for path in motionPhotos {
            let report = try verifier.verify(motionPhoto: path)
            areGood = areGood && report.isGood
            guard !quiet || !report.findings.isEmpty else { continue }
            try Terminal.print(json ? JSON.text(VerificationDocument(report)) : report.text)
        }
        if !areGood { throw ExitCode(1) }
    }

    private func comparison() async throws -> LivePhotoVerifier.PictureComparison? {
        guard pixels else { return nil }
        let worker = try workerOptions.worker(logging)
        // If a library is missing, fail here once, not for each pair.
        _ = try await Interruption.guarding { try await worker.environment() }
        return { photo, movie, stillTime throws(LivePhotoError) in
            try await worker.similarity(photo: photo, movie: movie, stillTime: stillTime)
        }
    }

    private func show(_ report: VerificationReport) throws {
        guard !quiet || !report.findings.isEmpty else { return }
        try Terminal.print(json ? JSON.text(VerificationDocument(report)) : report.text)
    }

    private func show(_ report: LibraryReport) throws {
        if json {
            for pair in report.pairs where !quiet || !pair.findings.isEmpty {
                try Terminal.print(JSON.text(VerificationDocument(pair)))
            }
            for file in report.files { try Terminal.print(JSON.text(VerificationDocument(file))) }
            for error in report.unreadable { try Terminal.print(JSON.text(VerificationDocument(error))) }
        } else {
            for pair in report.pairs where !pair.findings.isEmpty { try Terminal.print(pair.text + "\n") }
            for file in report.files {
                let names = file.files.map { printable($0.string) }.joined(separator: "\n")
                try Terminal.print("\(names)\n  \(file.finding)\n")
            }
        }
        for error in report.unreadable { Terminal.say(Failure.sentence(error)) }
        if !quiet, !json { try Terminal.print(report.summary) }
    }
}
