import ArgumentParser

/// A command whose help ends with examples.
protocol ExemplifiedCommand: ParsableCommand {
    /// Command lines that begin with `livephoto`.
    static var examples: [String] { get }
    /// Whether a command with subcommands also takes arguments of its own.
    static var takesArguments: Bool { get }
}

extension ExemplifiedCommand {
    static var takesArguments: Bool { false }
}
