/// A place on Earth (WGS 84).
public struct GeographicLocation: Sendable, Hashable {
    /// Degrees north of the equator, -90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180…180.
    public let longitude: Double
    /// Metres above sea level.
    public let altitude: Double?

    /// Nil for degrees that are out of range, or an altitude more than 100 km from sea level.
    public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude),
            (-100_000...100_000).contains(altitude ?? 0)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
