import LivePhotoRequests

/// An option on a command line.
struct GivenOption {
    /// As it was written, without a value behind `=`: `--mute`, `-ss`, `-oLive`.
    let text: String
    /// What it means, for each letter of several behind one dash; empty if the command has no such option.
    let meanings: [CommandDescription.Argument]

    /// The options up to `--`, without their values.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - options: those of the command.
    ///   - names: of the command: `presets`, `show`.
    static func all(
        in arguments: [String], _ options: [CommandDescription.Argument], of names: [String]
    ) -> [GivenOption] {
        var given: [GivenOption] = []
        var words = arguments.prefix { $0 != "--" }
        while let word = words.popFirst() {
            guard word.hasPrefix("-"), word != "-" else { continue }
            let text = String(word.prefix { $0 != "=" })
            let meanings = options.named(text).map { [$0] } ?? options.joined(text, in: names)
            given.append(GivenOption(text: text, meanings: meanings))
            // `--output=Live` and `-oLive` contain their values.
            let endsWord = text == word && (text.hasPrefix("--") || meanings.count == text.count - 1)
            if endsWord, meanings.last?.hasValue == true { _ = words.popFirst() }
        }
        return given
    }
}

extension [CommandDescription.Argument] {
    /// The long option that differs from `text` only in case, dashes and underscores: `-noaudio`, `--dry_run`.
    func longOption(spelledAs text: String) -> String? {
        guard text.count > 2 else { return nil }
        let key = OptionSynonym.key(text)
        return lazy.flatMap(\.names).first { $0.hasPrefix("--") && OptionSynonym.key($0) == key }
    }

    /// The options of several letters behind one dash, up to one with a value: `-nf`, `-fo`, `-oLive`. Empty if a letter is not
    /// an option, or if the word is a long option or one of another program: `-vf` is ffmpeg's, not `-v -f`.
    ///
    /// - Parameter names: of the command: `presets`, `show`.
    fileprivate func joined(_ text: String, in names: [String]) -> [CommandDescription.Argument] {
        guard !text.hasPrefix("--"), longOption(spelledAs: text) == nil, !OptionSynonym.isKnown(text, in: names) else {
            return []
        }
        var options: [CommandDescription.Argument] = []
        for letter in text.dropFirst() {
            guard let option = named("-\(letter)") else { return [] }
            options.append(option)
            if option.hasValue { break }
        }
        return options
    }
}
