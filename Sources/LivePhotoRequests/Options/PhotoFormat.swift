/// How the key photo is coded.
public enum PhotoFormat: String, OptionChoice {
    /// Baseline JPEG (ITU-T T.81).
    case jpeg

    /// `a photo format`, for messages.
    public static let kind = "a photo format"
}
