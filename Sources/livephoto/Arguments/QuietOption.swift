import ArgumentParser

/// Whether there is output besides results and errors.
struct QuietOption: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print only results and errors: no progress, warnings or summaries.")
    var quiet = false

    /// Prints a line on stderr that is neither a result nor an error.
    func say(_ line: String) {
        if !quiet { Terminal.say(line) }
    }
}
