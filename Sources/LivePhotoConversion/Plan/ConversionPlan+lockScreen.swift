import MediaModel

extension ConversionPlan {
    /// What a movie with a live-photo-info track lacks for the lock screen, as reported by others.
    static func lockScreenWarnings(_ frames: FrameSequence, rate: FrameRate) -> [String] {
        var warnings: [String] = []
        if rate < .whole(lowestRate) {
            warnings.append("the movie has only \(rate); the lock screen is reported to need \(lowestRate) fps")
        }
        if frames.stillIndex < leadIn {
            warnings.append(
                "\(counted(frames.stillIndex, "frame precedes", plural: "frames precede")) the still time; the lock screen is"
                    + " reported to need \(leadIn)")
        }
        return warnings
    }

    private static var lowestRate: Int32 { 20 }
    private static var leadIn: Int { 14 }
}
