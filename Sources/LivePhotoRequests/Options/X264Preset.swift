/// libx264's presets, from the fastest to the slowest.
public enum X264Preset: String, OptionChoice {
    /// A preset by its name in libx264: each step compresses better and takes longer.
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    public static let kind = "an x264 preset"
}

extension X264Preset {
    /// x264 parameters (`ref=1`) that override those of the preset, because paired videos are short, have a low frame
    /// rate and a key frame about every second. Tests/Benchmarks/SETTINGS.md has the measurements.
    package func parameters(keyFrameInterval: Int, crf: Double) -> [String] {
        // Fewer frames than usual are predicted from each key frame, so it gets a smaller quality advantage.
        var parameters = ["ipratio=1.25"]
        var lookahead = min(lookahead, 10, keyFrameInterval * 2 / 3)
        if self == .veryfast || self == .faster { parameters += ["ref=1", "partitions=p8x8,i8x8,i4x4"] }
        if keyFrameInterval <= 15, crf <= 20 {
            // Frames of low rates differ much from each other. In high quality, B-frames and a long lookahead gain nothing for
            // their time and memory.
            parameters.append("bframes=0")
            lookahead = min(lookahead, 3)
        }
        if lookahead > 0 { parameters.append("rc-lookahead=\(lookahead)") }
        return parameters
    }

    /// The preset's `rc-lookahead` in frames (x264's param_apply_preset).
    private var lookahead: Int {
        switch self {
        case .ultrafast, .superfast: 0
        case .veryfast: 10
        case .faster: 20
        case .fast: 30
        case .medium: 40
        case .slow: 50
        case .slower, .veryslow, .placebo: 60
        }
    }
}
