/// How the movie's pictures are coded.
public enum VideoCodec: String, OptionChoice {
    /// H.264, High profile, 8 bits (ISO/IEC 14496-10).
    case h264

    /// `a video codec`, for messages.
    public static let kind = "a video codec"
}
