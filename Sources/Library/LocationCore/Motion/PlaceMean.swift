/// The mean of places near each other, such as those of a receiver that stands.
package struct PlaceMean: Sendable {
    /// The number of places.
    package private(set) var count = 0
    /// The first place, from which offsets are measured.
    package private(set) var origin: SurfacePoint?
    private var sum = GroundOffset(east: 0, north: 0)

    /// Creates a mean of no places.
    package init() {}

    /// Returns the offset of a place from the first one, which it is if there is none yet.
    package func offset(of place: SurfacePoint) -> GroundOffset {
        origin?.offset(to: place) ?? GroundOffset(east: 0, north: 0)
    }

    /// Adds a place, and returns its offset from the first one.
    @discardableResult package mutating func add(_ place: SurfacePoint) -> GroundOffset {
        let offset = offset(of: place)
        add(place, at: offset)
        return offset
    }

    /// Adds a place whose offset from the first one is known.
    mutating func add(_ place: SurfacePoint, at offset: GroundOffset) {
        if origin == nil { origin = place }
        count += 1
        sum.east += offset.east
        sum.north += offset.north
    }

    /// The mean relative to the first place.
    package var centre: GroundOffset {
        GroundOffset(east: sum.east / Double(max(1, count)), north: sum.north / Double(max(1, count)))
    }

    /// The mean, which minimizes the sum of the squared distances along the ellipsoid.
    package var coordinate: Coordinate? {
        let centre = centre
        let bearing = arcTangent(centre.east, centre.north) * 180 / .pi
        return origin?.coordinate.destination(distance: centre.length, bearing: bearing)
    }
}
