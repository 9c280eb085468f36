import ArgumentParser
import LivePhotoBatch
import LivePhotoRequests
import LivePhotoWorker

struct FramesCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Show frames of a clip with their times, and the best one for the key photo.",
        usage: "livephoto frames [<options>] <clip>",
        discussion: """
            Writes a contact sheet: pictures spread over the clip, upright and in the colours of the key photo. The time below \
            each is the one for 'convert --still' that takes exactly this frame. The best still is framed, and a line marks \
            the pictures that are in the movie made with it. In clips of more than 30 seconds, the pictures are key frames, so \
            they take no longer than in short ones.

            The sheet is a JPEG or PNG, or an HTML page on which a click copies the option --still. It is named like the clip \
            with -frames at its end, unless --output is given. With --json or --suggest, a sheet is only written if --output is \
            given, and the times are printed with their scores.

            'convert --still auto' takes the still that is framed here. A score is the product of its parts, which are from 0 \
            to 1: contrast (detail), sharp (steep edges), blur (how little the picture moves), exposure (nothing clipped to white), \
            noise, change (no cut, title, object in front of the lens, or black frame) and position (how much movie there is on \
            both sides).

            Times are written as 2.5, 2.5s, 1500ms, 0:01:02.5 (hours, minutes, seconds), 50% (of the clip) or #37 \
            (frame 37, counting from 0).
            """)

    static let examples = [
        "livephoto frames beach.mp4",
        "livephoto frames beach.mp4 --around 2.5 --output beach.html",
        "livephoto frames beach.mp4 --suggest 5",
        "livephoto frames concert.mkv --start 1:00 --end 1:20 --every 5 -o concert.png",
    ]

    @Argument(
        help: ArgumentHelp("A video file in any format that FFmpeg reads.", valueName: "clip"), completion: .clips)
    var clip: String

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The sheet to write: .jpg, .png or .html. (default: the clip's name with -frames.jpg)",
            valueName: "file"),
        completion: .files(["jpg", "png", "html"]))
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show this many frames, spread over the clip. (default: 24)", valueName: "n"))
    var count: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show a frame after every interval of this length.", valueName: "time"))
    var every: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show every frame of the movie that has its still at this time.", valueName: "time"))
    var around: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show the best frames, from the best one on; of nearly equal ones, the one nearer to the middle.",
            valueName: "n"))
    var suggest: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start at this time of the clip. (default: its start)", valueName: "time"))
    var start: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End at this time of the clip. (default: its end)", valueName: "time"))
    var end: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of pictures in a row. (default: a number that suits their shape)", valueName: "n"))
    var columns: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum size of a picture: two edges in either order, or one number for both. (default: 320)",
            valueName: "WxH|N"))
    var maxSize: String?

    @Flag(name: .shortAndLong, help: "Replace an existing sheet.")
    var force = false

    @Flag(help: "Print times, frame numbers and scores as one line of JSON.")
    var json = false

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        let request = try request()
        let engine = try workerOptions.engine(logging)
        let display = ConvertProgress([clip], progress.form)
        defer { display.clear() }
        let sheet: FrameSheet
        do {
            sheet = try await ItemTime.item { try await engine.makeSheet(request) { display.show($0) } }
            display.end()
        } catch let error as LivePhotoError where error.code != .cancelled {
            display.end()
            throw error
        }
        display.clear()
        try report(sheet, request)
    }

    private func report(_ sheet: FrameSheet, _ request: FrameSheetRequest) throws {
        if json { return Terminal.printResult(try JSON.text(FrameSheetDocument(sheet, request))) }
        for warning in sheet.warnings { progress.say("warning: \(warning)") }
        if suggest != nil {
            let lines = sheet.pictures.map { "--still \($0.still)  \($0.score.map { "\($0)" } ?? "")" }
            Terminal.printResult(lines: lines + [request.output?.string].compactMap(\.self))
        } else {
            progress.say("the best still is the one at \(sheet.suggestedStill): --still \(sheet.suggestedStill)")
            Terminal.printResult(lines: [request.output?.string].compactMap(\.self))
        }
    }

    private func request() throws -> FrameSheetRequest {
        guard [count, every, around, suggest].compactMap(\.self).count < 2 else {
            throw UsageError("--count, --every, --around and --suggest exclude each other; give one of them")
        }
        guard around == nil || start == nil && end == nil else {
            throw UsageError("--around shows the movie around a time; leave out --start and --end")
        }
        let path = FilePath(argument: clip)
        var request = FrameSheetRequest(clip: path, output: try sheet(of: path))
        if let count { request.selection = .spread(try number(count, of: "--count")) }
        if let every {
            guard let step: MediaTime = try value(every, of: "--every"), step > .zero else {
                throw UsageError("--every: write a time of more than 0 s between the pictures")
            }
            request.selection = .every(step)
        }
        if let time: ClipTime = try value(around, of: "--around") { request.selection = .around(time) }
        if let suggest { request.selection = .best(try number(suggest, of: "--suggest")) }
        request.start = try value(start, of: "--start")
        request.end = try value(end, of: "--end")
        request.requestedTimes = ["still": around, "start": start, "end": end].compactMapValues(\.self)
        if let columns { request.columns = try number(columns, of: "--columns", upTo: 100) }
        request.pictureSize = try maxSize.map { try MaximumSize(edges: $0, of: "--max-size") }
        request.replacesExisting = force
        return request
    }

    /// The sheet to write; nil for none.
    private func sheet(of clip: FilePath) throws(UsageError) -> FilePath? {
        guard let output else {
            if json || suggest != nil { return nil }
            return FilePath((clip.stem ?? "clip") + "-frames.jpg")
        }
        let path = try OutputPlace.path(output)
        guard SheetFormat(extension: path.extension) != nil, !output.hasSuffix("/") else {
            throw UsageError(
                "--output: \(quoted(output)) is not the name of a sheet, which ends in .jpg, .png or .html")
        }
        return path
    }

    private func number(
        _ text: String, of option: String, upTo most: Int = FrameSheetRequest.mostPictures
    ) throws(UsageError) -> Int {
        guard let number = wholeNumber(text), 1...most ~= number else {
            throw UsageError("\(option): \(quoted(text)) is not a number of pictures; write 1 to \(most)")
        }
        return number
    }
}
