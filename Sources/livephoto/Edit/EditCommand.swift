import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

struct EditCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit Live Photos: still time, length, sound, crop, rotation, tone, colour, effects and more.",
        usage: "livephoto edit [<options>] <pair> ... --output <path> | --in-place",
        discussion: """
            Pass a photo and its movie, or photos or movies of pairs whose other file has the same name. Copies are also \
            made of containers (.pvt, .livp, zip) and motion photos. Pictures and sound that are kept stay the same, bit for bit.

            Times are on the movie's timeline before the edit, as in 'convert': 1.5, 50% or #12. --still takes the \
            nearest frame. The photo keeps its picture; with --new-key-photo, it gets that of the frame. A movie can only \
            begin with a key frame, so --start moves to the one before; a note and --dry-run say where that is. \
            With --exact, the movie is encoded again if need be, to begin with the frame itself. The still time must be in the part that is kept.

            --output writes copies with another content identifier (--keep-id keeps it), which contain only the sound and \
            frames that are used; the same edit makes the same files. --in-place changes the files themselves, either both or neither, in the same short time \
            whatever their size: removed sound and frames are no longer played but stay in the movie's file, where other \
            programs can find them. To remove private material, write copies. A hidden journal records how to undo \
            changes in place, and 'undo' restores the files byte for byte.

            Crop, rotation, adjustments, --speed, --volume and the effects loop and bounce need new pictures or sound: photo \
            and movie are then decoded in a separate process, changed alike, and encoded again, as --dry-run says. Then \
            --start is exact, frames keep their times, and --crop is in pixels of the upright photo. HEVC stays HEVC, a HEIC \
            stays one, and HDR stays HDR unless tone and colour change; other codecs become H.264. --video-codec, \
            --photo-format and --hdr choose others. With --in-place, the journal keeps the complete old files.

            --effect loop keeps the part of the movie whose end joins its start best, or the part that --start and --end \
            name, and fades its end into its start. --effect bounce plays forward and then back. Both remove the sound. \
            --effect long-exposure replaces the photo by the mean of all frames, as if the camera had exposed for the whole \
            time; the movie is kept as it is.

            What was changed is stored beside the pair, as beach.edit.yaml for beach.JPG, in place of what an edit before it \
            has stored. --recipe applies such a file to \
            other pairs; its keys are the names of the options, such as 'exposure: 0.5' or 'no-audio: true', but 'videoCodec' and \
            'photoFormat', as in job files.
            """)

    static let examples = [
        "livephoto edit beach.JPG --still 1.2 --new-key-photo --in-place",
        "livephoto edit beach.JPG beach.MOV --no-audio --end 2.5 --output Edited",
        "livephoto edit beach.JPG --exposure 0.5 --warmth 20 --fill 1:1 --output Edited",
        "livephoto edit beach.JPG --effect bounce --output Bounced",
        "livephoto edit *.JPG --recipe Edited/beach.edit.yaml --output All",
    ]

    @Argument(
        help:
            "The photo and its movie, or photos or movies of several pairs; for copies also .pvt, .livp and motion photos.",
        completion: .pairsAndContainers)
    var paths: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The new still time: 1.5, 50% or #12, or auto for the best frame. (default: the present one)",
            valueName: "time|auto"), completion: .words(of: RequestedStill.self))
    var still: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where the movie begins; the key frame at or before it.", valueName: "time"))
    var start: String?

    @Flag(help: "Begin exactly at --start, also between key frames; the movie is then encoded again.")
    var exact = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where the movie ends, to the nearest frame.", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the movie, from --start or before --end.", valueName: "duration"))
    var duration: String?

    @Flag(help: "Replace the key photo by the movie's frame at the still time, as Make Key Photo in Photos does.")
    var newKeyPhoto = false

    @Flag(help: "Omit the sound.")
    var noAudio = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The date of both files, or 'file' for the photo's modification time. (default: those they have)",
            valueName: "date"),
        completion: .list(RequestedDate.words))
    var date: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The content identifier. (default: for copies one that follows from the pair and the edit, in place the present one)",
            valueName: "uuid"))
    var id: String?

    @Flag(help: "Keep the content identifier in copies.")
    var keepId = false

    @Option(.crop) var crop: String?
    @Option(.fill) var fill: String?
    @Option(.fit) var fit: String?
    @OptionGroup(title: "Adjustments of photo and movie") var adjustments: AdjustmentOptions
    @OptionGroup(title: "Effect and speed") var motion: MotionOptions

    @Option(
        .videoCodec, "Encode the movie with this codec: \(VideoCodec.allowed).",
        fallback: "hevc if it is HEVC, otherwise h264")
    var videoCodec: String?
    @Option(
        .photoFormat, "Encode the photo in this format: \(KeyPhotoFormat.allowed).", fallback: "the one that it has")
    var photoFormat: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What becomes of HDR: keep or tone-map. (default: keep in HEVC and HEIC if the edit can, otherwise tone-map)",
            valueName: Setting.hdr.valueName),
        completion: .list([HDRMode.keep, .toneMap].map(\.rawValue)))
    var hdr: String?

    @OptionGroup(title: "Recipes") var recipes: RecipeOptions

    @OptionGroup var destination: DestinationOptions

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be done and how, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each pair.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        guard id == nil || !keepId else {
            throw UsageError(
                "--id and --keep-id exclude each other: one sets the content identifier, the other keeps it")
        }
        var identity = LivePhotoEdits.Identity.automatic
        if let identifier: ContentIdentifier = try value(id, of: "--id") { identity = .set(identifier) }
        if keepId { identity = .kept }
        let date: RequestedDate? = try value(date, of: "--date")
        if noAudio, adjustments.volume != nil {
            throw UsageError("--no-audio and --volume exclude each other: one leaves the sound out")
        }
        try ownRecipe.check { UsageError("--\($0.optionName): \($1)") }
        let recipe = try recipes.read()?.overridden(by: ownRecipe) ?? ownRecipe
        guard !recipe.isEmpty || date != nil || identity != .automatic else {
            throw UsageError("nothing to change; 'livephoto edit --help' lists what can be changed")
        }
        let sources = try LivePhotoSource.all(paths, byIdentifierOnly: true)
        let encodesPhoto = try recipe.encodesPhoto
        let keepsHEIC = encodesPhoto ? try await canEncodeHEIC(for: sources) : false
        let (place, name) =
            sources.count == 1
            ? try destination.place(replacing: force) {
                if let format = recipe[.photoFormat] { return format == KeyPhotoFormat.heic.rawValue ? "HEIC" : "JPG" }
                let isHEIC = try sources[0].isHEIC && (!encodesPhoto || keepsHEIC)
                return isHEIC ? "HEIC" : "JPG"
            }
            : (try severalPairsDestination(), nil)
        if place == .inPlace, let container = sources.first(where: { $0.container != nil }) {
            throw UsageError(
                "--in-place: \(quoted(container.name)) contains a photo and its movie; write a copy with --output, or make "
                    + "files of them with livephoto extract")
        }
        guard place != .inPlace || !keepId else {
            throw UsageError("--keep-id applies only to copies; files that are changed in place keep their identifier")
        }
        guard sources.count == 1 || id == nil else {
            throw UsageError("--id applies only to a single pair; the pairs would have the same content identifier")
        }
        try recipes.check(recipe, inputs: sources.flatMap { [$0.photo, $0.movie] }, replacing: force)
        var settings = EditSettings(recipe, to: place)
        (settings.identity, settings.captureDate) = (identity, date)
        (settings.name, settings.keepsHEIC) = (name, keepsHEIC)
        let isComplete = recipe.isEncoded ? try await encode(sources, settings) : try await editOnly(sources, settings)
        if !dryRun { try recipes.save(recipe, replacing: force) }
        if !isComplete { throw ExitCode(1) }
    }

    /// What is given by options.
    private var ownRecipe: EditRecipe {
        let others: [(Setting, String?)] = [
            (.still, still), (.start, start), (.end, end), (.duration, duration), (.crop, crop), (.fill, fill),
            (.fit, fit), (.videoCodec, videoCodec), (.photoFormat, photoFormat), (.hdr, hdr),
        ]
        let switches: [(EditRecipe.Switch, Bool)] = [(.noAudio, noAudio), (.newKeyPhoto, newKeyPhoto), (.exact, exact)]
        return EditRecipe(others + adjustments.texts + motion.texts, Set(switches.filter(\.1).map(\.0)))
    }

    /// Whether HEICs whose pictures change can be encoded as HEICs again.
    private func canEncodeHEIC(for sources: [LivePhotoSource]) async throws -> Bool {
        guard try sources.contains(where: { try $0.isHEIC }) else { return false }
        return try await workerOptions.engine(logging).environment().canEncodeHEIC
    }

    private func editOnly(_ sources: [LivePhotoSource], _ settings: EditSettings) async throws -> Bool {
        let run = EditRun(sources: sources, settings: settings, isDryRun: dryRun, json: json, progress: progress)
        return try await withTaskExecutorPreference(BlockingExecutor.shared) { try run.run() }
    }

    private func encode(_ sources: [LivePhotoSource], _ settings: EditSettings) async throws -> Bool {
        let output = ConvertOutput(isJSON: json, isVerbose: logging.verbose, progress: progress)
        let run = EncodedEditRun(
            sources: sources, settings: settings,
            run: ConvertRun(
                worker: try workerOptions.worker(logging), slots: jobs.count, isDryRun: dryRun, output: output))
        return try await run.run()
    }

    private func severalPairsDestination() throws -> LivePhotoLinker.Destination {
        guard destination.name == nil else {
            throw UsageError("--name applies only to a single pair; otherwise each pair has the name of its photo")
        }
        return try destination.folderDestination(replacing: force)
    }
}
