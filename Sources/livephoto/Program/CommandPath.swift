import ArgumentParser
import LivePhotoRequests

/// The command of a command line: `livephoto presets show`.
struct CommandPath {
    /// The names of the command below the program: `presets`, `show`.
    let names: [String]
    /// Whether to show help: if requested, or if there are no arguments.
    let isForHelp: Bool
    private let command: any ParsableCommand.Type
    /// Whether the help lists hidden options too.
    private let includesHidden: Bool
    /// Whether the help has to fit on a screen.
    private let isShort: Bool

    /// - Parameter arguments: the arguments without the program's name.
    /// - Throws: `UsageError` for an unknown command, or for arguments after the command in `help COMMAND`.
    init(_ arguments: [String]) throws(UsageError) {
        let isHelpCommand = arguments.first == "help"
        var names: [String] = []
        var command: any ParsableCommand.Type = LivephotoCommand.self
        for word in arguments.dropFirst(isHelpCommand ? 1 : 0) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word.hasPrefix("-") { break }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                if (command as? any ExemplifiedCommand.Type)?.takesArguments == true { break }
                let known = subcommands.filter { $0.configuration.shouldDisplay }
                throw Self.unknown(word, of: names, among: known.map { $0._commandName })
            }
            names.append(word)
            command = next
        }
        let options = arguments.prefix { $0 != "--" }
        includesHidden = options.contains { ["--help-hidden", "-help-hidden"].contains($0) }
        isShort = options.first(where: Self.isHelp) == "-h" && !isHelpCommand
        isForHelp = [[], ["--"]].contains(arguments) || isHelpCommand || options.contains(where: Self.isHelp)
        (self.names, self.command) = (names, command)
        if isHelpCommand, let other = arguments.dropFirst(names.count + 1).first(where: { !Self.isHelp($0) }) {
            let command = (["livephoto", "help"] + names).joined(separator: " ")
            throw UsageError("unexpected argument \(quoted(other)) after '\(command)'")
        }
    }

    private static func isHelp(_ option: String) -> Bool {
        ["-h", "--help", "-help", "--help-hidden", "-help-hidden"].contains(option)
    }

    /// The names of the program and the command: `livephoto presets show`.
    var name: String { Self.name(of: names) }

    private static func name(of names: [String]) -> String {
        ([LivephotoCommand._commandName] + names).joined(separator: " ")
    }

    /// The command with its options and arguments.
    ///
    /// - Parameter arguments: those from which the path was made.
    func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        // ArgumentParser would take the name of a subcommand for an argument of the command above it.
        names.count > 1
            ? try command.parse(Array(arguments.dropFirst(names.count))) : try LivephotoCommand.parseAsRoot(arguments)
    }

    /// The command's help, as wide as the terminal, up to 100 columns.
    var help: String {
        get throws {
            guard let description = try CommandDescription.program().command(names) else { return usage }
            return HelpText(
                self, description, columns: min(Terminal.columns, 100), isShort: isShort, includesHidden: includesHidden
            ).text
        }
    }

    /// Lines such as `livephoto link [<options>] <photo> <movie>`.
    var usage: String { LivephotoCommand.usageString(for: command) }

    /// Command lines that begin with `livephoto`.
    var examples: [String] { (command as? any ExemplifiedCommand.Type)?.examples ?? [] }

    private static func unknown(_ word: String, of names: [String], among known: [String]) -> UsageError {
        let isNone = "\(quoted(word)) is not a command of \(name(of: names))"
        if let advice = CommandSynonym.advice(on: word, in: names) { return UsageError("\(isNone); \(advice)") }
        let hint = suggestion(for: word, among: known)
        if names.isEmpty, hint.isEmpty, let advice = CommandSynonym.advice(onFile: word) {
            return UsageError("\(quoted(word)) is not a command; \(advice)")
        }
        return UsageError("\(isNone)\(hint.isEmpty ? "; there" : "\(hint) There") are \(alternatives(known, "and"))")
    }
}

extension CommandPath {
    /// The first option that the command does not have; nil if it has all.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    func unknownOption(in arguments: [String]) -> UnknownOption? {
        guard let program = try? CommandDescription.program() else { return nil }
        return UnknownOption(in: arguments, of: names, program)
    }
}
