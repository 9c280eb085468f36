/// libx264's presets, from the fastest to the one that searches longest.
public enum X264Preset: String, OptionChoice {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    /// `an x264 preset`, for messages.
    public static let kind = "an x264 preset"

    /// The most frames that the preset looks ahead, for its rate control (`rc-lookahead`; x264's param_apply_preset).
    package var lookahead: Int {
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
