import MediaModel
import Testing

@Suite struct CaptureDateTextTests {
    @Test(arguments: [
        ("2025-10-12T23:36:14+1300", "2025-10-12T23:36:14+1300"),
        ("2025-10-12T23:36:14+13:00", "2025-10-12T23:36:14+1300"),
        ("2025-10-12T23:36:14-03:30", "2025-10-12T23:36:14-0330"),
        ("2025-10-12T23:36:14+13", "2025-10-12T23:36:14+1300"),
        ("2017-02-22T08:20:28.000000Z", "2017-02-22T08:20:28+0000"),
        ("2017-02-22 08:20:28", "2017-02-22T08:20:28"),
        ("0999-01-01T00:00:00", "0999-01-01T00:00:00"),
    ])
    func `dates are read in the forms that writers use, and written as devices do`(text: String, written: String) {
        #expect(CaptureDate(iso8601: text)?.iso8601 == written)
        #expect(CaptureDate(iso8601: written)?.iso8601 == written)
    }

    @Test(arguments: [
        "", "2025", "2025-10-12", "2025-13-01T00:00:00", "2025-02-29T00:00:00", "2025-10-12T24:00:00",
        "2025-10-12T23:36",
        "2025-10-12T23:36:14+", "2025-10-12T23:36:14+1", "2025-10-12T23:36:14+13:60", "2025-10-12T23:36:14X",
        "2025-10-12T23:36:14Z ", "٢٠٢٥-10-12T23:36:14",
    ])
    func `what is no date with a time of day is nil`(text: String) {
        #expect(CaptureDate(iso8601: text) == nil)
    }
}

@Suite struct GeographicLocationTextTests {
    @Test(
        arguments: [
            ("+35.7143+139.7963+007.400/", 35.7143, 139.7963, 7.4, "+35.7143+139.7963+007.400/"),
            ("-37.7890+175.2995+035.332/", -37.789, 175.2995, 35.332, "-37.7890+175.2995+035.332/"),
            ("+51.4169-000.0806/", 51.4169, -0.0806, nil, "+51.4169-000.0806/"),
            ("+51.4169-000.0806-12.5CRSWGS_84/", 51.4169, -0.0806, -12.5, "+51.4169-000.0806-012.500/"),
            ("+5.0-0", 5, 0, nil, "+05.0000+000.0000/"),
        ] as [(String, Double, Double, Double?, String)])
    func `places are read, and written as devices do`(
        text: String, latitude: Double, longitude: Double, altitude: Double?, written: String
    ) throws {
        let place = try #require(GeographicLocation(iso6709: text))
        #expect(place.latitude == latitude && place.longitude == longitude && place.altitude == altitude)
        #expect(place.iso6709 == written)
    }

    @Test(arguments: ["", "/", "+", "+1", "+1+2+3+4/", "+91+0/", "+1+181/", "abc", "+1.2.3+4/", "+1e3+2/", "+nan+2/"])
    func `what is no place is nil`(text: String) {
        #expect(GeographicLocation(iso6709: text) == nil)
    }
}
