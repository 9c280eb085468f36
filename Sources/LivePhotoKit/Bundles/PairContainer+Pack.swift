extension PairContainer {
    /// What a pair can be put into.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case pvt, livp
        /// Google's Motion Photo 1.0.
        case motionPhoto = "motion-photo"
    }
}
