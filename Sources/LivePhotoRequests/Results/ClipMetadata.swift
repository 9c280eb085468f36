public import LivePhotoKit

/// The date, location and camera that a clip contains; nil if it does not.
public struct ClipMetadata: Sendable, Hashable, Codable {
    /// When the clip was recorded.
    public var captureDate: CaptureDate?
    /// Where the clip was recorded.
    public var location: GeographicLocation?
    /// The camera's maker.
    public var make: String?
    /// The camera's model.
    public var model: String?

    /// Metadata for a request or a plan; every property is optional.
    public init(
        captureDate: CaptureDate? = nil, location: GeographicLocation? = nil, make: String? = nil, model: String? = nil
    ) {
        self.captureDate = captureDate
        self.location = location
        self.make = make
        self.model = model
    }
}

extension ClipMetadata: CustomStringConvertible {
    /// `Apple, iPhone 15 Plus, 2025-01-01T11:11:23+0900, +35.7143+139.7963/`; empty if all are nil.
    public var description: String {
        [make, model, captureDate?.iso8601, location?.iso6709].compactMap { $0 }.joined(separator: ", ")
    }
}

extension CaptureDate {
    /// Seconds since 1970 in UTC. A date without time zone is taken as UTC.
    package var secondsSince1970: Int64 {
        // H. Hinnant, "days_from_civil": years begin in March, so the leap day is the last day.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(utcOffset ?? 0) * 60
    }
}
