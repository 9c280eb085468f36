import ArgumentParser

/// The options shared by the commands that work on many files.
struct ProgressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How to show progress: bar (only on a terminal), json (lines on stderr) or none. (default: bar)",
            valueName: "form"))
    var progress: ProgressForm?

    @OptionGroup var messages: QuietOption

    func validate() throws {
        if quiet, let progress, progress != .none {
            throw ValidationError("--quiet and --progress \(progress.rawValue) exclude each other")
        }
    }

    var quiet: Bool { messages.quiet }

    var form: ProgressForm { quiet ? .none : progress ?? .bar }

    /// Prints a line on stderr that is neither a result nor an error.
    func say(_ line: String) { messages.say(line) }

    func warn(_ warnings: [String]) {
        for warning in warnings { say("warning: \(warning)") }
    }
}

extension ProgressForm: ExpressibleByArgument {}
