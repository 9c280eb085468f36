import ArgumentParser
import LivePhotoRequests

/// A command whose help ends with examples.
protocol ExemplifiedCommand: ParsableCommand {
    /// Command lines that begin with `livephoto`.
    static var examples: [String] { get }
}

/// The command of a command line: `livephoto presets show`.
struct CommandPath {
    /// The names of the program and the command.
    let name: String
    /// Whether to show help: if requested, or if there are no arguments.
    let isForHelp: Bool
    private let command: any ParsableCommand.Type

    /// - Parameter arguments: the arguments without the program's name.
    /// - Throws: `UsageError` for an unknown command.
    init(_ arguments: [String]) throws(UsageError) {
        let isHelpCommand = arguments.first == "help"
        var name = LivephotoCommand._commandName
        var command: any ParsableCommand.Type = LivephotoCommand.self
        for word in arguments.dropFirst(isHelpCommand ? 1 : 0) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word.hasPrefix("-") { break }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                let known = subcommands.filter { $0.configuration.shouldDisplay }
                throw Self.unknown(word, of: name, among: known.map { $0._commandName })
            }
            name += " \(word)"
            command = next
        }
        let options = arguments.prefix { $0 != "--" }
        isForHelp = arguments.isEmpty || isHelpCommand || options.contains("-h") || options.contains("--help")
        self.name = name
        self.command = command
    }

    /// The command's help, as wide as the terminal, up to 100 columns.
    var help: String {
        var text = LivephotoCommand.helpMessage(for: command, columns: min(Terminal.columns, 100))
        while text.last == "\n" { text.removeLast() }
        let examples = (command as? any ExemplifiedCommand.Type)?.examples ?? []
        return "\(text)\n\nExamples:\n" + examples.map { "  \($0)" }.joined(separator: "\n")
    }

    private static func unknown(_ word: String, of name: String, among names: [String]) -> UsageError {
        let hint = suggestion(for: word, among: names)
        if hint.isEmpty, word.contains(".") || word.contains("/") {
            return UsageError(
                "\(quoted(word)) is not a command; to convert a clip: livephoto convert CLIP")
        }
        let known = alternatives(names, "and")
        return UsageError(
            "\(quoted(word)) is not a command of \(name)\(hint.isEmpty ? "; there" : "\(hint) There") are \(known)")
    }
}
