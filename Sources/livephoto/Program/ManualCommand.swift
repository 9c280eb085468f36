import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct ManualCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual pages, for packages.",
        discussion: """
            Writes livephoto.1 and a page for each command, such as livephoto-convert.1, from the text of the help. The \
            pages have the date in the environment variable SOURCE_DATE_EPOCH, in seconds since 1970, or none without it.
            """,
        shouldDisplay: false)

    static let examples = ["livephoto manual .", "livephoto manual . --force"]

    @Argument(help: ArgumentHelp("An existing folder.", valueName: "dir"), completion: .directory)
    var folder: String

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func run() throws {
        for page in try ManualPage.all(date: Self.date) {
            let file = try StagedFile(FilePath(argument: folder).appending(page.fileName), replacesExisting: force)
            try file.write(Array(page.text.utf8))
            try file.publish()
        }
    }

    /// In seconds since 1970; nil if no date is given.
    private static var date: Int? {
        get throws {
            guard let text = CurrentProcess.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
            // Until the end of the year 9999.
            guard let seconds = Int(text), (0..<253_402_300_800).contains(seconds) else {
                throw UsageError("SOURCE_DATE_EPOCH: \(quoted(text)) is not a number of seconds since 1970")
            }
            return seconds
        }
    }
}
