package struct GroundOffset: Hashable, Sendable {
    package var east: Double
    package var north: Double

    package init(east: Double, north: Double) { (self.east, self.north) = (east, north) }

    package var length: Double { (east * east + north * north).squareRoot() }

    /// The direction in degrees clockwise from north, 0 ..< 360.
    package var course: Double {
        let degrees = arcTangent(east, north) * (180 / .pi)
        return degrees < 0 ? degrees + 360 : degrees
    }

    package static func * (offset: GroundOffset, factor: Double) -> GroundOffset {
        GroundOffset(east: offset.east * factor, north: offset.north * factor)
    }

    package static func - (end: GroundOffset, start: GroundOffset) -> GroundOffset {
        GroundOffset(east: end.east - start.east, north: end.north - start.north)
    }
}

/// The plane that touches the ellipsoid at a latitude, for distances of a few kilometres.
///
/// Up to 3 km a distance is accurate to 0.05 % up to 70° of latitude, at a fraction of the cost of a `Geodesic`.
package struct LocalPlane: Hashable, Sendable {
    private var latitude = Double.nan
    /// The metres in a degree of latitude and of longitude.
    private var perLatitude = 0.0
    private var perLongitude = 0.0

    /// The change of latitude after which the plane is another one, and the latitude up to which that is accurate.
    private static let reach = 0.05
    private static let highest = 85.0
    /// The greatest difference of coordinates that is measured on the plane, in degrees.
    private static let far = 0.2

    /// Creates a plane that touches nowhere until it follows a place.
    init() {}

    package init(at place: Coordinate) {
        latitude = place.latitude
        let angle = Angle(degrees: latitude)
        let flatness = 1 - Ellipsoid.eccentricitySquared * angle.sine * angle.sine
        let across = Ellipsoid.equatorialRadius / flatness.squareRoot() * (.pi / 180)
        perLatitude = across * (1 - Ellipsoid.eccentricitySquared) / flatness
        // Never zero, as at a pole, because longitudes are computed by dividing by it.
        perLongitude = max(0.01, across * angle.cosine)
    }

    /// Moves the plane to a place if that is too far away for it.
    mutating func follow(_ place: Coordinate) {
        // Comparisons with an unknown latitude are false.
        if abs(place.latitude - latitude) < Self.reach { return }
        self = LocalPlane(at: place)
    }

    /// Returns the offset between two places near the plane's.
    package func offset(from start: Coordinate, to end: Coordinate) -> GroundOffset {
        GroundOffset(
            east: longitudeDifference(start, end) * perLongitude, north: (end.latitude - start.latitude) * perLatitude)
    }

    /// Returns the place at an offset from one near the plane's.
    package func place(at offset: GroundOffset, from start: Coordinate) -> Coordinate {
        let longitude = start.longitude + offset.east / perLongitude
        return Coordinate(
            checking: start.latitude + offset.north / perLatitude, longitude.remainder(dividingBy: 360)) ?? start
    }

    /// Returns the square of the distance between two places, of which the second is near the plane's.
    func squaredDistance(from start: Coordinate, to end: Coordinate) -> Double {
        let (north, east) = (end.latitude - start.latitude, longitudeDifference(start, end))
        guard abs(north) < Self.far, abs(east) < Self.far, abs(latitude) < Self.highest else {
            let distance = end.distance(to: start)
            return distance * distance
        }
        return north * north * (perLatitude * perLatitude) + east * east * (perLongitude * perLongitude)
    }
}

extension Coordinate {
    /// Returns the offset to a place a few kilometres away.
    package func offset(to other: Coordinate) -> GroundOffset { LocalPlane(at: self).offset(from: self, to: other) }

    /// Returns the place at an offset of a few kilometres.
    package func moved(by offset: GroundOffset) -> Coordinate { LocalPlane(at: self).place(at: offset, from: self) }

    /// Moves a share of the short way to another coordinate.
    mutating func move(_ share: Double, towards other: Coordinate) {
        var turned = longitude + longitudeDifference(self, other) * share
        if abs(turned) > 180 { turned -= turned < 0 ? -360 : 360 }
        self = Coordinate(checking: latitude + (other.latitude - latitude) * share, turned) ?? other
    }
}
