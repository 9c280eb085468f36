/// How the video of a Live Photo is coded.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable, Codable {
    /// H.264 (ITU-T H.264), which all devices play.
    case h264
    /// HEVC (ITU-T H.265), which devices since 2017 play.
    case hevc

    /// `H.264` or `HEVC`.
    package var name: String {
        switch self {
        case .h264: "H.264"
        case .hevc: "HEVC"
        }
    }
}
