import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct InspectCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the structure and metadata of photos, movies and containers.",
        usage: "livephoto inspect [<options>] <file|folder> ...",
        discussion: """
            For a movie: tracks, metadata and the still time on its timeline. For a photo: size, Exif data, Apple's \
            MakerNote and, in a motion photo, the embedded movie. For a folder: one line for each photo and movie in \
            it; the exit status is 1 if a file cannot be read. The file type is detected from the content, not from \
            the name.
            """)

    static let examples = [
        "livephoto inspect beach.MOV", "livephoto inspect beach.JPG beach.MOV --json",
        "livephoto inspect beach.MOV --boxes",
    ]

    @Argument(
        help: ArgumentHelp("Photos, movies, containers (.pvt, .livp, zip) or folders.", valueName: "file|folder"),
        completion: .pairsAndContainers)
    var paths: [String]

    @Flag(help: "List the boxes of a movie or HEIC with their offsets.")
    var boxes = false

    @Flag(help: "Print one line of JSON for each file.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        guard !boxes || !json else {
            throw UsageError("--boxes and --json exclude each other: boxes are listed as text")
        }
        let inspector = LivePhotoInspector()
        var pages: [Inspection] = []
        var areAllRead = true
        for path in [FilePath](arguments: paths) {
            let text: String
            do {
                if !boxes, path.isFolderOfFiles {
                    areAllRead = try await list(path, inspector) && areAllRead
                    continue
                } else if boxes {
                    text = try inspector.boxes(of: path).map(printable).joined(separator: "\n")
                } else {
                    let inspection = try inspector.inspect(path)
                    text = json ? try JSON.text(inspection) : (pages.isEmpty ? "" : "\n") + inspection.page
                    if !json { pages.append(inspection) }
                }
            } catch let error as LivePhotoError {
                // For a single file, the error sets the exit status.
                guard paths.count > 1, error.code != .cancelled else { throw error }
                Terminal.say(error: error)
                areAllRead = false
                continue
            }
            try Terminal.print(text)
        }
        if let line = pages.pairLine { try Terminal.print("\n" + line) }
        if !areAllRead { throw ExitCode(1) }
    }

    /// Prints a line for each file below a folder. A file whose content does not match its extension causes a warning;
    /// a file that cannot be read does not stop the listing.
    ///
    /// - Returns: whether all files could be read.
    private func list(_ folder: FilePath, _ inspector: LivePhotoInspector) async throws -> Bool {
        let bar = ProgressDisplay("inspecting", progress.form)
        defer { bar.clear() }
        var unreadable: [LivePhotoError] = []
        var isEmpty = true
        try await inspector.inspect(below: [folder], width: jobs.width) { [json] inspection in
            json ? try JSON.text(inspection) : inspection.line
        } onFile: { result, done, found in
            isEmpty = false
            switch result {
            case .success(let text):
                try Terminal.print(text)
            case .failure(let error as LivePhotoError) where error.code == .unusableMedia:
                progress.say("warning: \(error)")
            case .failure(let error as LivePhotoError): unreadable.append(error)
            case .failure(let error): throw error
            }
            bar.show(done, of: max(done, found), "file")
        }
        guard !isEmpty else {
            throw LivePhotoError(.noInput, folder, "contains no photo, movie or bundle")
        }
        bar.clear()
        for error in unreadable { Terminal.say(error: error) }
        return unreadable.isEmpty
    }
}

extension [Inspection] {
    /// Whether one photo and one movie form a pair; nil for other files.
    fileprivate var pairLine: String? {
        let photos = filter { if case .photo = $0 { true } else { false } }
        let movies = filter { if case .movie = $0 { true } else { false } }
        guard photos.count == 1, movies.count == 1 else { return nil }
        guard let identifier = photos[0].contentIdentifier, identifier == movies[0].contentIdentifier else {
            return "not a pair: the content identifiers differ or are missing"
        }
        return "a pair: both have the content identifier \(printable(identifier)); 'livephoto verify' checks it further"
    }
}
