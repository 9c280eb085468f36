import ArgumentParser
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage

struct VerifyCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check Live Photos and motion photos and report what is wrong with them.",
        usage: """
            livephoto verify [<options>] <photo> <movie> | <photo> ... | <folder> ...
            livephoto verify --explain [<rule> ...] [--json]
            """,
        discussion: """
            Pass a photo and its movie, photos whose movies have the same names, motion photos, or folders. In folders, \
            files are paired by content identifier first and by name second, and files without a partner are reported. \
            Only the structure and metadata are read; --pixels also compares the pictures of pairs.

            Motion photos (Android) are checked by rules of their own, in folders those that are not part of a pair. \
            Without errors, some programs show the movie; without warnings, strict readers do too, and "strict" in JSON \
            is true.

            Exits with status 1 if a pair or motion photo breaks a rule of severity "error", or one of several files \
            cannot be read or is not part of a pair. With --quiet, pairs without findings are not printed. \
            --explain tells what the rules mean and how to fix what breaks them.

            What the profile wallpaper checks is reported by others from a reading of iOS; no device has confirmed it \
            here, and a pair that passes may still not move on a lock screen.
            """)

    static let examples = [
        "livephoto verify beach.JPG beach.MOV",
        "livephoto verify --profile classic beach.MOV",
        "livephoto verify ~/Pictures --json > report.jsonl", "livephoto verify --explain still-time-value",
    ]

    @Argument(help: "A photo and its movie, photos of pairs, motion photos, or folders.", completion: .pairs)
    var paths: [String] = []

    @Flag(
        help: "Explain the rules that are named, or all rules: what happens if a pair breaks one, and how to fix that.")
    var explain = false

    @Flag(help: .hidden)
    var markdown = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The rules to apply: any, classic (H.264, 1080p, 12 to 15 fps), modern (HEVC, up to 30 fps) or wallpaper (lock \
            screen); those for motion photos always apply. (default: any)
            """,
            valueName: "profile"),
        completion: .words(of: Profile.self))
    var profile: String?

    @Flag(help: "Also compare the photo with the movie's frame at the still time.")
    var pixels = false

    @OptionGroup var findings: FindingOptions

    @Flag(help: "Print a line of JSON for each pair, motion photo and problem.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        if explain {
            return try Terminal.print(RuleExplanation.text(of: paths, json: json, markdown: markdown))
        }
        guard !paths.isEmpty else { throw UsageError("name a photo and its movie, or a folder") }
        var verifier = LivePhotoVerifier(profile: try value(profile, of: "--profile") ?? .any)
        let sources = try VerifySources(paths)
        if case .files(let files) = sources, !files.contains(where: { if case .pair = $0 { true } else { false } }) {
            if pixels { throw UsageError("--pixels compares the files of a Live Photo, not those of a motion photo") }
            if profile != nil {
                throw UsageError("--profile selects rules for Live Photos; those for motion photos always apply")
            }
        }
        var compare: LivePhotoVerifier.PictureComparison?
        if pixels {
            let engine = try workerOptions.engine(logging)
            // If a library is missing, fail here once, not for each pair.
            _ = try await engine.environment()
            compare = { photo, movie, stillTime throws(LivePhotoError) in
                try await engine.similarity(photo: photo, movie: movie, stillTime: stillTime)
            }
            verifier.measureSteadiness = { movie, stillTime throws(LivePhotoError) in
                try await engine.steadiness(of: movie, stillTime: stillTime)
            }
        }
        try findings.check()
        switch sources {
        case .files(let files):
            guard !findings.isGiven else {
                throw UsageError("--csv and --html list what is wrong in folders; name a folder")
            }
            var areGood = true
            for file in files {
                do {
                    let isGood = try await ItemTime.item { try await verify(file, verifier, comparing: compare) }
                    areGood = isGood && areGood
                } catch let error as LivePhotoError where files.count > 1 && error.code != .cancelled {
                    areGood = try show(error, kind: "unreadable")
                }
            }
            if !areGood { throw ExitCode(1) }
        case .folders(let folders):
            let bar = ProgressDisplay("verifying", progress.form)
            defer { bar.clear() }
            let report = try await verifier.verify(
                below: folders, comparing: compare, width: jobs.width,
                // Each file is read and checked, which are two steps.
                progress: { bar.show($0 / 2, of: $1 / 2, "file") },
                onResult: { try show($0) })
            bar.clear()
            if !progress.quiet, !json { try Terminal.print(report.summary) }
            if findings.isGiven {
                try await findings.write(
                    FindingList(of: report), { try workerOptions.engine(logging) }, progress.form)
            }
            if !report.isGood { throw ExitCode(1) }
        }
    }

    /// Checks a file or pair and prints the result.
    ///
    /// - Returns: whether it is good.
    private func verify(
        _ file: VerifySources.File, _ verifier: LivePhotoVerifier,
        comparing compare: LivePhotoVerifier.PictureComparison?
    ) async throws -> Bool {
        switch file {
        case .pair(let pair):
            let report =
                if let compare {
                    try await verifier.verify(photo: pair.photo, movie: pair.movie, comparing: compare)
                } else {
                    try verifier.verify(photo: pair.photo, movie: pair.movie)
                }
            try show(report)
            return report.isGood
        case .motionPhoto(let path):
            let report = try verifier.verify(motionPhoto: path)
            try show(report)
            return report.isGood
        case .unpaired(let error): return try show(error, kind: "unpaired")
        }
    }

    /// - Returns: False.
    private func show(_ error: LivePhotoError, kind: String) throws -> Bool {
        if json { try Terminal.print(JSON.text(VerificationDocument(error, kind: kind))) }
        Terminal.say(error: error)
        return false
    }

    private func show(_ report: VerificationReport) throws {
        guard !progress.quiet || !report.findings.isEmpty else { return }
        try Terminal.print(json ? JSON.text(VerificationDocument(report)) : report.text)
    }

    private func show(_ report: MotionPhotoReport) throws {
        guard !progress.quiet || !report.findings.isEmpty else { return }
        try Terminal.print(json ? JSON.text(VerificationDocument(report)) : report.text)
    }

    /// Prints one of the results in folders: as JSON all, else only those with findings.
    private func show(_ result: LibraryReport.Entry) throws {
        switch result {
        case .pair(let report):
            try show(json ? JSON.text(VerificationDocument(report)) : report.text + "\n", report.findings)
        case .motionPhoto(let report):
            try show(json ? JSON.text(VerificationDocument(report)) : report.text + "\n", report.findings)
        case .files(let file):
            let names = file.files.map { printable($0.string) }.joined(separator: "\n")
            try Terminal.print(json ? JSON.text(VerificationDocument(file)) : "\(names)\n  \(file.finding)\n")
        case .unreadable(let error):
            if json { try Terminal.print(JSON.text(VerificationDocument(error))) }
            Terminal.say(error: error)
        }
    }

    private func show(_ text: @autoclosure () throws -> String, _ findings: [Finding]) throws {
        if json && !progress.quiet || !findings.isEmpty { try Terminal.print(text()) }
    }
}
