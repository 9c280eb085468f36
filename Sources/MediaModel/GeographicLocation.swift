/// A place on Earth (WGS 84).
public struct GeographicLocation: Sendable, Hashable {
    /// Degrees north of the equator, -90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180…180.
    public let longitude: Double
    /// Metres above sea level; nil if unknown.
    public let altitude: Double?

    /// A place; nil for degrees that are out of range, or an altitude more than 100 km from sea level.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude),
            (-100_000...100_000).contains(altitude ?? 0)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}

/// Places in ISO 6709, annex H, as in QuickTime's key `location.ISO6709` and the user data `©xyz`.
extension GeographicLocation {
    /// Reads decimal degrees, `+35.7143+139.7963+007.400/`, with or without altitude, slash and a coordinate reference
    /// system. Nil for anything else, such as degrees and minutes without a separator.
    public init?(iso6709 text: String) {
        let numbers = text.prefix { $0 != "/" && $0 != "C" }
        guard let match = numbers.wholeMatch(of: /([+-]?[0-9.]+)([+-][0-9.]+)([+-][0-9.]+)?/),
            let latitude = Double(match.1), let longitude = Double(match.2), let altitude = Double(match.3 ?? "0")
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, altitude: match.3.map { _ in altitude })
    }

    /// The place as text, as devices write it: `+35.7143+139.7963+007.400/`.
    public var iso6709: String {
        Self.number(latitude, whole: 2, places: 4) + Self.number(longitude, whole: 3, places: 4)
            + (altitude.map { Self.number($0, whole: 3, places: 3) } ?? "") + "/"
    }

    /// A signed number, padded with zeros to so many digits before and after the point.
    private static func number(_ number: Double, whole: Int, places: Int) -> String {
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let (units, parts) = Int((number.magnitude * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
        return "\(number < 0 ? "-" : "+")\(padded(units, whole)).\(padded(parts, places))"
    }
}
