/// libx265's presets, from the fastest to the slowest.
public enum X265Preset: String, OptionChoice {
    /// A preset by its name in libx265: each step compresses better and takes longer.
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    public static let kind = "an x265 preset"
}

extension X265Preset {
    /// x265 parameters that override those of the preset. Documentation/Presets.md has the measurements.
    ///
    /// - Parameter keyFrameInterval: frames from one key frame to the next, of which no encoder sees more.
    package func parameters(keyFrameInterval: Int) -> [String] {
        // Without psycho-visual optimization, which adds what looks like detail, the same structural similarity needs fewer
        // bytes.
        ["psy-rd=0", "psy-rdoq=0", "rc-lookahead=\(min(lookahead, max(keyFrameInterval, 8)))"]
    }

    /// The preset's `rc-lookahead` in frames (x265's x265_param_default_preset).
    private var lookahead: Int {
        switch self {
        case .ultrafast: 5
        case .superfast: 10
        case .veryfast, .faster, .fast: 15
        case .medium: 20
        case .slow: 25
        case .slower, .veryslow: 40
        case .placebo: 60
        }
    }
}
