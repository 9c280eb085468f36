import ArgumentParser
import LivePhotoConversion

struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Makes a Live Photo of a clip.",
        discussion: """
            Writes NAME.JPG, the key photo, and NAME.MOV, the paired video, and prints their paths. The photo is the \
            frame that the clip shows at --still; the movie is the part of the clip around it.

            Times are written 2.5, 2.5s, 1500ms, 0:01:02.5 (hours, minutes, seconds), 50% of the clip, or #37 for \
            frame 37, counted from 0.

            Examples:
              livephoto convert beach.mp4
              livephoto convert concert.mkv --still 1:30:00 --preset smooth --output ~/LivePhotos
            """)

    @Argument(help: "The clip: a video file of any kind that FFmpeg reads.", completion: .file())
    var clip: String

    @Option(
        help: ArgumentHelp("The moment that becomes the key photo. (default: the middle)", valueName: "time"),
        transform: { try ClipTime($0) })
    var still: ClipTime?

    @Option(
        help: ArgumentHelp("Where in the clip the movie starts.", valueName: "time"), transform: { try ClipTime($0) })
    var start: ClipTime?

    @Option(help: ArgumentHelp("Where in the clip the movie ends.", valueName: "time"), transform: { try ClipTime($0) })
    var end: ClipTime?

    @Option(help: ArgumentHelp("How long the movie lasts.", valueName: "length"), transform: { try WindowLength($0) })
    var duration: WindowLength?

    @Option(
        help: ArgumentHelp("From the movie's start to the still. (default: the preset's)", valueName: "length"),
        transform: { try WindowLength($0) })
    var before: WindowLength?

    @Option(
        help: ArgumentHelp("From the still to the movie's end. (default: the preset's)", valueName: "length"),
        transform: { try WindowLength($0) })
    var after: WindowLength?

    @Option(help: ArgumentHelp("A preset's name or file; see 'livephoto presets list'.", valueName: "name|file"))
    var preset: String = PresetLibrary.defaultName

    @Option(
        help: ArgumentHelp("Frames a second. (default: the preset's)", valueName: "lo-hi"),
        transform: { try FrameRateRange($0) })
    var fps: FrameRateRange?

    @Option(
        help: ArgumentHelp("The largest picture of the movie. (default: the preset's)", valueName: "WxH"),
        transform: { try MaximumSize($0) })
    var maxSize: MaximumSize?

    @Flag(help: "Leave the sound out.")
    var noAudio = false

    @Option(
        help: ArgumentHelp("The content identifier. (default: a new one)", valueName: "uuid"),
        transform: Self.contentIdentifier)
    var id: ContentIdentifier?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the pair goes; made when missing.", valueName: "dir"),
        completion: .directory)
    var output: String = "."

    @Option(help: ArgumentHelp("Name of both files. (default: the clip's)", valueName: "name"))
    var name: String?

    @Flag(help: "Leave out where the clip was shot.")
    var noLocation = false

    @Flag(help: "Leave out when, where and with what the clip was shot.")
    var noMetadata = false

    @Option(
        help: ArgumentHelp(
            "When the clip was shot, as 2025-10-12T23:36:14+13:00. (default: as the clip says)", valueName: "date"),
        transform: Self.captureDate)
    var date: CaptureDate?

    @Flag(name: .shortAndLong, help: "Replace files of the same names.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be made, and make nothing.")
    var dryRun = false

    @Flag(help: "Print the result as one JSON document.")
    var json = false

    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let request = try self.request()
        let converter = LivePhotoConverter()
        if dryRun {
            let plan = try await converter.plan(request)
            print(json ? try ResultDocument(plan, request).json : plan.description)
            return
        }
        let bar = ProgressBar(request.clip.lastComponent?.string ?? clip)
        defer { bar.clear() }
        let result = try await Interruption.guarding {
            try await converter.convert(request) { bar.show($0) }
        }
        bar.clear()
        for warning in result.warnings where !json { Terminal.warning(warning) }
        print(json ? try ResultDocument(result).json : "\(result.photo)\n\(result.movie)")
    }

    private func request() throws -> ConversionRequest {
        var request = ConversionRequest(clip: FilePath(clip), outputDirectory: FilePath(output))
        request.name = name
        request.still = still
        request.start = start
        request.end = end
        request.duration = duration?.time
        request.before = before?.time
        request.after = after?.time
        request.contentIdentifier = id
        request.includesMetadata = !noMetadata
        request.includesLocation = !noLocation
        request.captureDate = date
        request.replacesExisting = force
        var preset = try PresetLibrary().resolve(preset)
        if let fps { preset.video.frameRate = fps }
        if let maxSize { preset.video.maxSize = maxSize }
        if noAudio { preset.audio.mode = .discard }
        request.preset = preset
        return request
    }

    private static func captureDate(_ text: String) throws -> CaptureDate {
        guard let date = CaptureDate(iso8601: text) else {
            throw ValidationError("'\(text)' is not a date with a time; write one as 2025-10-12T23:36:14+13:00")
        }
        return date
    }

    private static func contentIdentifier(_ text: String) throws -> ContentIdentifier {
        guard let identifier = ContentIdentifier(text) else {
            throw ValidationError("'\(text)' is not a UUID; write one as CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
        }
        return identifier
    }
}
