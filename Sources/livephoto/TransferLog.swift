import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import Synchronization

/// Tells what becomes of pairs, one after the other, and counts them.
final class TransferLog: Sendable {
    let bar: ProgressBar
    private let isJSON: Bool
    private let isSingle: Bool
    private let counts = Mutex(TransferCounts())

    init(_ title: String, isJSON: Bool, isSingle: Bool) {
        (bar, self.isJSON, self.isSingle) = (ProgressBar(title), isJSON, isSingle)
    }

    func show(_ progress: PairTransfer.Progress) {
        let bar = progress.stage == .searching ? ProgressBar("searching") : bar
        bar.show(progress.done, of: progress.total, "files")
    }

    /// - Parameter results: the paths that are printed once they are made.
    func tell(_ outcome: PairTransfer.Outcome, results: [FilePath?]) throws {
        counts.withLock { $0.count(outcome.state) }
        guard let document = TransferDocument(outcome) else { return }
        bar.clear()
        if isJSON { try Terminal.print(document.json(.line)) }
        switch outcome.state {
        case .failed(let error):
            if isSingle { throw error }
            Terminal.say(Failure.sentence(error))
        case .made, .planned:
            if !isJSON { try Terminal.print(results.compactMap { $0?.string }.joined(separator: "\n")) }
        case .present, .passedOver: break
        }
    }

    /// Says how many there were, unless one was meant and made.
    ///
    /// - Throws: `ExitCode` where one failed.
    func finish() throws {
        bar.clear()
        let counts = counts.withLock { $0 }
        if !isJSON, !isSingle || counts.present > 0 { Terminal.say(counts.summary) }
        if counts.failed > 0 { throw ExitCode(1) }
    }

    /// What a run that is stopped leaves: `12 pairs were written`.
    var madeInWords: String {
        let made = counts.withLock { $0.made }
        return made == 0 ? "nothing was written" : "\(counted(made, "pair was", plural: "pairs were")) written"
    }
}

private struct TransferCounts {
    var made = 0
    var present = 0
    var planned = 0
    var failed = 0
    var passedOver = 0

    mutating func count(_ state: PairTransfer.Outcome.State) {
        switch state {
        case .made: made += 1
        case .present: present += 1
        case .planned: planned += 1
        case .failed: failed += 1
        case .passedOver: passedOver += 1
        }
    }

    /// `3 pairs: 2 made, 1 there already; 14 files without a pair`
    var summary: String {
        let parts = [(made, "made"), (planned, "to be made"), (present, "there already"), (failed, "failed")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let pairs = made + present + planned + failed
        let rest = passedOver > 0 ? "; \(counted(passedOver, "file")) without a pair" : ""
        return "\(counted(pairs, "pair"))\(parts.isEmpty ? "" : ": ")\(parts)\(rest)"
    }
}

/// What `extract --json` and `pack --json` print for a pair.
private struct TransferDocument: Encodable {
    /// Grows when a property changes its meaning or goes away.
    private let schema = 1
    private let status: String
    private let container: String?
    private let photo: String?
    private let movie: String?
    private let error: String?

    /// Nil for what holds no pair.
    init?(_ outcome: PairTransfer.Outcome) {
        (container, photo, movie) = (outcome.container?.string, outcome.photo?.string, outcome.movie?.string)
        switch outcome.state {
        case .made: (status, error) = ("made", nil)
        case .present: (status, error) = ("present", nil)
        case .planned: (status, error) = ("planned", nil)
        case .passedOver: return nil
        case .failed(let reason): (status, error) = ("failed", "\(reason)")
        }
    }
}
