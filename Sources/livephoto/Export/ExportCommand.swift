import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct ExportCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write Live Photos as videos, animations or pictures for other programs.",
        usage: "livephoto export [<options>] <pair> ...",
        discussion: """
            Formats: mp4 (H.264 and AAC, with the key photo as cover), gif, webp and avif (animations without sound), jpeg \
            (the key photo), and frames (a folder with a JPEG of each frame). The result is an ordinary file without the \
            content identifier of the Live Photo. 'livephoto doctor' lists the formats that this build of FFmpeg can write.

            A pair is a photo and its movie, one of the two, a motion photo, or a .pvt, .livp or zip file. Frames are shown \
            as the movie presents them: upright, at their times, and HDR as SDR. By default, a GIF has at most 480 pixels \
            and 12 to 15 frames per second, WebP and AVIF have at most 720 pixels and 30 frames per second, and the other \
            formats keep the size and all frames.

            For a single pair, --output is the file to write, or a folder. For several pairs, it is a folder, and each \
            file has the name of its photo. If one pair fails, the others are still exported and the exit status is 1.

            Times are written as 2.5, 2.5s, 1500ms, 0:01:02.5 (hours, minutes, seconds), 50% (of the movie) or #37 \
            (frame 37, counting from 0).
            """)

    static let examples = [
        "livephoto export IMG_1.HEIC --output beach.mp4",
        "livephoto export IMG_1.HEIC IMG_1.MOV --max-size 320 --output beach.gif",
        "livephoto export Live/*.HEIC --as webp --output Web",
    ]

    @Argument(
        help: ArgumentHelp("Photos, movies or containers of Live Photos.", valueName: "pair"),
        completion: .pairsAndContainers)
    var pairs: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format: \(ExportFormat.allowed). (default: the one that the extension of --output names)",
            valueName: "format"),
        completion: .words(of: ExportFormat.self))
    var format: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The file to write (for frames, a new folder), or the folder to write to.",
            valueName: "path"),
        completion: .file())
    var output: String = "."

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum size: two edges in either order, or one number for both. (default: the format's)",
            valueName: "WxH|N"))
    var maxSize: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Allowed frame rates, in frames per second; frames are never repeated. (default: the format's)",
            valueName: "lo-hi"))
    var fps: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often an animation plays; 0 is forever. (default: 0)", valueName: "n"))
    var loop: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start at this time of the movie. (default: its start)", valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End at this time of the movie. (default: its end)", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Duration of the exported part. (default: up to the end)", valueName: "time"))
    var duration: String?

    @OptionGroup(title: "Effect and speed") var motion: MotionOptions

    @Flag(help: "Leave the sound out of an MP4.")
    var noAudio = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quality from 1 to 100. (default: 75 for webp, 60 for avif, 92 for jpeg and frames)", valueName: "n"))
    var quality: String?

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be written, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each pair.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let format = try requestedFormat()
        let template = try request(format)
        let sources = try LivePhotoSource.all(pairs)
        let place = ExportPlace(output: output, format: format, isSingle: sources.count == 1)
        let run = ExportRun(
            engine: try workerOptions.engine(logging), isDryRun: dryRun, isJSON: json, progress: progress,
            width: jobs.count ?? 1)
        let jobs = try sources.map { source in
            var request = template
            (request.photo, request.movie) = (source.photo, source.movie)
            request.output = try place.target(for: source)
            return ExportRun.Job(source: source, request: request)
        }
        try await run.run(jobs)
    }

    /// - Throws: `UsageError` if neither --as nor the extension of --output names it.
    private func requestedFormat() throws -> ExportFormat {
        if let given: ExportFormat = try value(format, of: "--as") { return given }
        let kind = FilePath(argument: output).extension?.lowercased() ?? ""
        guard let format = ExportFormat.allCases.first(where: { $0.extensions.contains(kind) }) else {
            throw UsageError(
                "give --output the extension of a format, such as beach.gif, or name the format with --as: "
                    + ExportFormat.allowed)
        }
        return format
    }

    /// The request for each pair, without files.
    private func request(_ format: ExportFormat) throws -> ExportRequest {
        var request = ExportRequest(photo: "", movie: "", as: format, to: "")
        request.start = try value(start, of: "--start")
        request.end = try value(end, of: "--end")
        request.duration = try value(duration, of: "--duration")
        request.requestedTimes = ["start": start, "end": end, "duration": duration].compactMapValues(\.self)
        request.frameRate = try value(fps, of: "--fps")
        request.quality = try value(quality, of: "--quality")
        request.maximumSize = try maxSize.map { text throws(UsageError) in
            try MaximumSize(edges: text, of: "--max-size")
        }
        request.isMuted = noAudio
        request.motion.effect = try value(motion.effect, of: "--effect")
        request.motion.speed = try value(motion.speed, of: "--speed")
        request.replacesExisting = force
        if let loop {
            guard let count = wholeNumber(loop), count <= ExportRequest.loopsLimit else {
                throw UsageError(
                    "--loop: \(quoted(loop)) is not a number of loops; write 0 to 65535, where 0 is forever")
            }
            request.loops = count
        }
        try check(request)
        return request
    }

    /// - Throws: `UsageError` for an option that does not apply to the format.
    private func check(_ request: ExportRequest) throws(UsageError) {
        let format = request.format
        let times = [
            ("--start", start), ("--end", end), ("--duration", duration), ("--fps", fps), ("--speed", motion.speed),
        ]
        let isExposure = request.motion.effect == .longExposure
        if format == .jpeg, !isExposure, let option = times.first(where: { $0.1 != nil })?.0 {
            throw UsageError(
                "\(option) does not apply to jpeg, which is the key photo, or a long exposure of the movie with --effect; "
                    + "--as frames writes the movie's frames")
        }
        if loop != nil, !format.isAnimation { throw UsageError("--loop applies only to gif, webp and avif") }
        if noAudio, format != .mp4 {
            throw UsageError("--no-audio applies only to mp4; the other formats have no sound")
        }
        if quality != nil, !format.hasQuality {
            throw UsageError("--quality applies only to webp, avif, jpeg and frames")
        }
        if start != nil, end != nil, duration != nil {
            throw UsageError("--start, --end and --duration cannot all be given; leave one out")
        }
        do throws(LivePhotoError) {
            try request.check()
        } catch {
            throw UsageError(error.reason)
        }
    }
}
