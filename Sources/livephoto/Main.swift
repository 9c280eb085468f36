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
        do {
            var command = try parse(arguments, path)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch  where LivephotoCommand.exitCode(for: error).isSuccess {
            // ArgumentParser's own options, such as `--generate-completion-script`, end with an error too.
            try Terminal.print(LivephotoCommand.fullMessage(for: error))
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
