import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

struct ImportCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Make one library of an export or a phone's folders: every photo, video and Live Photo once, by date.",
        usage: "livephoto import [<options>] <folder> ... --output <dir>",
        discussion: """
            Photos and movies that belong together by their content identifiers, names, dates or pictures become Live \
            Photos. So do motion photos of Android phones, .livp, .pvt and zip files with a photo and a movie. Everything \
            else is copied. Pictures and sound stay the same, bit for bit, and the folders that are imported are not changed.

            Each content is there once, though exports have copies of it in albums and under numbers; albums do not become \
            folders. Dates and places that files lack come from the sidecars of Google Takeout and from file names. Files \
            without any date are in the folder 'undated'.

            The same command again copies only what is new, and continues what was interrupted. 'undo --import' removes \
            what was imported. What is uncertain or cannot be read is listed at the end, with what to do; --html shows it \
            with pictures. A file that cannot be copied does not stop the others, and the exit status is then 1.

            --for android makes motion photos instead of Live Photos, and encodes what phones cannot play; --for plain makes ordinary \
            photos and movies of one name. A library has one of these forms.
            """)

    static let examples = [
        "livephoto import Takeout --output Library --dry-run",
        "livephoto import Takeout --output Library --html look.html",
        "livephoto import DCIM --output Motion --for android",
    ]

    @Argument(
        help: ArgumentHelp("Folders to import, with all folders in them.", valueName: "folder"), completion: .directory)
    var folders: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("The folder of the library; created if missing.", valueName: "dir"), completion: .directory)
    var output: String

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "What Live Photos and motion photos become: apple (Live Photos), android (motion photos) or plain (a photo and a movie).",
            valueName: "form"),
        completion: .list(LibraryImport.Form.allCases.map(\.rawValue)))
    var form: String = "apple"

    @Option(help: ArgumentHelp("The folders in the library, by date.", valueName: "pattern"))
    var tree: String = "%Y/%m"

    @Flag(
        help:
            "Make hard links of files that need no change, which take no space. Changing one in place then changes both."
    )
    var hardLink = false

    @OptionGroup var findings: FindingOptions

    @Flag(
        name: [.customShort("n"), .long],
        help: "Print what would be done, but write nothing except the lists of --csv and --html.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each item.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var workerOptions: WorkerOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        guard let tree = DateFolders(tree) else { throw DateFolders.usageError(tree) }
        guard let form = LibraryImport.Form(rawValue: form) else {
            throw UsageError("--for: \(quoted(form)) is not one of apple, android and plain")
        }
        try findings.check()
        let engine = try workerOptions.engine(logging)
        var library = LibraryImport(folders: tree, chooseStill: engine.stillChooser())
        library.form = form
        library.usesHardLinks = hardLink
        library.isDryRun = dryRun
        library.width = jobs.width
        library.encoder = engine
        let run = ImportRun(
            library: library, folders: [FilePath](arguments: folders), output: try OutputPlace.folder(output),
            json: json, progress: progress)
        let list = try await run.run()
        try await findings.write(list.findings, { engine }, progress.form)
        if list.hasFailed { throw ExitCode(1) }
    }
}

extension DateFolders {
    /// The error for a pattern that is none.
    static func usageError(_ pattern: String) -> UsageError {
        UsageError(
            "--tree: \(quoted(pattern)) is not a path of dates; write %Y, %m and %d, with slashes between folders: %Y/%m"
        )
    }
}
