import ArgumentParser
import LivePhotoBatch
import LivePhotoRequests
import MediaModel

struct PresetsCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List, show or check presets.",
        discussion: """
            A preset holds the settings of a conversion: the part of the clip, frame rate, size and quality. A file \
            NAME.yaml in ~/.config/livephoto/presets (or $XDG_CONFIG_HOME/livephoto/presets) can be used by name, like \
            the presets that come with the program.
            """,
        subcommands: [List.self, Show.self, Check.self, Keys.self],
        defaultSubcommand: List.self)

    static let examples = ["livephoto presets list", "livephoto presets show compact > mine.yaml"]

    struct List: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the built-in presets and your own.")

        static let examples = ["livephoto presets list", "livephoto presets"]

        @Flag(help: "Print only the names.")
        var names = false

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            if names { return try Terminal.print((library.names + library.ownNames).joined(separator: "\n")) }
            let shipped = try library.names.map { name in
                let note = name == PresetLibrary.defaultName ? " (default)" : ""
                return name.padded(to: 10) + (try library.preset(named: name).description) + note
            }
            try Terminal.print(shipped.joined(separator: "\n"))
            let own = try library.ownPresets()
            guard let folder = library.folder, !own.isEmpty else { return }
            let lines = own.map { own in
                printable(own.name).padded(to: 10) + Self.description(of: own.preset)
            }
            try Terminal.print("\n\(printable(folder.string)):\n" + lines.joined(separator: "\n"))
        }

        private static func description(of preset: Result<Preset, LivePhotoError>) -> String {
            switch preset {
            case .success(let preset): preset.description
            case .failure(let error): printable("error: \(error)")
            }
        }
    }

    struct Show: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print a preset as YAML, as a starting point for your own.")

        static let examples = [
            "livephoto presets show classic", "livephoto presets show compact > mine.yaml",
            "livephoto presets show smooth --whole",
        ]

        @Argument(help: ArgumentHelp("The preset's name or file.", valueName: "name|file"), completion: .presets)
        var preset: String

        @Flag(help: "Include the settings inherited from the presets it extends.")
        var whole = false

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            var resolved = try library.resolve(preset)
            // The printed file may be in any folder.
            resolved.adjustments.colorTable = resolved.adjustments.colorTable.flatMap {
                LookupTableFile(path: CurrentProcess.folder.pushing($0.path))
            }
            try Terminal.print(try whole ? resolved.yaml : library.yaml(of: preset), terminator: "")
        }
    }

    struct Check: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check preset files and report errors as FILE:LINE:COLUMN.",
            discussion: "Exits with status 64 if a preset has an error.")

        static let examples = ["livephoto presets check mine.yaml", "livephoto presets check *.yaml"]

        @Argument(help: ArgumentHelp("A preset's file or name.", valueName: "file|name"), completion: .presets)
        var presets: [String]

        func run() throws {
            let library = PresetLibrary.withOwnPresets
            var isGood = true
            for preset in presets {
                var verdict = "\(preset): good"
                do throws(LivePhotoError) {
                    _ = try library.resolve(preset)
                } catch {
                    isGood = false
                    verdict = "\(error)"
                }
                try Terminal.print(printable(verdict))
            }
            if !isGood { throw ExitCode(64) }
        }
    }
}

extension PresetsCommand {
    struct Keys: ExemplifiedCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract: "List the keys of presets or of jobs, as a table in Markdown or as a JSON Schema.")

        static let examples = ["livephoto presets keys", "livephoto presets keys schema > job-file.schema.json"]

        enum Form: String, CaseIterable, ExpressibleByArgument {
            case presets, jobs, schema
        }

        @Argument(
            help: "What to print: a table of the preset keys, a table of the job keys, or the schema of job files.")
        var form = Form.presets

        func run() throws {
            switch form {
            case .presets: try Terminal.print(Self.presetTable)
            case .jobs: try Terminal.print(Self.jobTable)
            case .schema: try Terminal.print(JobFileSchema.text)
            }
        }

        private static var presetTable: String {
            // Long descriptions of values stand once, at the first setting that has them.
            var settings: [String: String] = [:]
            let rows = Setting.all.map { setting in
                let option = setting.option == nil ? "" : "`--\(setting.optionName)`"
                var values = setting.allowed + (setting.isOptional ? ", or null" : "")
                if values.count > 50 {
                    if let first = settings.updateValue(settings[values] ?? setting.path, forKey: values) {
                        values = "as `\(first)`"
                    }
                }
                return "| `\(setting.path)` | \(setting.help) | \(values) | \(option) |"
            }
            return (["| Key | | Values | `convert` |", "|---|---|---|---|"] + rows).joined(separator: "\n")
        }

        private static var jobTable: String {
            let own = JobKey.allCases.map { "| `\($0.rawValue)` | \($0.help) |" }
            let settings = Setting.all.compactMap { setting in
                setting.jobKey.map { "| `\($0)` | `\(setting.path)` of presets |" }
            }
            return (["| Key | |", "|---|---|"] + own + settings).joined(separator: "\n")
        }
    }
}
