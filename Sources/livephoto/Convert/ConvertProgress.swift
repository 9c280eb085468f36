import LivePhotoBatch
import Synchronization

/// Shows the progress of `convert`.
final class ConvertProgress: Sendable {
    private let display: ProgressDisplay
    /// The clips as the user named them.
    private let clips: [String]
    private let isJSON: Bool
    private let state: Mutex<State>

    private struct State {
        /// For each clip, from 0 to 1.
        var fractions: [Double]
        /// For each clip, what was shown last.
        var latest: [ConversionProgress]
        var ended = 0
    }

    /// - Parameter title: of the bar for several clips.
    init(_ clips: [String], _ form: ProgressForm, title: String = "converting") {
        (self.clips, isJSON) = (clips, form == .json)
        let title = clips.count == 1 ? FilePath(clips[0]).lastComponent?.string ?? clips[0] : title
        display = ProgressDisplay(title, form)
        let none = ConversionProgress(frames: 0, totalFrames: 0)
        state = Mutex(
            State(
                fractions: Array(repeating: 0, count: clips.count), latest: Array(repeating: none, count: clips.count)))
    }

    /// - Parameter index: of the clip.
    func show(_ progress: ConversionProgress, of index: Int = 0) {
        let fraction = progress.fraction
        // Within the lock, so that calls are in order.
        state.withLock { state in
            state.fractions[index] = min(max(fraction, 0), 1)
            state.latest[index] = progress
            draw(index, state)
        }
    }

    /// Counts a clip that was converted or has failed.
    func end(_ index: Int = 0) {
        state.withLock { state in
            state.fractions[index] = 1
            state.ended += 1
            // The bar of a single clip is about to be removed.
            if isJSON || clips.count > 1 { draw(index, state) }
        }
    }

    private func draw(_ index: Int, _ state: State) {
        let progress = state.latest[index]
        display.show(whole(state), note(progress, ended: state.ended)) {
            ProgressLine(
                clip: clips[index], frames: progress.frames, totalFrames: progress.totalFrames,
                fraction: state.fractions[index], clips: clips.count, clipsDone: state.ended, secondsLeft: $0)
        }
    }

    func clear() { display.clear() }

    private func whole(_ state: State) -> Double {
        state.fractions.reduce(0, +) / Double(max(state.fractions.count, 1))
    }

    private func note(_ progress: ConversionProgress, ended: Int) -> String {
        clips.count == 1 ? "\(progress.frames)/\(progress.totalFrames) frames" : "\(ended)/\(clips.count) clips"
    }
}

/// A line of `convert --progress json`.
private struct ProgressLine: Encodable {
    let clip: String
    let frames: Int
    let totalFrames: Int
    /// From 0 to 1, of this clip.
    let fraction: Double
    let clips: Int
    let clipsDone: Int
    let secondsLeft: Int?

    init(
        clip: String, frames: Int, totalFrames: Int, fraction: Double, clips: Int, clipsDone: Int, secondsLeft: Int?
    ) {
        (self.clip, self.frames, self.totalFrames) = (clip, frames, totalFrames)
        self.fraction = (fraction * 10_000).rounded() / 10_000
        (self.clips, self.clipsDone, self.secondsLeft) = (clips, clipsDone, secondsLeft)
    }
}
