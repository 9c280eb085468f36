import ArgumentParser

extension UsageError {
    /// An error of ArgumentParser in the form of this program's errors. An unknown option counts more than what else is
    /// wrong, because it often is the cause.
    init(parsing error: any Error, of command: CommandPath, _ arguments: [String]) {
        if let unknown = command.unknownOption(in: arguments) {
            self = unknown.error
            return
        }
        let message = LivephotoCommand.message(for: error)
        if let flags = message.firstMatch(of: /flag '(--[a-z-]+)'\s+had already been set with flag '(--[a-z-]+)'/) {
            self.init("\(flags.1) and \(flags.2) exclude each other", hint: "See '\(command.name) --help'.")
            return
        }
        var sentence = String(message.prefix { $0 != "\n" }.replacing(". Did you", with: "; did you"))
        if sentence.hasSuffix(".") { sentence.removeLast() }
        self.init(sentence.prefix(1).lowercased() + sentence.dropFirst(), hint: "See '\(command.name) --help'.")
    }
}
