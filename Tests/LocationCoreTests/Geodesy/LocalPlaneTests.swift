import Testing

@testable import LocationCore

/// Offsets on the plane, beside the distances on the ellipsoid.
@Suite struct LocalPlaneTests {
    @Test(arguments: [0.0, 45.07, -33.86, 69.65])
    func `an offset has the distance and the course of the geodesic, and leads to the place`(latitude: Double) {
        let origin = Coordinate(latitude: latitude, longitude: 179.99)
        for (north, east) in [(0.027, 0.0), (0.0, 0.027), (-0.01, 0.02)] {
            // To the east the place is beyond the antimeridian.
            let place = Coordinate(latitude: latitude + north, longitude: 179.99 + east - (east > 0.01 ? 360 : 0))
            let way = Geodesic(from: origin, to: place)
            let offset = origin.offset(to: place)
            #expect(abs(offset.length / way.distance - 1) < 0.0005)
            #expect(abs((offset.course - way.initialBearing).remainder(dividingBy: 360)) < 0.1)
            #expect(origin.moved(by: offset).distance(to: place) < 1e-6)
            var plane = LocalPlane()
            plane.follow(origin)
            #expect(abs(plane.squaredDistance(from: place, to: origin).squareRoot() / offset.length - 1) < 1e-9)
        }
    }

    @Test(arguments: [(0.01, 1, 0.573), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (-0.01, 1, 359.427)])
    func `a course is from 0 to 360 degrees`(east: Double, north: Double, course: Double) {
        #expect(abs(GroundOffset(east: east, north: north).course - course) < 0.001)
    }

    @Test func `at a pole an offset to the east leads somewhere`() {
        let pole = Coordinate(latitude: 90, longitude: 0)
        #expect(pole.moved(by: GroundOffset(east: 1, north: -1)).latitude < 90)
        #expect(pole.moved(by: GroundOffset(east: 0, north: 1)) == pole)
    }
}
