import ArgumentParser
import LivePhotoConversion

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "Lists the presets, or shows one.",
        discussion: """
            Examples:
              livephoto presets list
              livephoto presets show compact > mine.yaml
            """,
        subcommands: [List.self, Show.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the presets that ship with the program.",
            discussion: """
                Examples:
                  livephoto presets list
                  livephoto presets
                """)

        func run() throws {
            let library = PresetLibrary()
            for name in library.names {
                let preset = try library.preset(named: name)
                let column = name.padded(to: 10)
                print("\(column)\(preset.description)\(name == PresetLibrary.defaultName ? " (default)" : "")")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a preset as YAML, ready to be changed and given to 'convert --preset FILE'.",
            discussion: """
                Examples:
                  livephoto presets show classic
                  livephoto presets show compact > mine.yaml
                """)

        @Argument(help: "The preset's name.")
        var name: String

        func run() throws {
            print(try PresetLibrary().yaml(named: name), terminator: "")
        }
    }
}

extension String {
    /// With spaces behind it up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
