import ArgumentParser
import LivePhotoConversion

/// A command line that cannot be understood.
struct UsageError: Error {
    /// One sentence for a person.
    let message: String
    /// A second line that says where to read more.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// What ArgumentParser says of a command line of `command`, in our way.
    init(parsing error: any Error, of command: CommandPath) {
        let message = LivephotoCommand.message(for: error)
        var sentence = String(message.prefix { $0 != "\n" }.replacing(". Did you", with: "; did you"))
        if sentence.hasSuffix(".") { sentence.removeLast() }
        self.init(sentence.prefix(1).lowercased() + sentence.dropFirst(), hint: "See '\(command.name) --help'.")
    }
}

/// The value of an option that was given as `text`; nil when it was not given.
func value<Value: OptionValue>(_ text: String?, of option: String) throws(UsageError) -> Value? {
    guard let text else { return nil }
    do {
        return try Value(text)
    } catch {
        throw UsageError("\(option): \(error)")
    }
}

/// The same for a value that a parser other than an option's own makes.
///
/// - Parameters:
///   - kind: what the value is, with its article: `a UUID`.
///   - example: how one is written.
///   - parse: nil for a text that is none.
func value<Value>(
    _ text: String?, of option: String, _ kind: String, example: String, _ parse: (String) -> Value?
) throws(UsageError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else {
        throw UsageError("\(option): \(quoted(text)) is not \(kind); write one as \(example)")
    }
    return value
}
