/// How HDR is brought to the range of standard displays: libavfilter's operators, at one exposure. What is said of
/// diffuse white (203 cd/m², ITU-R BT.2408) and of highlights of 1,000 cd/m² is the share of the SDR signal.
public enum ToneMapping: String, OptionChoice {
    /// Shadows and midtones stay as they are and highlights roll off: white at 84 %, highlights at 98 %.
    case mobius
    /// Everything is compressed evenly: white at 78 %, highlights at 95 %.
    case reinhard
    /// As film does, keeping most of the highlights' detail and darkening the rest: white at 62 %, highlights at 91 %.
    case hable
    /// Nothing is changed up to white; what is brighter is lost.
    case clip

    /// `a tone-mapping operator`, for messages.
    public static let kind = "a tone-mapping operator"
}
