public import LivePhotoKit

/// Whether the movie has sound.
public enum AudioMode: String, OptionChoice {
    /// It goes into the movie, where the clip has some.
    case keep
    /// The movie is silent.
    case discard = "none"

    public static let kind = "an audio mode"
}

/// How much of the clip's date, place and camera goes into the pair.
public enum MetadataMode: String, OptionChoice {
    /// All of it goes into the pair.
    case keep
    /// All but the place.
    case withoutLocation = "no-location"
    /// None of it.
    case discard = "none"

    public static let kind = "a metadata mode"

    /// The mode that leaves out what this one does, and the place too.
    package var leavingOutLocation: Self { self == .keep ? .withoutLocation : self }
}

/// How HDR is brought to the range of standard displays: libavfilter's operators, at one exposure. The percentages
/// are the SDR signal of diffuse white (203 cd/m², ITU-R BT.2408) and of highlights of 1,000 cd/m².
public enum ToneMapping: String, OptionChoice {
    /// Shadows and midtones stay as they are and highlights roll off: white at 84 %, highlights at 98 %.
    case mobius
    /// Everything is compressed evenly: white at 78 %, highlights at 95 %.
    case reinhard
    /// As film does, keeping most of the highlights' detail and darkening the rest: white at 62 %, highlights at 91 %.
    case hable
    /// Nothing is changed up to white; what is brighter is lost.
    case clip

    public static let kind = "a tone-mapping operator"
}

/// Whether decoders run in a process that can do nothing but compute.
public enum SandboxMode: String, OptionChoice {
    /// As far as the system can.
    case auto
    /// In full, or not at all.
    case require
    /// Not at all; for debugging.
    case off

    public static let kind = "a sandbox mode"
}

extension Profile: OptionChoice {
    public static let kind = "a profile"
}
