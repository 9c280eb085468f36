import ArgumentParser
import LivePhotoRequests

@main
struct Main {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Failure(error).exit()
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let path = try CommandPath(arguments)
        if path.isForHelp { return try Terminal.print(path.help) }
        if Versions.isRequested(by: arguments) { return try await Versions.print(arguments) }
        if UnknownOption.canBeMisread(in: arguments), let unknown = path.unknownOption(in: arguments) {
            throw unknown.error
        }
        var command = try parse(arguments, path)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    private static func parse(_ arguments: [String], _ path: CommandPath) throws -> any ParsableCommand {
        do {
            return try LivephotoCommand.parseAsRoot(arguments)
        } catch  where !LivephotoCommand.exitCode(for: error).isSuccess {
            throw UsageError(parsing: error, of: path, arguments)
        }
    }
}

struct LivephotoCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "livephoto",
        abstract: "Turn any clip into an Apple Live Photo: a key photo and its paired video.",
        subcommands: [
            ConvertCommand.self, BatchCommand.self, ReportCommand.self, InspectCommand.self, VerifyCommand.self,
            RulesCommand.self, LinkCommand.self, UnlinkCommand.self, ExtractCommand.self, PackCommand.self,
            PresetsCommand.self, DoctorCommand.self, CompletionsCommand.self, ManualCommand.self,
        ])

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
    ]

    @Flag(help: "Show the version and the commit; with --verbose, also the versions of the libraries.")
    var version = false
}
