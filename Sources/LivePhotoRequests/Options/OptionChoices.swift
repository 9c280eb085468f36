public import LivePhotoKit
public import MediaModel

/// Whether the movie has sound.
public enum AudioMode: String, OptionChoice {
    /// The movie has the clip's sound, if there is any.
    case keep
    /// The movie is silent.
    case discard = "none"

    public static let kind = "an audio mode"
}

/// Which of the clip's date, location and camera are written to the pair.
public enum MetadataMode: String, OptionChoice {
    /// All of them.
    case keep
    /// Date and camera.
    case withoutLocation = "no-location"
    /// None of them.
    case discard = "none"

    public static let kind = "a metadata mode"

    /// This mode with the location removed as well.
    package var leavingOutLocation: Self { self == .keep ? .withoutLocation : self }
}

/// The file format of a key photo that is encoded.
public enum KeyPhotoFormat: String, OptionChoice {
    /// JPEG, which everything reads.
    case jpeg
    /// HEIC (HEVC), as iPhones write it, with about half the bytes.
    case heic

    public static let kind = "a photo format"
}

/// What becomes of HDR.
public enum HDRMode: String, OptionChoice {
    /// Movie and HEIC have the clip's transfer function (PQ or HLG) and 10 bits; for HEVC only.
    case keep
    /// It becomes SDR by `ToneMapping`.
    case toneMap = "tone-map"
    /// The photo is SDR by `ToneMapping`, with a gain map from which displays of HDR make the clip's HDR. A HEVC movie is as for
    /// `keep`, an H.264 one as for `toneMap`.
    case both

    public static let kind = "an HDR mode"
}

/// How HDR is converted to SDR: the operators that libavfilter's tonemap has, at fixed exposure. The percentages
/// are the SDR signal of diffuse white (203 cd/m², ITU-R BT.2408) and of highlights of 1,000 cd/m².
public enum ToneMapping: String, OptionChoice {
    /// Keeps shadows and midtones and rolls off highlights: white at 84 %, highlights at 98 %.
    case mobius
    /// Compresses the entire range evenly: white at 78 %, highlights at 95 %.
    case reinhard
    /// Imitates film: keeps most detail in the highlights and darkens the rest: white at 62 %, highlights at 91 %.
    case hable
    /// Keeps everything up to white and clips brighter values.
    case clip

    public static let kind = "a tone-mapping operator"
}

/// Whether something is done.
public enum OptionSwitch: String, OptionChoice {
    /// It is done.
    case on = "true"
    /// It is not done.
    case off = "false"

    public static let kind = "a switch"
    public static let jsonSchema = #""enum": [true, false, "true", "false"]"#
}

/// What the records of a live-photo-info track say about the motion of the camera.
public enum LivePhotoInfoMotion: String, OptionChoice {
    /// There is no track.
    case omitted = "none"
    /// The camera does not move: constant records.
    case still
    /// What is measured in the pictures.
    case measured

    public static let kind = "a kind of motion records"
    public static let jsonSchema = #""enum": ["none", "still", "measured", true, false, "true", "false"]"#

    /// Reads one of the words. An earlier version had true, for `measured`, and false.
    public init?(text: String) {
        switch text {
        case "true": self = .measured
        case "false": self = .omitted
        default: self.init(rawValue: text)
        }
    }
}

/// A clockwise rotation by a multiple of 90 degrees.
public enum Rotation: String, OptionChoice {
    /// A quarter turn clockwise.
    case clockwise = "90"
    /// A half turn.
    case half = "180"
    /// A quarter turn counterclockwise.
    case counterclockwise = "270"

    public static let kind = "a rotation"
    public static let jsonSchema = #""enum": [90, 180, 270, "90", "180", "270"]"#
}

/// How a picture is mirrored.
public enum FlipDirection: String, OptionChoice {
    /// Left and right are exchanged.
    case horizontal
    /// Top and bottom are exchanged.
    case vertical

    public static let kind = "a direction"
}

/// Whether the process that decodes is sandboxed.
public enum SandboxMode: String, OptionChoice {
    /// Uses the features that the kernel supports.
    case auto
    /// Fails unless the kernel supports all features.
    case require
    /// No sandbox; for debugging.
    case off

    public static let kind = "a sandbox mode"
}

extension Profile: OptionChoice {
    public static let kind = "a profile"
}

extension VideoCodec: OptionChoice {
    public static let kind = "a video codec"
}
