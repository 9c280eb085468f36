import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

struct EditCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit Live Photos: still time, length, sound, date and identifier, crop, rotation, tone and colour.",
        usage: """
            livephoto edit [<options>] <pair> ... --output <path> | --in-place
            livephoto edit --undo <pair|folder> ... [--dry-run] [--json]
            """,
        discussion: """
            Pass a photo and its movie, or photos or movies of pairs whose other file has the same name. Pictures and \
            sound that are kept stay the same, bit for bit; the key photo keeps its picture.

            Times are on the movie's timeline before the edit, as in 'convert': 1.5, 50% or #12. --still takes the \
            nearest frame. A movie can only begin with a key frame, so --start moves to the one before; a note and \
            --dry-run say where that is. The still time must be in the part that is kept.

            --output writes copies with a new content identifier (--keep-id keeps it), which contain only the sound and \
            frames that are used. --in-place changes the files themselves, either both or neither, in the same short time \
            whatever their size: removed sound and frames are no longer played but stay in the movie's file, where other \
            programs can find them. To remove private material, write copies. A hidden journal records how to undo \
            changes in place, and --undo restores the files byte for byte.

            The changes above keep pictures and sound as they are. Crop, rotation, adjustments, effects, --speed and --volume \
            need new ones: photo and movie are then decoded in a separate process, changed alike, and encoded again, as \
            --dry-run says. Then --start is exact, frames keep their times, a HEIC stays one if libheif has an encoder, and --crop is in pixels of \
            the upright photo. With --in-place, the journal keeps the complete old files, and the JPEG replaces the HEIC.

            --effect loop keeps the part of the movie whose end joins its start best, or the part that --start and --end name, \
            and fades its end into its start. --effect bounce plays forward and then back. Both remove the sound. --effect \
            long-exposure replaces the photo by the mean of all frames, as if the camera had exposed for the whole time.
            """)

    static let examples = [
        "livephoto edit beach.JPG --still 1.2 --in-place",
        "livephoto edit beach.JPG beach.MOV --mute --end 2.5 --output Edited",
        "livephoto edit beach.JPG --exposure 0.5 --warmth 20 --fill 1:1 --output Edited",
        "livephoto edit beach.JPG --effect bounce --output Bounced",
        "livephoto edit --undo beach.JPG",
    ]

    @Argument(help: "The photo and its movie, or photos or movies of several pairs.", completion: .pairs)
    var paths: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The new still time: 1.5, 50% or #12. (default: the present one)", valueName: "time"))
    var still: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where the movie begins; the key frame at or before it.", valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where the movie ends, to the nearest frame.", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the movie, from --start or before --end.", valueName: "duration"))
    var duration: String?

    @Flag(help: "Remove the sound.")
    var mute = false

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
            "The content identifier. (default: a new one for copies, the present one in place)", valueName: "uuid"))
    var id: String?

    @Flag(help: "Keep the content identifier in copies.")
    var keepId = false

    @Flag(help: "Undo what 'edit --in-place' changed, of pairs or in folder trees.")
    var undo = false

    @Option(.crop) var crop: String?
    @Option(.fill) var fill: String?
    @Option(.fit) var fit: String?
    @OptionGroup(title: "Adjustments of photo and movie") var adjustments: AdjustmentOptions
    @OptionGroup(title: "Effect and speed") var motion: MotionOptions

    @OptionGroup var destination: DestinationOptions

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be done and how, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each pair, or with --undo for each file.")
    var json = false

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        undo ? try await undoEdits() : try await edit()
    }

    private func undoEdits() async throws {
        let others: [Any?] = [still, start, end, duration, date, id]
        guard others.allSatisfy({ $0 == nil }), encodedSettings.isEmpty, !mute, !keepId, destination.isEmpty, !force
        else {
            throw UsageError("--undo allows no other options than --dry-run and --json")
        }
        let run = UndoRun(
            command: .edit, paths: paths.map { FilePath(argument: $0) }, isDryRun: dryRun, json: json,
            progress: progress)
        let isComplete = try await Interruption.guarding {
            try await withTaskExecutorPreference(BlockingExecutor.shared) { try run.run() }
        }
        if !isComplete { throw ExitCode(1) }
    }

    private func edit() async throws {
        guard id == nil || !keepId else {
            throw UsageError(
                "--id and --keep-id exclude each other: one sets the content identifier, the other keeps it")
        }
        guard start == nil || end == nil || duration == nil else {
            throw UsageError("--start, --end and --duration: give at most two of the three")
        }
        var times = EditTimes()
        times.still = try value(still, of: "--still")
        times.start = try value(start, of: "--start")
        times.end = try value(end, of: "--end")
        times.duration = try value(duration, of: "--duration")
        var edits = LivePhotoEdits()
        edits.removesSound = mute
        if let identifier: ContentIdentifier = try value(id, of: "--id") { edits.identity = .set(identifier) }
        if keepId { edits.identity = .kept }
        let date: RequestedDate? = try value(date, of: "--date")
        guard times != EditTimes() || date != nil || edits != LivePhotoEdits() || !encodedSettings.isEmpty else {
            throw UsageError("nothing to change; 'livephoto edit --help' lists what can be changed")
        }
        let pairs = try PairPaths.several(paths)
        let keepsHEIC = encodesPhoto ? try await canEncodeHEIC(for: pairs) : false
        let (place, name) =
            pairs.count == 1
            ? try destination.place(of: pairs[0], replacing: force, becomesJPEG: encodesPhoto && !keepsHEIC)
            : (try severalPairsDestination(), nil)
        guard place != .inPlace || !keepId else {
            throw UsageError("--keep-id applies only to copies; files that are changed in place keep their identifier")
        }
        guard pairs.count == 1 || id == nil else {
            throw UsageError("--id applies only to a single pair; the pairs would have the same content identifier")
        }
        if !encodedSettings.isEmpty { return try await encode(pairs, to: place, name: name, date: date, keepsHEIC) }
        let run = EditRun(
            edits: edits, times: times, date: date, pairs: pairs, destination: place, name: name, isDryRun: dryRun,
            json: json, progress: progress)
        let isComplete = try await Interruption.guarding {
            try await withTaskExecutorPreference(BlockingExecutor.shared) { try run.run() }
        }
        if !isComplete { throw ExitCode(1) }
    }

    /// What was given that needs new pictures or new sound.
    private var encodedSettings: [(setting: Setting, text: String)] {
        ([(.crop, crop), (.fill, fill), (.fit, fit)] + adjustments.texts + motion.texts).compactMap { setting, text in
            text.map { (setting, $0) }
        }
    }

    /// Whether the pictures of photos are encoded again.
    private var encodesPhoto: Bool {
        encodedSettings.contains { setting, text in
            switch setting.path {
            case Setting.volume.path, Setting.speed.path: false
            case Setting.effect.path: text == MotionEffect.longExposure.rawValue
            default: true
            }
        }
    }

    /// Whether photos that are HEICs can stay ones, though their pictures change.
    private func canEncodeHEIC(for pairs: [PairPaths]) async throws -> Bool {
        guard try pairs.contains(where: { try PhotoFile.isHEIC($0.photo) }) else { return false }
        return try await workerOptions.worker(logging).environment().canEncodeHEIC
    }

    /// Decodes the pairs, changes their pictures and sound, and encodes them again.
    private func encode(
        _ pairs: [PairPaths], to place: LivePhotoLinker.Destination, name: String?, date: RequestedDate?,
        _ keepsHEIC: Bool
    ) async throws {
        let journals = place == .inPlace ? EditJournals() : nil
        defer { journals?.close() }
        let times: [(Setting, String?)] = [
            (.still, still), (.start, start), (.end, end), (.duration, duration),
        ]
        let given = encodedSettings + times.compactMap { setting, text in text.map { (setting, $0) } }
        let clips = try pairs.map { pair in
            let livePhoto = try LivePhoto(photo: pair.photo, movie: pair.movie)
            var request = try ConversionRequest(editing: pair.photo, pair.movie, outputDirectory: pair.photo.folder)
            request.journals = journals
            if case .directory(let directory, let replacesExisting) = place {
                (request.outputDirectory, request.replacesExisting) = (directory, replacesExisting)
            }
            request.requestedTimes = try request.preset.replace(given) { setting, message in
                UsageError("--\(setting.optionName): \(message)")
            }
            if mute { request.preset.audio.mode = .discard }
            request.name = name ?? request.name
            request.contentIdentifier =
                try value(id, of: "--id") ?? (keepId || place == .inPlace ? livePhoto.contentIdentifier : nil)
            request.captureDate = date
            request.keepsHEIC = keepsHEIC
            return ClipArguments.Clip(name: pair.photo.string, request: request)
        }
        let run = ConvertRun(
            worker: try workerOptions.worker(logging), slots: nil, isDryRun: dryRun,
            output: ConvertOutput(isJSON: json, isVerbose: logging.verbose, progress: progress, way: "encoded"))
        try await Interruption.guarding {
            var arguments = ClipArguments(clips)
            try await run.run(&arguments)
        }
    }

    private func severalPairsDestination() throws -> LivePhotoLinker.Destination {
        guard destination.name == nil else {
            throw UsageError("--name applies only to a single pair; otherwise each pair has the name of its photo")
        }
        return try destination.folderDestination(replacing: force)
    }
}
