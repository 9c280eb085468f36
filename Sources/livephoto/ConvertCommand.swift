import ArgumentParser
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
            (frame 37, counted from 0).
            """)

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
        "livephoto convert concert.mkv --start 1:30 --end 1:33 --preset smooth",
    ]

    @Argument(help: "The clip: a video file of any kind that FFmpeg reads.", completion: .file())
    var clip: String

    // Texts that are read in `request`, which says better than ArgumentParser what is wrong with them. They are taken
    // also when they begin with a dash: '-1' is no option but a wrong time.

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The moment that becomes the key photo. (default: the preset's, or the middle)", valueName: "time"))
    var still: String?

    @Option(
        help: ArgumentHelp(
            "Your own key photo, in place of the clip's frame: JPEG or HEIC as it is, other formats become JPEG.",
            valueName: "file"),
        completion: .file())
    var photo: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where in the clip the movie starts. (default: the preset's)", valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where in the clip the movie ends. (default: the preset's)", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long the movie lasts. (default: the preset's)", valueName: "length"))
    var duration: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From the movie's start to the still. (default: the preset's)", valueName: "length"))
    var before: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From the still to the movie's end. (default: the preset's)", valueName: "length"))
    var after: String?

    @Option(help: ArgumentHelp("A preset's name or file; see 'livephoto presets list'.", valueName: "name|file"))
    var preset: String = PresetLibrary.defaultName

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Frames a second. (default: the preset's)", valueName: "lo-hi"))
    var fps: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The largest picture of the movie. (default: the preset's)", valueName: "WxH"))
    var maxSize: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Take only this part of the upright picture, in pixels. (default: the preset's)", valueName: "x,y,w,h"))
    var crop: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Crop to this shape, from the middle, as 3:4. (default: the preset's)", valueName: "w:h"))
    var fill: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Bring to this shape with black bars, as 3:4. (default: the preset's)", valueName: "w:h"))
    var fit: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How HDR becomes SDR: mobius, reinhard, hable or clip. (default: the preset's)", valueName: "operator"))
    var toneMap: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fill the transparent parts with this colour, as white or 1E90FF. (default: the preset's)",
            valueName: "colour"))
    var background: String?

    @Flag(help: "Leave the sound out.")
    var noAudio = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The content identifier. (default: a new one)", valueName: "uuid"))
    var id: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Where the pair goes; made when missing.", valueName: "dir"),
        completion: .directory)
    var output: String = "."

    @Option(help: ArgumentHelp("Name of both files. (default: the clip's)", valueName: "name"))
    var name: String?

    @Flag(help: "Leave out where the clip was shot.")
    var noLocation = false

    @Flag(help: "Leave out when, where and with what the clip was shot.")
    var noMetadata = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "When the clip was shot, as 2025-10-12T23:36:14+13:00. (default: as the clip says)", valueName: "date"))
    var date: String?

    @Flag(name: .shortAndLong, help: "Replace files of the same names.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be made, and make nothing.")
    var dryRun = false

    @Flag(help: "Print the result as one JSON document.")
    var json = false

    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let request = try self.request()
        let worker = try workerOptions.worker(logging)
        if dryRun {
            let (plan, target) = try await Interruption.guarding { try await worker.planWithTarget(request) }
            return try Terminal.print(json ? try ResultDocument(plan, target).json(.whole) : text(of: plan))
        }
        let bar = ProgressBar(request.clip.lastComponent?.string ?? clip)
        defer { bar.clear() }
        let result = try await Interruption.guarding {
            try await worker.convert(request) { bar.show($0) }
        }
        bar.clear()
        for warning in result.warnings where !json { Terminal.say("warning: \(warning)") }
        try Terminal.print(json ? try ResultDocument(result).json(.whole) : "\(result.photo)\n\(result.movie)")
    }

    /// What files say of themselves is in it: it must not steer the terminal.
    private func text(of plan: PlanSummary) -> String {
        plan.description.split(separator: "\n").map { printable(String($0)) }.joined(separator: "\n")
    }

    private func request() throws -> ConversionRequest {
        var request = ConversionRequest(clip: FilePath(argument: clip), outputDirectory: FilePath(argument: output))
        request.name = name
        request.photo = photo.map { FilePath(argument: $0) }
        request.still = try value(still, of: "--still")
        request.start = try value(start, of: "--start")
        request.end = try value(end, of: "--end")
        request.duration = try length(duration, of: "--duration")
        request.before = try length(before, of: "--before")
        request.after = try length(after, of: "--after")
        request.framing = try framing
        request.toneMapping = try value(toneMap, of: "--tone-map")
        request.background = try value(background, of: "--background")
        request.frameRate = try value(fps, of: "--fps")
        request.maxSize = try value(maxSize, of: "--max-size")
        if noAudio { request.audio = .discard }
        let identifier: ContentIdentifierOption? = try value(id, of: "--id")
        request.contentIdentifier = identifier?.identifier
        if noMetadata { request.includesMetadata = false }
        if noLocation { request.includesLocation = false }
        request.captureDate = try value(date, of: "--date")
        request.replacesExisting = force
        request.preset = try PresetLibrary.withOwnPresets.resolve(preset)
        return request
    }

    private var framing: Framing {
        get throws(UsageError) {
            let crop: PixelRectangle? = try value(crop, of: "--crop")
            let fill: AspectRatio? = try value(fill, of: "--fill")
            let fit: AspectRatio? = try value(fit, of: "--fit")
            do {
                return Framing(crop: crop, shape: try Framing.Shape(fill: fill, fit: fit))
            } catch {
                throw UsageError("--fit: \(error)")
            }
        }
    }

    private func length(_ text: String?, of option: String) throws(UsageError) -> MediaTime? {
        let length: WindowLength? = try value(text, of: option)
        return length?.time
    }
}
