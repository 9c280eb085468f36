import FoundationEssentials
import LivePhotoRequests

/// The manual page of the program or of one of its commands, made from the text of its help.
struct ManualPage {
    private let path: CommandPath
    private let command: CommandDescription
    private let program: CommandDescription
    private let date: String

    /// The pages of the program and of all commands that its help lists.
    ///
    /// - Parameter date: in seconds since 1970; nil for pages without a date.
    static func all(date: Int?) throws -> [ManualPage] {
        let program = try CommandDescription.program()
        let day = date.map {
            Date(timeIntervalSince1970: Double($0)).formatted(.iso8601.year().month().day())
        }
        return try ([([], program)] + program.visibleCommands).map { names, command in
            ManualPage(path: try CommandPath(names), command: command, program: program, date: day ?? "")
        }
    }

    var fileName: String { "\(name).1" }

    /// `livephoto-presets-show`
    private var name: String { path.name.replacing(" ", with: "-") }

    var text: String {
        var page = RoffText(title: name, date: date, source: "livephoto \(ProgramVersion.current)")
        page.section("NAME")
        page.title(name, command.abstract.asPhrase)
        page.section("SYNOPSIS")
        page.lines(path.usage.split(separator: "\n").map { Self.synopsis(String($0)) })
        page.section("DESCRIPTION")
        page.paragraphs([command.abstract, command.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n"))
        addSubcommands(to: &page)
        addArguments(to: &page)
        addNotes(to: &page)
        page.section("EXAMPLES")
        page.example(path.examples)
        page.section("SEE ALSO")
        page.lines([related.map { "\(RoffText.bold($0))(1)" }.joined(separator: ",\n")])
        return page.text
    }

    /// A line of the usage, with the command in bold and the names of values in italics.
    private static func synopsis(_ usage: String) -> String {
        let words = usage.split(separator: " ")
        let command = words.prefix { $0.allSatisfy { $0.isLetter } }
        let rest = words.dropFirst(command.count).map { word in
            RoffText.code(String(word)).replacing(/<([^<>]*)>/) { "\\fI\($0.1)\\fR" }
        }
        return ([RoffText.bold(command.joined(separator: " "))] + rest).joined(separator: " ")
    }

    private func addSubcommands(to page: inout RoffText) {
        let subcommands = command.visibleSubcommands
        guard !subcommands.isEmpty else { return }
        page.section("COMMANDS")
        for subcommand in subcommands { page.item(RoffText.bold(subcommand.name), subcommand.abstract) }
    }

    private func addArguments(to page: inout RoffText) {
        let visible = command.arguments.filter(\.isVisible)
        for (section, arguments) in [
            ("ARGUMENTS", visible.filter(\.names.isEmpty)), ("OPTIONS", visible.filter { !$0.names.isEmpty }),
        ] where !arguments.isEmpty {
            page.section(section)
            for argument in arguments { page.item(Self.term(argument), Self.explanation(argument)) }
        }
    }

    /// `-o, --output dir`
    private static func term(_ argument: CommandDescription.Argument) -> String {
        let names = argument.names.sorted { $0.count < $1.count }.map(RoffText.bold).joined(separator: ", ")
        guard argument.hasValue else { return names }
        let value = RoffText.italic(argument.valueName) + (argument.isRepeating ? " \\&..." : "")
        return names.isEmpty ? value : "\(names) \(value)"
    }

    private static func explanation(_ argument: CommandDescription.Argument) -> String {
        guard let value = argument.defaultValue else { return argument.help }
        // A flag that is set by default has its own name here.
        return argument.help + (argument.names.contains(value) ? " This is the default." : " (default: \(value))")
    }

    private func addNotes(to page: inout RoffText) {
        for (section, notes) in [("ENVIRONMENT", ManualNote.environment), ("FILES", ManualNote.files)] {
            let notes = notes.filter { $0.applies(to: command, path.names) }
            guard !notes.isEmpty else { continue }
            page.section(section)
            for note in notes { page.item(RoffText.bold(note.name), note.text) }
        }
        page.section("EXIT STATUS")
        for (status, meaning) in ManualNote.exitStatuses { page.item(RoffText.bold(status), "\(meaning).") }
    }

    /// The names of other pages: those of the commands that this page mentions in quotation marks.
    private var related: [String] {
        let help = ([command.abstract, command.discussion] + command.arguments.map(\.help)).joined(separator: " ")
        let mentioned = program.visibleCommands.map(\.names).filter { names in
            let name = names.joined(separator: " ")
            let isBelow = names.count == path.names.count + 1 && names.starts(with: path.names)
            let isMentioned = ["'\(name)", "'livephoto \(name)"].contains { help.contains($0) }
            return names != path.names && (isBelow || isMentioned)
        }
        let others = path.names.isEmpty ? ["ffmpeg", "exiftool"] : ["livephoto"]
        return (others + mentioned.map { "livephoto-" + $0.joined(separator: "-") }).sorted()
    }
}

extension String {
    /// The sentence as a phrase: without its full stop and capital letter.
    fileprivate var asPhrase: String {
        prefix(1).lowercased() + dropFirst().replacing(/\.$/, with: "")
    }
}
