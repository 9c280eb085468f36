/// libx265's presets, from the fastest to the slowest.
public enum X265Preset: String, OptionChoice {
    /// A preset by its name in libx265: each step compresses better and takes longer.
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo

    public static let kind = "an x265 preset"
}

extension X265Preset {
    /// x265 parameters that override those of the preset. Tests/Benchmarks/SETTINGS.md has the measurements.
    package var parameters: [String] {
        // Without psycho-visual optimization, which adds what looks like detail, the same structural similarity needs fewer
        // bytes. Looking further ahead only costs memory.
        ["psy-rd=0", "psy-rdoq=0", "rc-lookahead=\(self == .ultrafast ? 5 : 10)"]
    }
}
