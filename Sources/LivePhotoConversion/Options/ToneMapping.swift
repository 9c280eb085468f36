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

    /// In libavfilter's syntax. `desat=0` leaves hues alone; a peak of ten times diffuse white is above what clips are
    /// graded to, whatever their metadata say.
    var filter: String {
        let parameter =
            switch self {
            case .mobius: ":param=0.3"
            case .reinhard: ":param=0.5"
            case .hable, .clip: ""
            }
        return "tonemap=\(rawValue)\(parameter):desat=0:peak=10"
    }
}
