/// What becomes of the clip's sound.
public enum AudioMode: String, OptionChoice {
    /// It goes into the movie, where the clip has some.
    case keep
    /// The movie is silent.
    case discard = "none"

    /// `an audio mode`, for messages.
    public static let kind = "an audio mode"
}
