/// libx264's presets, from the fastest to the one that searches longest.
public enum X264Preset: String, OptionChoice {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    public static let kind = "an x264 preset"
}

extension X264Preset {
    /// What differs from x264's preset (its names, as `ref=1`), since paired videos are short, of few frames a second and
    /// have a key frame each second. Chosen where six real clips got as good at fewer bytes or in less time;
    /// Documentation/Presets.md has the figures.
    package func parameters(keyFrameInterval: Int) -> [String] {
        // Key frames are made better than the frames predicted from them. Fewer frames are here than x264 counts on.
        var parameters = ["ipratio=1.25"]
        if lookahead > 0 {
            // Further ahead nothing is gained, and each frame holds megabytes.
            parameters.append("rc-lookahead=\(min(lookahead, keyFrameInterval * 2 / 3))")
        }
        switch self {
        case .veryfast, .faster: parameters += ["ref=1", "partitions=p8x8,i8x8,i4x4"]
        default: break
        }
        return parameters
    }

    /// The most frames that the preset looks ahead, for its rate control (`rc-lookahead`; x264's param_apply_preset).
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
