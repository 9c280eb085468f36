/// Words that users of other programs write for an option, and what this program has for the purpose.
package struct OptionSynonym: Sendable {
    package enum Answer: Sendable {
        /// An option, for commands that have it, and its purpose: `to leave out the sound`.
        case option(String, String)
        /// Advice that names no option of the same command.
        case sentence(String)
    }

    /// Options in the form of `key`.
    package let words: Set<String>
    package let answer: Answer
    /// The commands that it is meant for; nil for all.
    package let commands: [String]?

    /// An option in lower case without dashes and underscores, so that `--no-sound`, `-nosound` and `--NoSound` are equal.
    /// A single letter keeps its case.
    package static func key(_ option: String) -> String {
        let letters = option.filter { $0 != "-" && $0 != "_" }
        return letters.count == 1 ? letters : letters.lowercased()
    }

    /// Whether the table has an answer to an option for a command.
    ///
    /// - Parameter names: of the command: `presets`, `show`.
    static func isKnown(_ option: String, in names: [String]) -> Bool {
        let key = key(option)
        return all.contains { $0.matches(key, in: names) }
    }

    /// - Parameter names: of a command: `presets`, `show`.
    func matches(_ key: String, in names: [String]) -> Bool {
        words.contains(key) && commands?.contains(names.joined(separator: " ")) ?? true
    }

    /// - Parameter words: options without their first dashes, separated by spaces.
    private init(_ words: String, _ answer: Answer, in commands: [String]?) {
        self.words = Set(words.split(separator: " ").map { Self.key(String($0)) })
        (self.answer, self.commands) = (answer, commands)
    }

    static func use(_ option: String, _ purpose: String, for words: String, in commands: String...) -> Self {
        Self(words, .option(option, purpose), in: commands.isEmpty ? nil : commands)
    }

    static func say(_ sentence: String, for words: String, in commands: String...) -> Self {
        Self(words, .sentence(sentence), in: commands.isEmpty ? nil : commands)
    }
}
