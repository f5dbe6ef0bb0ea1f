/// The plane around a receiver, on which distances are measured to 1 %.
struct LocalPlane: Hashable, Sendable {
    private var latitude = Double.nan
    /// The degrees of longitude that are as long as a degree of latitude.
    private var stretch = 1.0

    /// The length of a degree of latitude, to 0.6 %.
    private static let degree = 111_200.0
    /// The change of latitude after which the plane is another one, and the latitude up to which that is accurate.
    private static let reach = 0.05
    private static let highest = 85.0
    /// The greatest difference of coordinates that is measured on the plane, in degrees.
    private static let far = 0.2

    /// Moves the plane to a receiver.
    @inline(__always)
    mutating func follow(_ place: Coordinate) {
        // Comparisons with an unknown latitude are false.
        if abs(place.latitude - latitude) < Self.reach { return }
        latitude = place.latitude
        stretch = Angle(degrees: latitude).cosine
    }

    /// Returns the square of the distance between two places, of which the second is on the plane.
    @inline(__always)
    func squaredDistance(from start: Coordinate, to end: Coordinate) -> Double {
        let north = end.latitude - start.latitude
        let turn = longitudeDifference(start, end)
        guard abs(north) < Self.far, abs(turn) < Self.far, abs(latitude) < Self.highest else {
            let distance = end.distance(to: start)
            return distance * distance
        }
        let east = turn * stretch
        return (north * north + east * east) * (Self.degree * Self.degree)
    }
}

extension Coordinate {
    /// Moves a share of the short way to another coordinate.
    @inline(__always)
    mutating func move(_ share: Double, towards other: Coordinate) {
        var turned = longitude + longitudeDifference(self, other) * share
        if abs(turned) > 180 { turned -= turned < 0 ? -360 : 360 }
        self = Coordinate(checking: latitude + (other.latitude - latitude) * share, turned) ?? other
    }
}
