/// libx264's presets, from the fastest to the one that searches longest.
public enum X264Preset: String, OptionChoice {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    /// `an x264 preset`, for messages.
    public static let kind = "an x264 preset"
}
