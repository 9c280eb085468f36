import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import Synchronization

/// Prints the result of each pair and counts the results.
final class TransferLog: Sendable {
    private let bar: ProgressDisplay
    private let title: String
    private let options: ProgressOptions
    private let isJSON: Bool
    private let isSingle: Bool
    private let isDryRun: Bool
    /// Number of outcomes by state.
    private let counts = Mutex([String: Int]())
    /// A remark about the results, said once at the end.
    private let remark = Mutex(String?.none)

    init(_ title: String, _ options: ProgressOptions, isJSON: Bool, isSingle: Bool, isDryRun: Bool) {
        (self.options, self.isJSON, self.isSingle, self.isDryRun) = (options, isJSON, isSingle, isDryRun)
        self.title = title
        bar = ProgressDisplay(title, options.form)
    }

    func show(_ progress: PairTransfer.Progress) {
        let stage = progress.stage == .searching ? "searching" : title
        bar.show(progress.done, of: progress.total, "file", stage: stage)
    }

    /// - Parameter results: the paths to print if they were made.
    func report(_ outcome: PairTransfer.Outcome, results: [FilePath?]) throws {
        counts.withLock { $0[outcome.state.name, default: 0] += 1 }
        if case .passedOver = outcome.state { return }
        if isJSON { Terminal.printResult(try JSON.text(TransferDocument(outcome))) }
        func printResults() {
            let names = results.compactMap { $0?.string }
            if !isJSON, !names.isEmpty { Terminal.printResult(lines: names) }
        }
        switch outcome.state {
        case .failed(let error):
            // With --force, or under another name, it can be made.
            if isDryRun, error.code == .outputExists { printResults() }
            if isSingle { throw error }
            Terminal.say(error: error, ofSeveral: true)
        case .made, .planned:
            printResults()
            for note in outcome.notes where !isJSON {
                options.say("\(outcome.container?.string ?? ""): \(note)")
            }
        case .present, .passedOver: break
        }
    }

    /// Prints the path of what all pairs went to; with `--json`, each line has it.
    func printResult(_ path: FilePath) {
        clear()
        if !isJSON { Terminal.printResult(lines: [path.string]) }
    }

    /// Says this once at the end.
    func remark(_ text: String) {
        remark.withLock { $0 = text }
    }

    /// Removes the bar.
    func clear() { bar.clear() }

    /// Prints a summary, unless a single pair was given and made.
    ///
    /// - Throws: `ExitCode` if a pair failed; in a dry run, only if no pair can be made.
    func finish() throws {
        clear()
        let counts = counts.withLock { $0 }
        if !isJSON, !isSingle || counts["present"] != nil { options.say(counts.summary) }
        if let text = remark.withLock({ $0 }) { options.say(text) }
        let isUseful = isDryRun && (counts["planned"] ?? 0) + (counts["present"] ?? 0) > 0
        if counts["failed"] != nil, !isUseful { throw ExitCode(1) }
    }

    /// The result of a run that was stopped: `12 pairs were written`.
    var progressNote: String {
        let made = counts.withLock { $0["made"] ?? 0 }
        return made == 0 ? "nothing was written" : "\(counted(made, "pair was", plural: "pairs were")) written"
    }
}

extension PairTransfer.Outcome.State {
    /// The status in JSON.
    fileprivate var name: String {
        switch self {
        case .made: "made"
        case .present: "present"
        case .planned: "planned"
        case .failed: "failed"
        case .passedOver: "skipped"
        }
    }
}

extension [String: Int] {
    /// The summary of the numbers of outcomes by state: `3 pairs: 2 made, 1 already present; 14 files without a pair`
    fileprivate var summary: String {
        let states = [
            ("made", "made"), ("planned", "would be made"), ("present", "already present"), ("failed", "failed"),
        ].map { (self[$0.0] ?? 0, $0.1) }.filter { $0.0 > 0 }
        let pairs = counted(states.map(\.0).reduce(0, +), "pair")
        let parts = states.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let rest = self["skipped"].map { "; \(counted($0, "file")) without a pair" } ?? ""
        return "\(pairs)\(parts.isEmpty ? "" : ": ")\(parts)\(rest)"
    }
}

/// Output of `extract --json` and `pack --json` for a pair.
private struct TransferDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    private let status: String
    private let container: String?
    private let photo: String?
    private let movie: String?
    private let outputs: [String]?
    private let notes: [String]?
    private var error: String?

    init(_ outcome: PairTransfer.Outcome) {
        status = outcome.state.name
        (container, photo, movie) = (outcome.container?.string, outcome.photo?.string, outcome.movie?.string)
        outputs = outcome.outputs.isEmpty ? nil : outcome.outputs.map(\.string)
        notes = outcome.notes.isEmpty ? nil : outcome.notes
        if case .failed(let reason) = outcome.state { error = "\(reason)" }
    }
}
