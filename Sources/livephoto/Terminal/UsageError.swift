/// An error in the command line.
package struct UsageError: Error {
    /// A sentence without a full stop.
    package let message: String
    /// A second line that refers to the help.
    let hint: String?

    init(_ message: String, hint: String? = nil) {
        (self.message, self.hint) = (message, hint)
    }
}
