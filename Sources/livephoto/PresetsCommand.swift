import ArgumentParser
import LivePhotoConversion

struct PresetsCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "Lists the presets, or shows one.",
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self)

    static let examples = ["livephoto presets list", "livephoto presets show compact > mine.yaml"]

    struct List: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the presets that ship with the program.")

        static let examples = ["livephoto presets list", "livephoto presets"]

        func run() throws {
            let library = PresetLibrary()
            let lines = try library.names.map { name in
                let note = name == PresetLibrary.defaultName ? " (default)" : ""
                return name.padded(to: 10) + (try library.preset(named: name).description) + note
            }
            try Terminal.print(lines.joined(separator: "\n"))
        }
    }

    struct Show: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Prints a preset as YAML, ready to be changed and given to 'convert --preset FILE'.")

        static let examples = ["livephoto presets show classic", "livephoto presets show compact > mine.yaml"]

        @Argument(help: "The preset's name.")
        var name: String

        func run() throws {
            try Terminal.print(try PresetLibrary().yaml(named: name), terminator: "")
        }
    }
}

extension String {
    /// With spaces behind it up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
