import LivePhotoRequests

/// An option with a value that was given twice, of which only one could count.
enum RepeatedOption {
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - path: their command.
    /// - Throws: `UsageError`.
    static func check(_ arguments: [String], of path: CommandPath) throws {
        // Describing all options takes milliseconds. The two names of an option, such as `-o` and `--output`, begin with the
        // same letter.
        let letters = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.flatMap {
            $0.hasPrefix("--") ? $0.dropFirst(2).prefix(1) : $0.dropFirst()
        }
        guard Set(letters).count < letters.count, let command = try CommandDescription.program().command(path.names)
        else { return }
        var seen: Set<String> = []
        for given in GivenOption.all(in: arguments, command.arguments, of: path.names) {
            for option in given.meanings where option.hasValue && !option.isRepeating {
                guard seen.insert(option.longName).inserted else {
                    throw UsageError("--\(option.longName) is given twice; leave one out")
                }
            }
        }
    }
}
