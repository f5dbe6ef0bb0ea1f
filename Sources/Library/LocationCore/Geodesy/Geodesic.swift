/// The shortest path between two coordinates on the WGS 84 ellipsoid.
///
/// Distances are accurate to a hundredth of a millimetre everywhere, including between antipodal points, at the poles
/// and across the date line. If several paths are shortest, it is one of them.
package struct Geodesic: Hashable, Sendable {
    package let distance: Double
    /// The azimuth at the start, in degrees clockwise from north, 0 ..< 360; 0 if both ends coincide.
    package let initialBearing: Double

    package init(from start: Coordinate, to end: Coordinate) {
        let chord = ShortGeodesic(from: SurfacePoint(start), to: SurfacePoint(end))
        let azimuth: Double
        if chord.squared < Geodesic.directionLimit * Geodesic.directionLimit {
            distance = chord.arc
            azimuth = chord.azimuth
        } else {
            let solution = GeodesicInverse(from: start, to: end)
            distance = solution.distance
            azimuth = solution.initial.degrees
        }
        let turned = azimuth < 0 ? azimuth + 360 : azimuth
        // An azimuth barely below zero rounds to 360; `abs` turns a negative zero into zero.
        initialBearing = turned >= 360 ? 0 : abs(turned)
    }

    /// The chord length in metres below which the chord gives the distance to 0.002 mm.
    static let lengthLimit = 150_000.0
    /// The chord length in metres below which the chord gives the direction to 0.01 mm at the other end.
    static let directionLimit = 8_000.0
}

extension Coordinate {
    /// Returns the initial bearing towards another coordinate, in degrees clockwise from north, 0 ..< 360.
    public func bearing(to other: Coordinate) -> Double {
        Geodesic(from: self, to: other).initialBearing
    }

    /// Returns the bearing with which the shortest line from another coordinate arrives, in degrees clockwise from north, 0 ..< 360.
    package func arrivalBearing(from start: Coordinate) -> Double {
        let back = bearing(to: start)
        return back < 180 ? back + 180 : back - 180
    }
}
