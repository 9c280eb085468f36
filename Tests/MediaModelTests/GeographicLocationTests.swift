import MediaModel
import Testing

@Suite struct GeographicLocationTests {
    @Test(
        arguments: [
            (90.1, 0, nil, false), (0, 180.1, nil, false), (0, .nan, nil, false), (.infinity, 0, nil, false),
            (0, 0, .infinity, false), (0, 0, 100_001, false), (-90, 180, -431, true), (0, 0, nil, true),
        ] as [(Double, Double, Double?, Bool)])
    func `a place that is not on Earth is none`(latitude: Double, longitude: Double, altitude: Double?, exists: Bool) {
        let place = GeographicLocation(latitude: latitude, longitude: longitude, altitude: altitude)
        #expect((place != nil) == exists)
    }
}
