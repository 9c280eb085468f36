import ArgumentParser
import LivePhotoRequests

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
