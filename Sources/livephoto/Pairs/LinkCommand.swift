import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

struct LinkCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Link a photo and a movie as a Live Photo, without re-encoding.",
        usage: """
            livephoto link [<options>] <photo> <movie>
            livephoto link [<options>] --by-name <dir>
            """,
        discussion: """
            Writes the same content identifier into both files and the still time into the movie. Picture and sound \
            stay the same, bit for bit. The photo is a JPEG or HEIC, the movie a MOV or MP4 with H.264 or HEVC; for other formats \
            use 'convert --photo'. Linking again repairs a pair that was damaged by another program. A photo and a movie \
            that belong to different pairs by their content identifiers are linked only with --force.

            --output writes copies; --in-place changes the files themselves, either both or neither. The still time is \
            the one in the movie, or the moment that matches the photo, or the middle of the movie.

            Dates in the files are kept. A file without one gets the other's; if neither has one, both get that of a \
            sidecar of Google Takeout, or the one in the file name. If neither has a place, both get the sidecar's.

            --by-name links every photo and movie in a folder tree that belong together by their content identifiers, or \
            by their names, also as Google Takeout and phones write them, and by their dates and shapes. If the names \
            alone do not show that two files belong together, or the movie does not record the still time, the photo is looked for \
            in the movie, which takes longer; pairs whose pictures differ are skipped unless --still is given. --find-still looks \
            into every movie. A movie in \
            another format than MOV and MP4 is named, or converted with --convert-others. Copies keep \
            the folder structure, or are sorted into folders by date with --tree, where of equal pairs only one is \
            kept.

            With --in-place, a hidden journal records how to undo the changes, and 'undo' restores the files of a pair, or of \
            a folder tree, from it.
            """)

    static let examples = [
        "livephoto link beach.JPG beach.MOV --output Live",
        "livephoto link beach.JPG beach.MOV --still 0.5 --in-place",
        "livephoto link --by-name ~/Pictures --output Live --tree %Y/%m",
    ]

    @Argument(help: "The photo and its movie, or one of the two if both have the same name.", completion: .pairs)
    var paths: [String] = []

    @Option(
        help: ArgumentHelp("Link all pairs of a folder tree that have matching names.", valueName: "dir"),
        completion: .directory)
    var byName: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The still time: 1.5, 50% or #12. (default: the movie's, or the moment that the photo shows)",
            valueName: "time"))
    var still: String?

    @Flag(help: "Search the movie for the photo even if that is not needed.")
    var findStill = false

    @Flag(help: "With --by-name --output: convert movies in formats that cannot be linked, such as AVI.")
    var convertOthers = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The content identifier. (default: that of the files, or a new one)", valueName: "uuid"))
    var id: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The date of both files, or 'file' for the photo's modification time. (default: those that they have, or of a sidecar)",
            valueName: "date"),
        completion: .list(RequestedDate.words))
    var date: String?

    @OptionGroup var destination: DestinationOptions

    @Option(
        help: ArgumentHelp(
            "With --by-name --output: folders by date, such as %Y/%m, instead of those of the tree.",
            valueName: "pattern"))
    var tree: String?

    @OptionGroup var findings: FindingOptions

    @Flag(
        name: .shortAndLong,
        help: "Replace existing files, and link a photo and a movie of different pairs (not with --by-name).")
    var force = false

    @Flag(
        name: [.customShort("n"), .long], help: "Print what would be done, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each pair.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        if let byName {
            try await linkFolder(FilePath(argument: byName))
        } else {
            try await ItemTime.item { try await linkPair() }
        }
    }

    private func linkFolder(_ folder: FilePath) async throws {
        guard paths.isEmpty, id == nil, date == nil, destination.name == nil else {
            throw UsageError("--by-name finds the files itself and allows no file arguments, --id, --date or --name")
        }
        guard tree == nil && !convertOthers || !destination.inPlace else {
            let option = tree == nil ? "--convert-others" : "--tree"
            throw UsageError("\(option) applies only to copies; give --output DIR instead of --in-place")
        }
        let folders = tree.flatMap { DateFolders($0) }
        if let tree, folders == nil {
            throw DateFolders.usageError(tree)
        }
        let run = FolderLinkRun(
            engine: try workerOptions.engine(logging), folder: folder,
            destination: try destination.folderDestination(replacing: force), folders: folders,
            fallback: try value(still, of: "--still"), stillText: still, comparesAll: findStill,
            convertsOthers: convertOthers, isDryRun: dryRun, json: json, jobs: jobs, progress: progress)
        try findings.check()
        let (tally, list) = try await run.run()
        progress.say("\(tally)")
        try await findings.write(list, { run.engine }, progress.form)
        if tally.isFailure { throw ExitCode(1) }
    }

    private func linkPair() async throws {
        guard tree == nil && !convertOthers && !findings.isGiven else {
            let option =
                tree != nil ? "--tree" : convertOthers ? "--convert-others" : findings.html == nil ? "--csv" : "--html"
            throw UsageError("\(option) applies only to --by-name, which links a folder tree")
        }
        if paths.count == 1, FilePath(argument: paths[0]).isFolderOfFiles {
            throw UsageError("\(quoted(paths[0])) is a folder; --by-name \(shellWord(paths[0])) links all pairs in it")
        }
        let pair = try PairPaths(arguments: paths, byIdentifierOnly: true)
        let still: ClipTime? = try value(still, of: "--still")
        guard still == nil || !findStill else {
            throw UsageError(
                "--still and --find-still exclude each other: one sets the still time, the other searches for it")
        }
        let (place, name) = try destination.place(of: pair, replacing: force)
        var request = LinkRequest(photo: pair.photo, movie: pair.movie, to: place)
        (request.still, request.stillText) = (still, self.still)
        request.search = findStill ? .always : .ifUnknown
        request.contentIdentifier = try value(id, of: "--id")
        request.captureDate = try value(date, of: "--date")
        request.name = name
        request.joinsDifferentPairs = force
        let (source, moment) = try await workerOptions.engine(logging).read(request)
        Self.report(moment, progress, reportsFound: findStill)
        if dryRun { return try showPlan(pair, moment, try request.linker, place, name) }
        let result = try await request.link(source, moment)
        if !json { progress.warn(result.warnings) }
        let linked = result.livePhoto
        if json { return Terminal.printResult(try JSON.text(LinkDocument(result))) }
        Terminal.printResult(lines: [linked.photo.string, linked.movie.string])
    }

    /// Prints the files that would be written.
    private func showPlan(
        _ pair: PairPaths, _ moment: StillMoment, _ linker: LivePhotoLinker, _ place: LivePhotoLinker.Destination,
        _ name: String?
    ) throws {
        var plan: LivePhotoLinker.Plan?
        try DryRun.show(to: place) { files in
            json
                ? try plan.map { try JSON.text(LinkDocument($0, moment)) } ?? ""
                : files.map(\.string).joined(separator: "\n")
        } checking: {
            let checked = try linker.plan(photo: pair.photo, movie: pair.movie, name: name, to: $0)
            plan = checked
            return checked.files
        }
        if !json, let plan { progress.warn(plan.warnings) }
        if !json, let plan { Terminal.say("would be linked \(plan.words(moment))") }
    }

    private static func report(_ moment: StillMoment, _ progress: ProgressOptions, reportsFound: Bool) {
        switch moment.source {
        case .request, .movie, .photoMetadata, .middle: break
        case .photo(let similarity):
            guard reportsFound else { return }
            progress.say("found the photo at \(moment.time) (similarity \((similarity * 100).rounded() / 100))")
        case .guess(let reason): progress.say("warning: \(reason); the still is at \(moment.time)")
        }
    }
}

/// Output of `link --json`. Times are in seconds.
private struct LinkDocument: Encodable {
    let schema = 1
    let photo: String?
    let movie: String?
    let contentIdentifier: String?
    let stillTime: Double
    /// `2025-10-12T23:36:14+1300`
    let writtenDate: String?
    let writtenDateSource: CaptureDateSource?
    let writtenLocation: String?
    let warnings: [String]
    let dryRun: Bool

    init(_ result: LivePhotoLinker.Result) {
        photo = result.livePhoto.photo.string
        movie = result.livePhoto.movie.string
        contentIdentifier = result.livePhoto.contentIdentifier.string
        stillTime = result.stillTime.seconds
        writtenDate = result.writtenDate?.iso8601
        writtenDateSource = result.writtenDateSource
        writtenLocation = result.writtenLocation?.iso6709
        warnings = result.warnings
        dryRun = false
    }

    init(_ plan: LivePhotoLinker.Plan, _ moment: StillMoment) {
        (photo, movie, contentIdentifier) = (plan.files.first?.string, plan.files.last?.string, nil)
        stillTime = moment.time.seconds
        writtenDate = plan.writtenDate?.iso8601
        writtenDateSource = plan.writtenDateSource
        writtenLocation = plan.writtenLocation?.iso6709
        warnings = plan.warnings
        dryRun = true
    }
}
