import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct UndoCommand: AsyncParsableCommand, ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what 'link', 'unlink' and 'edit' changed in place, or an import.",
        usage: "livephoto undo [<options>] <pair|folder> ...",
        discussion: """
            Undoes all changes that were made in place, and restores the files byte for byte from the hidden journals that \
            --in-place leaves. A file that another program has changed since is left alone and named, and the exit status is 1. \
            For a photo or movie, both files of its pair are restored; for a folder, all pairs in it and in the folders below.

            --import removes what 'import' has put into a library, and the folders that it created. Files that were changed \
            since, and what else is there, stay.
            """)

    static let examples = [
        "livephoto undo beach.JPG", "livephoto undo ~/Pictures --dry-run", "livephoto undo ~/Pictures",
        "livephoto undo --import Library",
    ]

    @Argument(
        help: ArgumentHelp("Photos or movies of pairs, or folders.", valueName: "pair|folder"), completion: .pairs)
    var paths: [String]

    @Flag(name: .customLong("import"), help: "Remove what 'import' has put into the folders.")
    var isImport = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be restored, but change nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each file.")
    var json = false

    // `link --undo` and `edit --undo` of an earlier version undid their own changes only.
    @Option(help: .hidden)
    var only: String?

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        logging.apply()
        if isImport {
            let run = ImportUndoRun(isDryRun: dryRun, json: json, width: jobs.width, progress: progress)
            guard try await run.run([FilePath](arguments: paths)) else { throw ExitCode(1) }
            return
        }
        let commands = only.map { Set([InPlaceUndo.Command(rawValue: $0)].compactMap(\.self)) }
        let run = UndoRun(
            commands: commands ?? Set(InPlaceUndo.Command.allCases), paths: [FilePath](arguments: paths),
            isDryRun: dryRun, json: json, width: jobs.changesInPlace, progress: progress)
        guard try await run.run() else { throw ExitCode(1) }
    }
}
