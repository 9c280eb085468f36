import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

@main
struct Main {
    static func main() {
        StandardStreams.occupy()
        if let format = LogFormat.requested(by: Array(CommandLine.arguments.dropFirst())) { Terminal.use(format) }
        Reserve.prepare()
        if let shortage = Reserve.program.shortage { Failure(LivePhotoError(.temporary, nil, shortage)).exit() }
        Interruption.run { try await run(Array(CommandLine.arguments.dropFirst())) }
    }

    private static func run(_ given: [String]) async throws {
        let (arguments, notes) = FormerName.replaced(in: given)
        for note in notes { Terminal.say("note: \(note)") }
        let path = try CommandPath(arguments)
        if path.isForHelp { return try Terminal.print(path.help) }
        if Versions.isRequested(by: arguments) { return try await Versions.print(arguments) }
        if UnknownOption.canBeMisread(in: arguments), let unknown = path.unknownOption(in: arguments) {
            throw unknown.error
        }
        let defaults = try defaults(for: arguments, path)
        do {
            let command = try parse(defaults.inserted(into: arguments, of: path.names), path)
            try RepeatedOption.check(arguments, of: path)
            try (command as? any WorkerCommand)?.checkLimits(arguments, of: path)
            let limit = try (command as? any WorkerCommand)?.workerOptions.timeLimit
            try await ItemTime.limited(to: limit) { try await run(command) }
        } catch  where LivephotoCommand.exitCode(for: error).isSuccess {
            // ArgumentParser's own options, such as `--generate-completion-script`, end with an error too.
            try Terminal.print(LivephotoCommand.fullMessage(for: error))
        } catch {
            for note in defaults.notes(about: error) { Terminal.say("note: \(note)") }
            throw error
        }
    }

    /// Those of the user's configuration. 'doctor' reports what is wrong with its keys.
    private static func defaults(for arguments: [String], _ path: CommandPath) throws -> [Configuration.Default] {
        do {
            let configuration = try Configuration()
            if !configuration.hasColors { Terminal.leaveOutColors() }
            return configuration.defaults(for: arguments, of: path.names)
        } catch {
            // Shells run the latter when they start.
            if [["doctor"], ["completions"]].contains(path.names) { return [] }
            throw error
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }

    private static func parse(_ arguments: [String], _ path: CommandPath) throws -> any ParsableCommand {
        do {
            return try path.parsed(arguments)
        } catch  where !LivephotoCommand.exitCode(for: error).isSuccess {
            throw UsageError(parsing: error, of: path, arguments)
        }
    }
}
