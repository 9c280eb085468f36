import LivePhotoRequests

/// An option on the command line that its command does not have.
package struct UnknownOption {
    /// The option as it was written, without a value: `--mute`, `-ss`.
    private let text: String
    /// The options of the command, and those of the program, which apply to all commands.
    private let options: [CommandDescription.Argument]
    private let names: [String]
    private let program: CommandDescription

    /// Hidden options of all commands that ArgumentParser does not describe.
    private static let optionsOfArgumentParser = ["--generate-completion-script", "--experimental-dump-help"]

    /// Finds the first unknown option; nil if there is none.
    ///
    /// - Parameter names: of the command: `presets`, `show`.
    package init?(in arguments: [String], of names: [String], _ program: CommandDescription) {
        guard let command = program.command(names) else { return nil }
        options = command.arguments + (names.isEmpty ? [] : program.arguments)
        (self.names, self.program) = (names, program)
        let unknown = GivenOption.all(in: arguments, options, of: names).first {
            $0.meanings.isEmpty && !Self.optionsOfArgumentParser.contains($0.text)
        }
        guard let unknown else { return nil }
        text = unknown.text
    }

    /// Whether ArgumentParser could take an option of several letters after one dash for something else, such as `-output`
    /// for `-o utput`.
    static func canBeMisread(in arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0.count > 2 && $0.hasPrefix("-") && !$0.hasPrefix("--") }
    }

    package var error: UsageError {
        let command = (["livephoto"] + names).joined(separator: " ")
        return UsageError("unknown option \(quoted(text))\(advice)", hint: "See '\(command) --help'.")
    }

    /// `; use --no-audio to leave out the sound`
    private var advice: String {
        if let same = options.longOption(spelledAs: text) { return "; did you mean '\(same)'?" }
        let word = OptionSynonym.key(text)
        let hasJoinedNumber = !OptionSynonym.isKnown(text, in: names) && text.wholeMatch(of: /-[A-Za-z][0-9].*/) != nil
        // `-j3` is `-j` with its value.
        let key = hasJoinedNumber ? String(word.prefix(1)) : word
        let own = options.filter { $0.isVisible && ($0.hasValue || !hasJoinedNumber) }
        for synonym in OptionSynonym.all where synonym.matches(key, in: names) {
            switch synonym.answer {
            case .option(let option, let purpose) where own.named(option) != nil: return "; use \(option) \(purpose)"
            case .option: continue
            case .sentence(let sentence): return "; \(sentence)"
            }
        }
        if let close = closestOption(to: key, among: own.flatMap(\.names)) { return "; did you mean '\(close)'?" }
        return adviceOfOthers(key)
    }

    private func closestOption(to key: String, among names: [String]) -> String? {
        guard key.count > 2 else { return nil }
        let long = names.filter { $0.hasPrefix("--") }
        guard let closest = closestWord(to: key, among: long.map(OptionSynonym.key)) else { return nil }
        return long.first { OptionSynonym.key($0) == closest }
    }

    /// `; it is an option of 'link'`
    private func adviceOfOthers(_ key: String) -> String {
        func having(_ option: String) -> String? {
            let having = program.visibleCommands.filter { $0.command.arguments.named(option)?.isVisible ?? false }
            return having.isEmpty ? nil : alternatives(having.map { quoted($0.names.joined(separator: " ")) }, "and")
        }
        if let having = having(text) { return "; it is an option of \(having)" }
        // Single letters and `all` have another meaning in each command.
        guard key.count > 1, key != "all" else { return "" }
        for synonym in OptionSynonym.all where synonym.commands == nil {
            guard case .option(let option, let purpose) = synonym.answer, synonym.words.contains(key),
                let having = having(option)
            else { continue }
            return "; in \(having), use \(option) \(purpose)"
        }
        return ""
    }
}
