/// A coordinate with the values of its latitude that every distance from it needs.
///
/// A sine, a cosine and a root are most of the cost of a short distance, and each place of a way has two distances or more.
package struct SurfacePoint: Sendable {
    package let coordinate: Coordinate
    let latitude: Angle
    /// The radius of curvature perpendicular to the meridian, in metres.
    let radius: Double
    /// The distance from the earth's axis, and its counterpart along the axis before the flattening.
    let fromAxis: Double
    let alongAxis: Double

    package init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        latitude = Angle(degrees: coordinate.latitude)
        let sine = latitude.sine
        radius = Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * sine * sine).squareRoot()
        fromAxis = radius * latitude.cosine
        alongAxis = radius * sine
    }

    /// Returns the distance to another place in metres, along the surface of the WGS 84 ellipsoid.
    package func distance(to other: SurfacePoint) -> Double {
        let chord = ShortGeodesic(from: self, to: other)
        guard chord.squared < Geodesic.lengthLimit * Geodesic.lengthLimit else {
            return GeodesicInverse(from: coordinate, to: other.coordinate).distance
        }
        return chord.arc
    }

    /// Returns the offset to another place: its distance, in its initial direction.
    package func offset(to other: SurfacePoint) -> GroundOffset {
        let chord = ShortGeodesic(from: self, to: other)
        guard chord.squared < Geodesic.directionLimit * Geodesic.directionLimit else {
            let solution = GeodesicInverse(from: coordinate, to: other.coordinate)
            return GroundOffset(
                east: solution.distance * solution.initial.sine, north: solution.distance * solution.initial.cosine)
        }
        let direction = chord.direction
        let length = direction.length
        return length > 0 ? direction * (chord.arc / length) : GroundOffset(east: 0, north: 0)
    }
}

extension Coordinate {
    /// Returns the distance to another coordinate in metres, along the surface of the WGS 84 ellipsoid.
    public func distance(to other: Coordinate) -> Double { SurfacePoint(self).distance(to: SurfacePoint(other)) }
}
