import ArgumentParser
import LivePhotoRequests

/// An error in the command line.
package struct UsageError: Error {
    /// A sentence without a full stop.
    package let message: String
    /// A second line that refers to the help.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        (self.message, self.hint) = (message, hint)
    }

    /// An error of ArgumentParser in the form of this program's errors. An unknown option counts more than what else is
    /// wrong, because it often is the cause.
    init(parsing error: any Error, of command: CommandPath, _ arguments: [String]) {
        if let unknown = command.unknownOption(in: arguments) {
            self = unknown.error
            return
        }
        let message = LivephotoCommand.message(for: error)
        var sentence = String(message.prefix { $0 != "\n" }.replacing(". Did you", with: "; did you"))
        if sentence.hasSuffix(".") { sentence.removeLast() }
        self.init(sentence.prefix(1).lowercased() + sentence.dropFirst(), hint: "See '\(command.name) --help'.")
    }
}

/// Parses the value of an option; nil if it was not given.
func value<Value: OptionValue>(_ text: String?, of option: String) throws(UsageError) -> Value? {
    guard let text else { return nil }
    do {
        return try Value(text)
    } catch {
        throw UsageError("\(option): \(error)")
    }
}
