import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct InspectCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Describe photos, movies and bundles, with their metadata.",
        usage: "livephoto inspect [<options>] <file|folder> ...",
        discussion: """
            Of a movie: its tracks, its metadata, and where its still sits, through the edit lists. Of a photo: its size, \
            what its Exif data and Apple's MakerNote say, and the movie in it if it is a motion photo. Of a folder: a \
            line for each photo and movie below it; the status is 1 when some of it cannot be read. A file's content says \
            what it is, not its name.
            """)

    static let examples = [
        "livephoto inspect beach.MOV", "livephoto inspect beach.JPG beach.MOV --json",
        "livephoto inspect beach.MOV --boxes",
    ]

    @Argument(help: "Photos, movies, bundles (.pvt, .livp), or folders.", completion: .file())
    var paths: [String]

    @Flag(help: "List the boxes of a movie or a HEIC, with their places in the file.")
    var boxes = false

    @Flag(help: "Print one JSON document a line for each file.")
    var json = false

    @OptionGroup var logging: LoggingOptions

    func run() throws {
        logging.apply()
        let inspector = LivePhotoInspector()
        var pages: [Inspection] = []
        var areAllRead = true
        for path in paths.map({ FilePath(argument: $0) }) {
            if !boxes, path.isFolderOfFiles {
                areAllRead = try list(path, inspector) && areAllRead
                continue
            }
            let text: String
            do {
                if boxes {
                    text = try inspector.boxes(of: path).map(printable).joined(separator: "\n")
                } else {
                    let inspection = try inspector.inspect(path)
                    text = json ? try inspection.json(.line) : (pages.isEmpty ? "" : "\n") + inspection.page
                    if !json { pages.append(inspection) }
                }
            } catch let error as LivePhotoError {
                // Alone, it tells its own status.
                guard paths.count > 1 else { throw error }
                Terminal.say(Failure.sentence(error))
                areAllRead = false
                continue
            }
            try Terminal.print(text)
        }
        if let line = pages.pairLine { try Terminal.print("\n" + line) }
        if !areAllRead { throw ExitCode(1) }
    }

    /// A line for each file below a folder. One that is something else than its name says is a warning, and one that
    /// cannot be read is no reason to stop.
    ///
    /// - Returns: whether all could be read.
    private func list(_ folder: FilePath, _ inspector: LivePhotoInspector) throws -> Bool {
        var (files, unreadable) = inspector.files(below: [folder])
        for file in files {
            switch Result(catching: { () throws(LivePhotoError) in try inspector.inspect(file) }) {
            case .success(let inspection): try Terminal.print(json ? try inspection.json(.line) : inspection.line)
            case .failure(let error) where error.code == .unusableMedia: Terminal.say("warning: \(error)")
            case .failure(let error): unreadable.append(error)
            }
        }
        for error in unreadable { Terminal.say(Failure.sentence(error)) }
        return unreadable.isEmpty
    }
}

extension [Inspection] {
    /// What a photo and a movie are to each other; nil for other files.
    fileprivate var pairLine: String? {
        let photos = filter { if case .photo = $0 { true } else { false } }
        let movies = filter { if case .movie = $0 { true } else { false } }
        guard photos.count == 1, movies.count == 1 else { return nil }
        guard let identifier = photos[0].contentIdentifier, identifier == movies[0].contentIdentifier else {
            return "no pair: they do not carry the same content identifier"
        }
        return
            "a pair: both carry the content identifier \(printable(identifier)); 'livephoto verify' says how good it is"
    }
}
