import ArgumentParser
import LivePhotoBatch
import LivePhotoRequests
import LivePhotoWorker
import MediaModel

struct ConvertCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a clip to a Live Photo.",
        discussion: """
            Writes the key photo NAME.JPG and the paired video NAME.MOV and prints their paths. The photo is the frame \
            of the clip at --still, or the file given with --photo (a HEIC is written as NAME.HEIC). The movie is the \
            part of the clip around that moment.

            Times are written as 2.5, 2.5s, 1500ms, 0:01:02.5 (hours, minutes, seconds), 50% (of the clip) or #37 \
            (frame 37, counting from 0).
            """)

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
        "livephoto convert concert.mkv --start 1:30 --end 1:33 --preset smooth",
    ]

    @Argument(help: "The clip: a video file in any format that FFmpeg reads.", completion: .clips)
    var clip: String

    // Settings are strings, because `request` gives better errors for wrong values than ArgumentParser.

    @Option(.still) var still: String?

    @Option(
        help: ArgumentHelp(
            "Use this key photo instead of the clip's frame. JPEG and HEIC are not re-encoded; other formats become JPEG.",
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

    @Option(.frameRate) var fps: String?
    @Option(.maxSize) var maxSize: String?
    @Option(.crop) var crop: String?
    @Option(.fill) var fill: String?
    @Option(.fit) var fit: String?
    @Option(.toneMap) var toneMap: String?
    @Option(.background) var background: String?

    @Flag(help: "Omit the sound.")
    var noAudio = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The content identifier. (default: a new one)", valueName: "uuid"))
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
            "Name of both files. (default: the clip's; beside a clip or photo of that name, with -live)",
            valueName: "name"))
    var name: String?

    @Flag(help: "Omit the location where the clip was recorded.")
    var noLocation = false

    @Flag(help: "Omit the date, location and camera of the clip.")
    var noMetadata = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "\(JobKey.date.help) (default: the date in the clip)", valueName: "date"))
    var date: String?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be made, but make nothing.")
    var dryRun = false

    @Flag(help: "Print the result as one JSON document.")
    var json = false

    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let request = try self.request()
        let worker = try workerOptions.worker(logging)
        if dryRun { return try await showPlan(of: request, worker) }
        let bar = ProgressBar(request.clip.lastComponent?.string ?? clip)
        defer { bar.clear() }
        let result = try await Interruption.guarding {
            try await worker.convert(request) { bar.show($0) }
        }
        bar.clear()
        for warning in result.warnings where !json { Terminal.say("warning: \(warning)") }
        noteName(of: request, photo: result.photo, movie: result.movie)
        try Terminal.print(
            json ? try JSON.text(ResultDocument(result), indented: true) : "\(result.photo)\n\(result.movie)")
    }

    /// Prints the plan and the files that would be written.
    private func showPlan(of request: ConversionRequest, _ worker: MediaWorker) async throws {
        var planned = request
        // Existing files are an error only after the plan is shown.
        planned.replacesExisting = true
        let (plan, target) = try await Interruption.guarding { [planned] in try await worker.planWithTarget(planned) }
        try DryRun.show {
            json ? try JSON.text(ResultDocument(plan, target), indented: true) : text(of: plan, target)
        } checking: {
            try request.checkedTarget(target)
        }
        noteName(of: request, photo: target.photo, movie: target.movie)
    }

    private func noteName(of request: ConversionRequest, photo: FilePath, movie: FilePath) {
        guard !json, let note = request.renamingNote(photo: photo, movie: movie) else { return }
        Terminal.say("note: \(note)")
    }

    /// The plan with control characters from files escaped.
    private func text(of plan: PlanSummary, _ target: PublishTarget) -> String {
        let filters = logging.verbose ? ["filters: \(plan.filters)"] : []
        let lines =
            ["files: \(target.photo), \(target.movie)"] + plan.description.split(separator: "\n").map(String.init)
        return (lines + filters).map(printable).joined(separator: "\n")
    }

    private func request() throws -> ConversionRequest {
        let place = try OutputPlace(output, name: name)
        let (settings, times) = try settings(over: PresetLibrary.withOwnPresets.resolve(preset))
        var request = ConversionRequest(
            clip: FilePath(argument: clip), outputDirectory: place.directory, preset: settings)
        request.name = place.name
        request.requestedTimes = times
        request.photo = photo.map { FilePath(argument: $0) }
        request.contentIdentifier = try value(id, of: "--id")
        request.captureDate = try value(date, of: "--date")
        request.replacesExisting = force
        return request
    }

    /// - Returns: the settings, and the requested times as they were written.
    private func settings(over preset: Preset) throws(UsageError) -> (Preset, [String: String]) {
        let texts: [(Setting, String?)] = [
            (.still, still), (.start, start), (.end, end), (.duration, duration), (.before, before), (.after, after),
            (.crop, crop), (.fill, fill), (.fit, fit), (.toneMap, toneMap), (.background, background),
            (.frameRate, fps), (.maxSize, maxSize),
        ]
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

extension Option where Value == String? {
    /// An option for a setting. A value may begin with a dash: '-1' is an invalid time, not another option.
    init(_ setting: Setting) {
        self.init(
            name: .customLong(setting.optionName), parsing: .unconditional,
            help: ArgumentHelp("\(setting.help) (default: \(setting.fallback))", valueName: setting.valueName),
            completion: setting.words.isEmpty ? nil : .list(setting.words))
    }
}
