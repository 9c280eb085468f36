#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The headroom of a photo with Apple's gain map, which readers before XMP stated it take from two fields. The formula is
/// that of Apple's article "Applying Apple HDR effect to your photos".
extension AppleMakerNote {
    /// The fields state up to eight times the white of SDR.
    package static let headroomLimit = 3.0

    /// The logarithm to base 2 of the headroom; nil if the note does not state it.
    package var headroom: Double? {
        guard let base = fields[.appleHDRHeadroom]?.firstNumber, let gain = fields[.appleHDRGain]?.firstNumber else {
            return nil
        }
        let stops =
            switch (base < 1, gain <= Self.knee) {
            case (true, true): -20 * gain + 1.8
            case (true, false): -0.101 * gain + 1.601
            case (false, true): -70 * gain + Self.headroomLimit
            case (false, false): -0.303 * gain + 2.303
            }
        return max(stops, 0)
    }

    /// - Parameter headroom: as a logarithm to base 2; more than `headroomLimit` is stated as that.
    package mutating func setHeadroom(_ headroom: Double) {
        let stops = min(max(headroom, 0), Self.headroomLimit)
        let flat = (2.303 - stops) / 0.303
        let gain = flat > Self.knee ? flat : min((Self.headroomLimit - stops) / 70, Self.knee)
        fields[.appleHDRHeadroom] = .signedRational(.appleHDRHeadroom, 1, 1)
        fields[.appleHDRGain] = .signedRational(.appleHDRGain, Int32((gain * 1e6).rounded()), 1_000_000)
    }

    private static let knee = 0.01
}
