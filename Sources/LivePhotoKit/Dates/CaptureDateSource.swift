/// Where the date of a pair comes from.
public enum CaptureDateSource: String, Sendable, Hashable, Codable {
    /// The request.
    case request
    /// The modification time of the clip's file, as requested.
    case fileTime
    /// The clip's metadata.
    case clip
    /// The metadata of the user-supplied photo.
    case photo
    /// The metadata of the movie that a photo is linked with.
    case movie
    /// A sidecar file of Google Takeout.
    case sidecar
    /// The clip's file name.
    case fileName
}

extension CaptureDateSource {
    /// `from the file name, which has no time of day: noon`
    ///
    /// - Parameter isDayOnly: Whether the name has only a day.
    package func description(isDayOnly: Bool) -> String {
        isDayOnly ? "\(self), which has no time of day: noon" : description
    }
}

extension CaptureDateSource: CustomStringConvertible {
    /// `from the file name`
    public var description: String {
        switch self {
        case .request: "as given"
        case .fileTime: "from the file's modification time"
        case .clip: "from the clip"
        case .photo: "from the photo"
        case .movie: "from the movie"
        case .sidecar: "from the sidecar of Google Takeout"
        case .fileName: "from the file name"
        }
    }
}
