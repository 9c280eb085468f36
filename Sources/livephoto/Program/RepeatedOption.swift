import LivePhotoRequests

/// An option with a value that was given twice, of which only one could count.
enum RepeatedOption {
    /// `--output` of `--output=Live`; `-o` of `-oLive` and of `-o`, which has the same value.
    private static func name(of word: String) -> String {
        word.hasPrefix("-o") ? "--output" : String(word.prefix { $0 != "=" })
    }

    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - path: their command.
    /// - Throws: `UsageError`.
    static func check(_ arguments: [String], of path: CommandPath) throws {
        let words = arguments.prefix { $0 != "--" }
        let given = words.filter { $0.hasPrefix("-") }.map(name(of:))
        // Describing all options takes milliseconds.
        guard Set(given).count < given.count, let command = try CommandDescription.program().command(path.names) else {
            return
        }
        var seen: Set<String> = []
        var rest = words.dropFirst(path.names.count)
        while let word = rest.popFirst() {
            let name = name(of: word)
            guard let option = command.arguments.named(name), option.hasValue else { continue }
            if !option.isRepeating, !seen.insert(option.longName).inserted {
                throw UsageError("\(name) is given twice; leave one out")
            }
            if name == word || word == "-o" { _ = rest.popFirst() }
        }
    }
}
