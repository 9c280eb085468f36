import LivePhotoKit
import LivePhotoRequests

/// The keys of the user's configuration file and their values, checked.
struct ConfigurationKeys {
    /// Keys of which there is no option.
    private enum Key: String {
        /// `false` leaves out the colours of errors and warnings.
        case color
    }

    /// Options that mean the same in all commands.
    private static let sharedOptions = [
        "preset", "jobs", "progress", "quiet", "verbose", "log-format", "sandbox", "timeout", "memory-limit",
    ]
    /// Options for single calls: with the same identifier, different Live Photos would count as one; no file is replaced or
    /// changed unasked; and others make the command another one.
    private static let excludedOptions: Set<String> = [
        "help", "version", "id", "force", "in-place", "restart", "save-recipe", "player", "explain", "failed",
    ]

    private(set) var defaults: [Configuration.Default] = []
    private(set) var hasColors = true

    /// - Throws: `LivePhotoError` with the place of an error.
    init(_ root: YAMLNode) throws(LivePhotoError) {
        let program: CommandDescription
        do {
            program = try CommandDescription.program()
        } catch {
            throw LivePhotoError(.internalError, nil, "cannot read the options of the commands: \(error)")
        }
        let commands = program.visibleCommands.map { (name: $0.names.joined(separator: " "), command: $0.command) }
        try Self.check(root) { key in
            guard !Self.sharedOptions.contains(key), !commands.contains(where: { $0.name == key }) else { return nil }
            let command = commands.first { $0.command.arguments.named("--" + key)?.isVisible ?? false }?.name
            return command.map { "is not for all commands; write it below the name of one, such as '\($0):'" }
        }
        let mapping = try YAMLMapping<Key>(root, keys: [Key.color.rawValue] + Self.sharedOptions + commands.map(\.name))
        if let node = mapping[.color], !node.isNull { hasColors = try Self.isOn(node) }
        for option in Self.sharedOptions {
            let having = commands.lazy.compactMap { $0.command.arguments.named("--" + option) }.first
            if let node = mapping[option], let having { try add(having, nil, node) }
        }
        for (name, command) in commands {
            guard let node = mapping[name], !node.isNull else { continue }
            try Self.check(node)
            let options = command.arguments.filter {
                $0.isVisible && !$0.names.isEmpty && !Self.excludedOptions.contains($0.longName)
            }
            let values = try YAMLMapping<Key>(node, keys: options.map(\.longName))
            for option in options { if let node = values[option.longName] { try add(option, name, node) } }
        }
    }

    /// Explains why options cannot be keys here.
    ///
    /// - Parameter problem: what is wrong with a key; nil for nothing.
    private static func check(
        _ node: YAMLNode, _ problem: (_ key: String) -> String? = { _ in nil }
    ) throws(LivePhotoError) {
        guard case .mapping(let entries) = node.content else { return }
        for entry in entries {
            let isExcluded = excludedOptions.contains(entry.key)
            if let problem = isExcluded ? "is only for single calls, on the command line" : problem(entry.key) {
                throw LivePhotoError(
                    .unknownKey, file: node.file, at: entry.place, "\(quoted(entry.key)) \(problem)")
            }
        }
    }

    /// - Parameter command: nil for all commands with the option.
    private mutating func add(
        _ option: CommandDescription.Argument, _ command: String?, _ node: YAMLNode
    ) throws(LivePhotoError) {
        let name = "--" + option.longName
        let words: [String]
        switch node.content {
        case .null: return
        case _ where !option.hasValue: words = try Self.isOn(node) ? [name] : []
        case .list(let nodes) where option.isRepeating:
            words = try nodes.map { (node) throws(LivePhotoError) in "\(name)=\(try Self.text(node))" }
        default: words = ["\(name)=\(try Self.text(node))"]
        }
        defaults.append(
            Configuration.Default(
                option: option.longName, command: command, words: words, place: "\(node.file):\(node.place.line)"))
    }

    private static func isOn(_ node: YAMLNode) throws(LivePhotoError) -> Bool {
        switch try node.text() {
        case "true": return true
        case "false": return false
        case let text:
            throw node.valueError(.invalidValue, "\(quoted(text)) is not a flag's value; write true or false")
        }
    }

    /// A value as a shell would give it: `~/` is the user's home.
    private static func text(_ node: YAMLNode) throws(LivePhotoError) -> String {
        let text = try node.line()
        guard text.hasPrefix("~/"), let home = UserFolder.home() else { return text }
        return home.appending(String(text.dropFirst(2))).string
    }
}
