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
    public init?(iso6709 text: String) { self.init(iso6709: FileText(text)) }

    package init?(iso6709 text: FileText) {
        var rest = text.bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "C") }
        var numbers: [Double] = []
        while let first = rest.first {
            let isSigned = first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
            let digits = rest.dropFirst(isSigned ? 1 : 0).prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
            guard isSigned || numbers.isEmpty, numbers.count < 3, !digits.isEmpty,
                let number = FileText(rest[..<digits.endIndex]).number
            else { return nil }
            numbers.append(number)
            rest = rest[digits.endIndex...]
        }
        guard numbers.count >= 2 else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
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
