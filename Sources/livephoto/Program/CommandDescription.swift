import ArgumentParser
import LivePhotoKit

/// A command with its options and subcommands, as ArgumentParser describes it. Help, manual pages and the errors about unknown
/// and repeated options follow from it.
package struct CommandDescription: Decodable, Sendable {
    package let name: String
    /// One sentence.
    package let abstract: String
    /// Paragraphs separated by empty lines; may be empty.
    package let discussion: String
    /// Whether the help lists it.
    package let isVisible: Bool
    package let subcommands: [CommandDescription]
    /// Arguments and options, in the order of the help.
    package let arguments: [Argument]

    package struct Argument: Decodable, Sendable {
        /// The names with dashes, such as `-o` and `--output`; empty for arguments without a name.
        package let names: [String]
        /// Whether it is an option that is followed by a value, or an argument.
        package let hasValue: Bool
        /// `file`
        package let valueName: String
        package let isRepeating: Bool
        package let isVisible: Bool
        /// One sentence or several.
        package let help: String
        /// The value that is used if it is absent, if ArgumentParser knows it.
        package let defaultValue: String?
    }

    /// All commands of the program.
    ///
    /// - Throws: an error if ArgumentParser describes them in another form than the known one.
    package static func program() throws -> CommandDescription {
        // The only complete description that ArgumentParser gives; `--experimental-dump-help` prints it.
        try JSON.decode(Dump.self, from: LivephotoCommand._dumpHelp().utf8).command
    }

    /// The command with these names below this one: `presets`, `show`.
    package func command(_ names: some Sequence<String>) -> CommandDescription? {
        var command: CommandDescription? = self
        for name in names { command = command?.subcommands.first { $0.name == name } }
        return command
    }

    /// The subcommands that the help lists, without ArgumentParser's `help`.
    package var visibleSubcommands: [CommandDescription] { subcommands.filter { $0.isVisible && $0.name != "help" } }

    /// The visible commands below this one with their names, such as `presets` and `show`, in the order of the help.
    package var visibleCommands: [(names: [String], command: CommandDescription)] {
        visibleSubcommands.flatMap { command in
            [([command.name], command)] + command.visibleCommands.map { ([command.name] + $0.names, $0.command) }
        }
    }

}

extension [CommandDescription.Argument] {
    /// The option with a name that includes its dashes.
    package func named(_ name: String) -> CommandDescription.Argument? { first { $0.names.contains(name) } }
}

/// The document that ArgumentParser creates.
private struct Dump: Decodable {
    let command: CommandDescription
}

extension CommandDescription {
    private enum CodingKeys: String, CodingKey {
        case name = "commandName"
        case isVisible = "shouldDisplay"
        case abstract, discussion, subcommands, arguments
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        abstract = try container.decodeIfPresent(String.self, forKey: .abstract) ?? ""
        discussion = try container.decodeIfPresent(String.self, forKey: .discussion) ?? ""
        isVisible = try container.decodeIfPresent(Bool.self, forKey: .isVisible) ?? true
        subcommands = try container.decodeIfPresent([CommandDescription].self, forKey: .subcommands) ?? []
        arguments = try container.decodeIfPresent([Argument].self, forKey: .arguments) ?? []
    }
}

extension CommandDescription.Argument {
    private enum CodingKeys: String, CodingKey {
        case isVisible = "shouldDisplay"
        case help = "abstract"
        case kind, names, valueName, isRepeating, defaultValue
    }

    private struct Name: Decodable {
        let kind: String
        let name: String

        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        names = try container.decodeIfPresent([Name].self, forKey: .names)?.map(\.text) ?? []
        hasValue = try container.decode(String.self, forKey: .kind) != "flag"
        valueName = try container.decodeIfPresent(String.self, forKey: .valueName) ?? ""
        isRepeating = try container.decode(Bool.self, forKey: .isRepeating)
        isVisible = try container.decode(Bool.self, forKey: .isVisible)
        help = try container.decodeIfPresent(String.self, forKey: .help) ?? ""
        defaultValue = try container.decodeIfPresent(String.self, forKey: .defaultValue)
    }
}
