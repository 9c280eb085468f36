/// The kinds of file that a Live Photo is exported to.
public enum ExportFormat: String, OptionChoice {
    /// H.264 and AAC in an MP4 that starts to play before it is complete, with the key photo as its cover.
    case mp4
    /// An animation of 256 colours.
    case gif
    /// An animated WebP.
    case webp
    /// An animated AVIF.
    case avif
    /// The key photo.
    case jpeg
    /// A folder with a JPEG of each frame.
    case frames

    public static let kind = "an export format"

    /// The extension of the file; nil for a folder.
    public var fileExtension: String? {
        switch self {
        case .mp4, .gif, .webp, .avif: rawValue
        case .jpeg: "jpg"
        case .frames: nil
        }
    }

    /// Whether it is a file with an animation, which can be repeated.
    public var isAnimation: Bool {
        switch self {
        case .gif, .webp, .avif: true
        case .mp4, .jpeg, .frames: false
        }
    }

    /// Whether `ExportRequest.quality` applies.
    public var hasQuality: Bool {
        switch self {
        case .webp, .avif, .jpeg, .frames: true
        case .mp4, .gif: false
        }
    }
}
