import ArgumentParser
import LivePhotoBatch
import LivePhotoRequests
import LivePhotoWorker
import MediaModel

struct ConvertCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert clips to Live Photos.",
        usage: "livephoto convert [<options>] <clip> ...",
        discussion: """
            Writes the key photo NAME.JPG and the paired video NAME.MOV and prints their paths, or a summary on a \
            terminal. The photo is the frame of the clip at --still, or the file given with --photo (a HEIC is written \
            as NAME.HEIC). The movie is the part of the clip around that moment.

            Several clips are converted at a time, each in its own process. All video files in a folder are converted \
            into the same folder structure below --output; the movies of Live Photos, motion photos and the output \
            folder are skipped. If one clip fails, the others are still converted and the exit status is 1. \
            The same command again makes what is missing: pairs that were made of the same clip with the same settings are kept.

            Exits with 64 for a wrong command, 65 if the clip cannot be used, 66 if it does not exist, 69 if a library is missing, \
            73 if files exist already or cannot be created, 74 if the disk is full, 75 for a failure that may be temporary.

            Several times for --still, separated by commas, make several Live Photos of a clip: NAME-1, NAME-2 and so on; \
            --count chooses its best moments.

            Times are written as 2.5, 2.5s, 1500ms, 0:01:02.5 (hours, minutes, seconds), 50% (of the clip) or #37 \
            (frame 37, counting from 0).
            """)

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
        "livephoto convert concert.mkv --start 1:30 --end 1:33 --preset smooth",
        "livephoto convert concert.mkv --still 2.5,7,0:31",
        "livephoto convert ~/Clips --output ~/LivePhotos",
    ]

    @Argument(
        help: ArgumentHelp(
            "Video files in any format that FFmpeg reads, folders of them, or '-' for standard input.",
            valueName: "clip"),
        completion: .clips)
    var clips: [String]

    // Settings are strings, because `request` gives better errors for wrong values than ArgumentParser.

    @Option(.still) var still: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Make this many Live Photos of each clip, at its best moments: NAME-1, NAME-2 and so on.", valueName: "n"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "Use this key photo instead of the clip's frame. JPEG and HEIC are re-encoded only if they are "
                + "adjusted; other formats become JPEG.",
            valueName: "file"),
        completion: .pictures)
    var photo: String?

    @Option(.start) var start: String?
    @Option(.end) var end: String?
    @Option(.duration) var duration: String?
    @Option(.before) var before: String?
    @Option(.after) var after: String?

    @Option(
        help: ArgumentHelp("Name or file of a preset; see 'livephoto presets list'.", valueName: "name|file"),
        completion: .presets)
    var preset: String = PresetLibrary.defaultName

    @Option(.videoCodec) var videoCodec: String?
    @Option(.frameRate) var fps: String?
    @Option(.maxSize) var maxSize: String?
    @Option(.crop) var crop: String?
    @Option(.fill) var fill: String?
    @Option(.fit) var fit: String?
    @Option(.hdr) var hdr: String?
    @Option(.toneMap) var toneMap: String?
    @Option(.background) var background: String?
    @Option(.photoFormat) var photoFormat: String?
    @Flag(help: ArgumentHelp(stringLiteral: Setting.repeatFrames.help)) var repeatFrames = false
    @Option(.livePhotoInfo) var motion: String?

    @OptionGroup(title: "Adjustments of photo and movie") var adjustments: AdjustmentOptions
    @OptionGroup(title: "Effect and speed") var effect: MotionOptions

    @Flag(help: "Omit the sound.")
    var noAudio = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The content identifier. (default: one that follows from the clip and the settings)", valueName: "uuid"))
    var id: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Output folder; created if missing. With the extension .MOV, .JPG or .HEIC, folder and name of both files.",
            valueName: "path"),
        completion: .directory)
    var output: String = "."

    @Option(
        help: ArgumentHelp(
            "Name of both files; may have {stem}, {folder}, {extension}, {index} and {date:%Y-%m-%d}. "
                + "(default: that of the clip, followed by -live if the clip or --photo has this name itself)",
            valueName: "name"))
    var name: String?

    @Flag(help: "Omit the location where the clip was recorded.")
    var noLocation = false

    @Flag(help: "Omit the date, location and camera of the clip.")
    var noMetadata = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "When the clip was recorded, such as 2025-10-12T23:36:14+13:00, or 'file' for the file's modification time. "
                + "(default: the date in the clip, in a sidecar of Google Takeout, or in the file name)",
            valueName: "date"),
        completion: .list(RequestedDate.words))
    var date: String?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be made, but make nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each clip.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let paths = [FilePath](arguments: clips)
        let inputError = try ClipArguments.checkStandardInput(paths)
        let isSingle = ClipArguments.areSingle(paths)
        let moments = try Moments(still: still, count: count)
        let names = try name.map { name throws(UsageError) in
            do throws(LivePhotoError) {
                return try NameTemplate(name)
            } catch {
                throw UsageError("--name: \(error)")
            }
        }
        guard isSingle || names?.hasPlaceholders ?? true && id == nil && photo == nil else {
            throw UsageError(
                "--name, --id and --photo apply only to a single clip; a --name with {stem} or {index} applies to many")
        }
        guard moments.isOne || id == nil && photo == nil else {
            throw UsageError("--id and --photo apply only to a single Live Photo, not to several moments of a clip")
        }
        let template = try request(isSingle: isSingle, moments, names)
        let run = ConvertRun(
            worker: try workerOptions.worker(logging), slots: jobs.count, isDryRun: dryRun,
            output: ConvertOutput(isJSON: json, isVerbose: logging.verbose, progress: progress), moments: moments,
            names: names?.hasPlaceholders == true ? names : nil)
        let display = ClipSearchDisplay(run.output.progress.form)
        defer { display.clear() }
        var arguments = try await ClipArguments(paths, template, inputError: inputError) { display.show($0) }
        defer { withExtendedLifetime(arguments) {} }
        display.clear()
        try await run.run(&arguments)
    }

    /// The request for each clip, without the clip.
    private func request(
        isSingle: Bool, _ moments: Moments, _ names: NameTemplate?
    ) throws -> ConversionRequest {
        let (settings, times) = try settings(over: PresetLibrary.withOwnPresets.resolve(preset), moments)
        var request = ConversionRequest(clip: "", preset: settings)
        request.photo = photo.map { FilePath(argument: $0) }
        if let photo = request.photo, FileTree.movieExtensions.contains(photo.extension?.lowercased() ?? "") {
            throw LivePhotoError(.unusableMedia, photo, "is a movie; --still takes the photo from the clip")
        }
        if isSingle {
            // A template is filled in when the clip is known.
            let place = try OutputPlace(output, name: names?.hasPlaceholders == true ? nil : name)
            guard place.name == nil || names?.hasPlaceholders != true else {
                throw UsageError("--output: \(quoted(output)) already is a name; leave --name out, or give a folder")
            }
            (request.outputDirectory, request.name) = (place.directory, place.name)
            try place.check { [request] in try request.publishedPhotoExtension() }
        } else {
            request.outputDirectory = try OutputPlace.folder(output)
        }
        request.work.requestedTimes = times
        request.contentIdentifier = try value(id, of: "--id")
        request.captureDate = try value(date, of: "--date")
        request.replacesExisting = force
        return request
    }

    /// - Returns: the settings, and the requested times as they were written.
    private func settings(
        over preset: Preset, _ moments: Moments
    ) throws(UsageError) -> (Preset, [String: String]) {
        let texts: [(Setting, String?)] =
            [
                (.still, moments.isOne ? still : nil), (.start, start), (.end, end), (.duration, duration),
                (.before, before), (.after, after),
                (.crop, crop), (.fill, fill), (.fit, fit), (.hdr, hdr), (.toneMap, toneMap), (.background, background),
                (.videoCodec, videoCodec), (.frameRate, fps), (.maxSize, maxSize), (.photoFormat, photoFormat),
                (.livePhotoInfo, motion), (.repeatFrames, repeatFrames ? "true" : nil),
            ] + adjustments.texts + effect.texts
        if noAudio, adjustments.volume != nil {
            throw UsageError("--no-audio and --volume exclude each other: one leaves the sound out")
        }
        var settings = preset
        let given = texts.compactMap { setting, text in text.map { (setting, $0) } }
        let times = try settings.replace(given) { setting, message in
            UsageError("--\(setting.optionName): \(message)")
        }
        if noAudio { settings.audio.mode = .discard }
        if noLocation { settings.metadata = settings.metadata.leavingOutLocation }
        if noMetadata { settings.metadata = .discard }
        return (settings, times)
    }
}
