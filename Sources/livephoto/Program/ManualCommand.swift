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
        let date = CurrentProcess.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
        for page in try ManualPage.all(date: date) {
            let file = try StagedFile(FilePath(argument: folder).appending(page.fileName), replacesExisting: force)
            try file.write(Array(page.text.utf8))
            try file.publish()
        }
    }
}
