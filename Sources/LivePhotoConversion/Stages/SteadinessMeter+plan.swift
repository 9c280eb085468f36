import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

extension SteadinessMeter {
    /// For the movie of a plan; nil if it is not meant for the lock screen.
    convenience init?(of plan: ConversionPlan) {
        guard plan.work.preset.video.writesLivePhotoInfo, !plan.work.isEdit else { return nil }
        self.init(plan.frames.items.map(\.time), still: plan.stillTime)
    }

    /// What the lock screen may refuse, each one sentence for the user, after all frames were added.
    func warnings(_ plan: ConversionPlan) -> [String] {
        let isStabilized = plan.work.preset.adjustments.stabilization == .on
        let remedy = (isStabilized ? "" : "--stabilize, or ") + "a calmer moment (--still auto)"
        return (steadiness?.problems ?? []).map { "\($0), which the lock screen may refuse; try \(remedy)" }
    }
}
