import ArgumentParser
import LivePhotoRequests
import MediaModel

struct PresetsCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List, show or check presets.",
        discussion: """
            A preset says how a pair is made: which part of the clip, at which rate and size, how well coded. Yours \
            stand in ~/.config/livephoto/presets (or $XDG_CONFIG_HOME/livephoto/presets), each as NAME.yaml, and are \
            asked for by name as those that ship with the program are.
            """,
        subcommands: [List.self, Show.self, Check.self],
        defaultSubcommand: List.self)

    static let examples = ["livephoto presets list", "livephoto presets show compact > mine.yaml"]

    struct List: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the presets that ship with the program, and your own with their folder.")

        static let examples = ["livephoto presets list", "livephoto presets"]

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            let shipped = try library.names.map { name in
                let note = name == PresetLibrary.defaultName ? " (default)" : ""
                return name.padded(to: 10) + (try library.preset(named: name).description) + note
            }
            try Terminal.print(shipped.joined(separator: "\n"))
            let own = try library.ownPresets()
            guard let folder = library.folder, !own.isEmpty else { return }
            let lines = own.map { own in
                printable(own.name).padded(to: 10) + own.preset.map(\.description).told
            }
            try Terminal.print("\n\(printable(folder.string)):\n" + lines.joined(separator: "\n"))
        }
    }

    struct Show: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print a preset as YAML, to change it and use it with 'convert --preset FILE'.")

        static let examples = [
            "livephoto presets show classic", "livephoto presets show compact > mine.yaml",
            "livephoto presets show smooth --whole",
        ]

        @Argument(help: ArgumentHelp("The preset's name or file.", valueName: "name|file"), completion: .file())
        var preset: String

        @Flag(help: "Fill in what the preset takes from those that it extends.")
        var whole = false

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            try Terminal.print(try whole ? library.resolve(preset).yaml : library.yaml(of: preset), terminator: "")
        }
    }

    struct Check: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check preset files and report errors as FILE:LINE:COLUMN.",
            discussion: "Exits with 64 if any is wrong.")

        static let examples = ["livephoto presets check mine.yaml", "livephoto presets check *.yaml"]

        @Argument(help: ArgumentHelp("A preset's file or name.", valueName: "file|name"), completion: .file())
        var presets: [String]

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            var isGood = true
            for preset in presets {
                do {
                    _ = try library.resolve(preset)
                    try Terminal.print("\(printable(preset)): good")
                } catch let error as ConfigurationError {
                    isGood = false
                    try Terminal.print(printable("\(error)"))
                }
            }
            if !isGood { throw ExitCode(64) }
        }
    }
}

extension Result<String, ConfigurationError> {
    fileprivate var told: String {
        switch self {
        case .success(let text): text
        case .failure(let error): printable("error: \(error)")
        }
    }
}

extension String {
    /// With spaces behind it up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
