public import MediaModel

extension CaptureDate: OptionValue {
    public static let kind = "a date"
    public static let allowed = "one such as 2025-10-12, 2025-10-12 23:36 or 2025-10-12T23:36:14+13:00"
    public static let jsonSchema = #"""
        "type": "string", "pattern": \#
        "^[0-9]{4}[-:][0-9]{2}[-:][0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]*)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$"
        """#

    /// Reads a date as ISO 8601 or Exif writes it, with a time or without, which is noon then: `2025-10-12T23:36:14+13:00`,
    /// `2025:10:12 23:36:14`, `2025-10-12`.
    public init?(text: String) {
        let pattern = /([0-9]{4})[-:]([0-9]{2})[-:]([0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(:[0-9.]+)?(Z|[-+][0-9:]+)?)?/
        guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
        let time = match.4.map { "\($0)\(match.5 ?? ":00")\(match.6 ?? "")" } ?? "12:00:00"
        self.init(iso8601: "\(match.1)-\(match.2)-\(match.3)T\(time)")
    }

    /// `2025-10-12T23:36:14+1300`
    public var description: String { iso8601 }
}

/// The value of `--date`.
public enum RequestedDate: OptionValue {
    /// This date.
    case date(CaptureDate)
    /// The modification time of the clip's file.
    case fileTime

    private static let fileWord = "file"
    public static let kind = CaptureDate.kind
    public static let allowed = "\(CaptureDate.allowed), or \(fileWord) for the file's modification time"
    public static let words = [fileWord]
    public static let jsonSchema = #"""
        "anyOf": [{\#(CaptureDate.jsonSchema)}, {"const": "\#(fileWord)"}]
        """#

    /// Reads `file`, or a date: `2025-10-12T23:36:14+13:00`.
    public init?(text: String) {
        if text == Self.fileWord {
            self = .fileTime
        } else if let date = CaptureDate(text: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// `2025-10-12T23:36:14+1300`, or `file`.
    public var description: String {
        switch self {
        case .date(let date): date.description
        case .fileTime: Self.fileWord
        }
    }
}

extension ContentIdentifier: OptionValue {
    public static let kind = "a UUID"
    public static let allowed = "one such as CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
    public static let jsonSchema =
        #""type": "string", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$""#

    /// Reads a UUID in upper or lower case.
    public init?(text: String) { self.init(text) }
}
