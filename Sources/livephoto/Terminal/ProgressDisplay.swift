import LivePhotoBatch
import Synchronization

/// How progress is shown.
enum ProgressForm: String, CaseIterable, Sendable {
    case bar, json, none
}

/// Shows the progress of a command on stderr: as a bar on a terminal, or as JSON lines.
final class ProgressDisplay: Sendable {
    private let title: String
    private let form: ProgressForm
    private let state = Mutex(State())

    private struct State {
        /// The part of the work that was shown last; nil for work without parts.
        var stage: String?
        var remaining = RemainingTime()
        /// When a number was shown last; nil if none of the stage was.
        var time: ContinuousClock.Instant?
        /// The total of which all was done.
        var ended = 0

        /// Begins a stage, if it is another one.
        mutating func enter(_ stage: String?, at now: ContinuousClock.Instant) {
            if stage != self.stage { (self.stage, remaining, time, ended) = (stage, RemainingTime(start: now), nil, 0) }
        }

        /// Whether to show a number now: some times a second.
        mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
            if let time, now - time < ProgressDisplay.interval { return false }
            time = now
            return true
        }
    }

    private static let titleWidth = 30
    private static let barWidth = 8...40
    fileprivate static let interval = Duration.milliseconds(100)

    /// - Parameter title: cut if it is long.
    init(_ title: String, _ form: ProgressForm = .bar) {
        let title = printable(title)
        self.title = (DisplayWidth.isUTF8 ? title : title.withoutUnicode).cut(to: Self.titleWidth)
        self.form = form == .bar && (!Terminal.isCapable || Terminal.isJSON) ? .none : form
    }

    /// Shows how many files, pairs or jobs are done, some times a second.
    ///
    /// - Parameters:
    ///   - total: while it still grows, what was found so far.
    ///   - unit: a singular noun.
    ///   - stage: the part of the work, which has a title and a remaining time of its own; nil for work without parts.
    func show(_ done: Int, of total: Int, _ unit: String, stage: String? = nil) {
        guard form != .none else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            state.enter(stage, at: now)
            // Once for each total, which may still grow.
            let isLast = done == total && total > state.ended
            if isLast { state.ended = total }
            guard state.isDue(at: now) || isLast else { return }
            let fraction = total > 0 ? Double(done) / Double(total) : 0
            show(fraction, fraction, "\(done)/\(counted(total, unit))", &state) {
                CountLine(stage: stage, done: done, total: total, secondsLeft: $0)
            }
        }
    }

    /// - Parameters:
    ///   - fraction: from 0 to 1.
    ///   - measured: the fraction of the work since the start, if some of it was done before.
    ///   - note: text after the bar, which the remaining time follows.
    ///   - line: the JSON line, from the remaining time in seconds; nil if that is unknown.
    func show(
        _ fraction: Double, measured: Double? = nil, _ note: @autoclosure () -> String,
        line: (_ secondsLeft: Int?) -> some Encodable
    ) {
        guard form != .none else { return }
        state.withLock { show(fraction, measured ?? fraction, note(), &$0, line: line) }
    }

    private func show(
        _ fraction: Double, _ measured: Double, _ note: @autoclosure () -> String, _ state: inout State,
        line: (_ secondsLeft: Int?) -> some Encodable
    ) {
        let seconds = state.remaining.seconds(after: measured)
        if form == .json { return write(line(seconds)) }
        let left = seconds.map { ", \(Words.time(wholeSeconds: $0)) left" } ?? ""
        Terminal.draw(bar: text(state.stage ?? title, fraction, note() + left))
    }

    private func write(_ line: some Encodable) {
        if Terminal.isJSON { return Terminal.write(LogLine(level: "progress", progress: line)) }
        // A terminal would interpret some characters that JSON does not escape.
        if let text = try? JSON.text(line) { Terminal.isInteractive ? Terminal.say(text) : Terminal.write(text + "\n") }
    }

    /// Shows a number of which the final value is unknown, some times a second.
    ///
    /// - Parameters:
    ///   - unit: a singular noun.
    ///   - stage: as above.
    func show(found count: Int, _ unit: String, stage: String? = nil) {
        guard form != .none else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            state.enter(stage, at: now)
            guard state.isDue(at: now) else { return }
            if form == .json {
                return write(CountLine(stage: stage, done: count, total: nil, secondsLeft: nil))
            }
            Terminal.draw(
                bar: "\(stage ?? title) \(counted(count, unit))".cut(to: max(Terminal.columns - 1, 12)))
        }
    }

    /// Removes the bar.
    func clear() { Terminal.eraseBar() }

    /// The title, the bar and the note, without the last column, where the cursor could wrap the line.
    private func text(_ title: String, _ fraction: Double, _ note: String) -> String {
        let columns = Terminal.columns
        let width = min(columns - title.columns - note.columns - 3, Self.barWidth.upperBound)
        guard width >= Self.barWidth.lowerBound else { return note.cut(to: max(columns - 1, 12)) }
        let filled = Int(Double(width) * min(max(fraction, 0), 1))
        let (full, empty) = DisplayWidth.isUTF8 ? ("━", " ") : ("#", ".")
        return
            "\(title) \(String(repeating: full, count: filled))\(String(repeating: empty, count: width - filled)) \(note)"
    }
}

/// A line of `--progress json` for work that is counted in files or pairs.
private struct CountLine: Encodable {
    let stage: String?
    let done: Int
    let total: Int?
    let secondsLeft: Int?
}

extension String {
    /// With a question mark for each character that is not ASCII.
    fileprivate var withoutUnicode: String { String(map { $0.isASCII ? $0 : "?" }) }
}
