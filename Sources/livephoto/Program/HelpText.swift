import ArgumentParser

/// The help of a command: one screen for `-h`, everything for `--help`.
struct HelpText {
    private let path: CommandPath
    private let command: CommandDescription
    private let columns: Int
    private var lines: [String] = []

    /// How many options one screen shows.
    private static let most = 10
    private static let indent = 26

    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - isShort: whether it has to fit on a screen.
    ///   - includesHidden: whether it lists hidden options too.
    init(_ path: CommandPath, _ command: CommandDescription, columns: Int, isShort: Bool, includesHidden: Bool) {
        (self.path, self.command, self.columns) = (path, command, columns)
        let shown = command.arguments.filter { includesHidden || $0.isVisible }
        let options = HelpGroup.all(of: shown.filter { !$0.names.isEmpty })
        add("OVERVIEW: \(command.abstract)")
        if !isShort { for paragraph in command.discussion.split(separator: "\n\n") { add("\n\(paragraph)") } }
        lines.append("\nUSAGE: \(path.usage)")
        if isShort {
            section("OPTIONS", HelpGroup.mostUsed(Self.most, of: options).map(Self.item))
        } else {
            section("ARGUMENTS", shown.filter(\.names.isEmpty).map(Self.item))
            for group in options { section(group.title, group.options.map(Self.item)) }
        }
        if path.names.isEmpty {
            for group in LivephotoCommand.groups {
                let commands = group.commands.compactMap { command.command([$0._commandName]) }
                section(group.title, commands.map { ($0.name, $0.abstract) })
            }
            lines.append("\nSee 'livephoto help COMMAND' for a command.")
        } else {
            section("SUBCOMMANDS", command.visibleSubcommands.map { ($0.name, $0.abstract) })
        }
        lines.append("\nExamples:")
        lines += (isShort ? Array(path.examples.prefix(2)) : path.examples).map { "  \($0)" }
        if isShort, options.reduce(0, { $0 + $1.options.count }) > Self.most {
            lines.append("\nAll options: \(path.name) --help")
        }
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func section(_ title: String, _ items: [(term: String, text: String)]) {
        guard !items.isEmpty else { return }
        lines.append("\n\(title):")
        for (term, text) in items {
            var rows = Self.wrapped(text, columns: columns - Self.indent)
            var start = "  \(term)"
            if start.count < Self.indent, !rows.isEmpty {
                start += String(repeating: " ", count: Self.indent - start.count) + rows.removeFirst()
            }
            lines.append(start)
            lines += rows.map { String(repeating: " ", count: Self.indent) + $0 }
        }
    }

    private mutating func add(_ paragraph: String) {
        lines += paragraph.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.isEmpty ? [""] : Self.wrapped(String(line), columns: columns)
        }
    }

    /// `-o, --output <path>` and what it does.
    private static func item(_ argument: CommandDescription.Argument) -> (term: String, text: String) {
        let names = argument.names.sorted { $0.count < $1.count }.joined(separator: ", ")
        let value = argument.hasValue ? "<\(argument.valueName)>" : ""
        let term = [names, value].filter { !$0.isEmpty }.joined(separator: " ")
        guard let fallback = argument.defaultValue, !argument.names.contains(fallback) else {
            return (term, argument.help)
        }
        return (term, "\(argument.help) (default: \(fallback))")
    }

    /// The words of a text in lines of at most so many characters.
    private static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
