import LocationCore
import Testing

@testable import LocwatchMonitor

/// Offsets on the ground, beside the distances on the ellipsoid.
@Suite struct GroundOffsetTests {
    @Test(arguments: [0.0, 45.07, -33.86, 69.65])
    func `the distance of an offset is that on the ellipsoid`(latitude: Double) {
        let origin = Coordinate(latitude: latitude, longitude: 179.99)
        for (north, east) in [(0.027, 0.0), (0.0, 0.027), (-0.01, 0.02)] {
            // To the east the place is beyond the antimeridian.
            let place = Coordinate(latitude: latitude + north, longitude: 179.99 + east - (east > 0.01 ? 360 : 0))
            let offset = GroundOffset(from: origin, to: place)
            let exact = origin.distance(to: place)
            #expect(abs(offset.distance(to: GroundOffset(east: 0, north: 0)) / exact - 1) < 0.0005)
        }
    }
}
