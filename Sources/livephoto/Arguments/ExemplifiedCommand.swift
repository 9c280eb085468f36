import ArgumentParser

/// A command whose help ends with examples.
protocol ExemplifiedCommand: ParsableCommand {
    /// Command lines that begin with `livephoto`.
    static var examples: [String] { get }
}
