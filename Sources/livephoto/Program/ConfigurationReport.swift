import LivePhotoKit
import LivePhotoRequests

/// What 'doctor' says about the user's own settings and where they are from.
struct ConfigurationReport {
    private(set) var lines: [String] = []
    private(set) var hasError = false

    /// Variables that change what commands do.
    private static let variables = [
        Configuration.variable, WorkerOptions.sandboxVariable, "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NO_COLOR",
    ]

    init(environment: [String: String] = CurrentProcess.environment) {
        func add(_ name: String, _ text: String) { lines.append(name.padded(to: 14) + printable(text)) }
        do throws(LivePhotoError) {
            let configuration = try Configuration(environment: environment)
            switch configuration.file {
            case let file? where configuration.isPresent: add("configuration", file.string)
            case let file?: add("configuration", "none (it would be \(file))")
            case nil: add("configuration", "none")
            }
            for setting in configuration.defaults {
                let words = setting.words.isEmpty ? "no --\(setting.option)" : setting.words.joined(separator: " ")
                let isReplaced =
                    setting.option == "sandbox" && environment[WorkerOptions.sandboxVariable] != nil
                    ? "; \(WorkerOptions.sandboxVariable) counts instead" : ""
                add("", "\(words) for \(setting.command ?? "all commands") (\(setting.place)\(isReplaced))")
            }
            if !configuration.hasColors { add("", "no colours") }
        } catch {
            hasError = true
            add("configuration", "error: \(error)")
        }
        let library = PresetLibrary.withOwnPresets
        if let folder = library.folder, let own = try? library.ownPresets(), !own.isEmpty {
            let names = own.map { (try? $0.preset.get()) == nil ? "\($0.name) (with an error)" : $0.name }
            add("own presets", "\(names.joined(separator: ", ")) (\(folder))")
        }
        for name in Self.variables {
            if let value = environment[name] { add("variable", "\(name)=\(value)") }
        }
    }
}
