import MediaModel

/// Locations as Exif writes them (CIPA DC-008 4.6.7): degrees, minutes and seconds without a sign, and a reference.
extension GeographicLocation {
    /// Parts of a second of arc that are kept: 3 mm.
    private static let secondParts = 10_000
    /// Parts of a metre of altitude that are kept.
    private static let metreParts = 1000

    /// Nil unless the IFD has both latitude and longitude.
    init?(from gps: IFD) {
        guard let latitude = Self.degrees(gps[.gpsLatitude], gps[.gpsLatitudeReference], positive: "N", negative: "S"),
            let longitude = Self.degrees(gps[.gpsLongitude], gps[.gpsLongitudeReference], positive: "E", negative: "W"),
            let location = GeographicLocation(latitude: latitude, longitude: longitude)
        else { return nil }
        let altitude = gps[.gpsAltitude]?.rationals?.first?.value.map {
            gps[.gpsAltitudeReference]?.unsigned == 1 ? -$0 : $0
        }
        self = GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude) ?? location
    }

    private static func degrees(
        _ field: TIFFField?, _ reference: TIFFField?, positive: FileText, negative: FileText
    ) -> Double? {
        guard let parts = field?.rationals, parts.count == 3, let degrees = parts[0].value,
            let reference = reference?.text, reference == positive || reference == negative
        else { return nil }
        // Unknown minutes and seconds are 0/0 in some files.
        let angle = degrees + (parts[1].value ?? 0) / 60 + (parts[2].value ?? 0) / 3600
        return reference == negative ? -angle : angle
    }

    var gps: IFD {
        var gps = IFD([
            .byte(.gpsVersion, 2, 3, 0, 0),
            .ascii(.gpsLatitudeReference, latitude < 0 ? "S" : "N"),
            Self.field(.gpsLatitude, degrees: latitude.magnitude),
            .ascii(.gpsLongitudeReference, longitude < 0 ? "W" : "E"),
            Self.field(.gpsLongitude, degrees: longitude.magnitude),
        ])
        if let altitude {
            let parts = UInt32((altitude.magnitude * Double(Self.metreParts)).rounded())
            gps[.gpsAltitudeReference] = .byte(.gpsAltitudeReference, altitude < 0 ? 1 : 0)
            gps[.gpsAltitude] = .rational(.gpsAltitude, TIFFRational(parts, UInt32(Self.metreParts)))
        }
        return gps
    }

    private static func field(_ tag: TIFFTag, degrees: Double) -> TIFFField {
        let total = Int((degrees * 3600 * Double(secondParts)).rounded())
        let (minutes, parts) = total.quotientAndRemainder(dividingBy: 60 * secondParts)
        return .rational(
            tag, TIFFRational(UInt32(minutes / 60), 1), TIFFRational(UInt32(minutes % 60), 1),
            TIFFRational(UInt32(parts), UInt32(secondParts)))
    }
}
