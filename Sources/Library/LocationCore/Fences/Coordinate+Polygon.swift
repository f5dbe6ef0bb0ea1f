// A polygon is the list of its vertices. As in GeoJSON, an edge is straight in latitude and longitude; it takes the
// short way round. The border is closed whether or not the last vertex repeats the first. A polygon may cross the date
// line but must not go around a pole.

extension Coordinate {
    /// Returns whether this point is inside a polygon whose edges are straight in latitude and longitude and which does
    /// not contain a pole.
    ///
    /// If the border crosses itself, areas that it encloses twice are outside.
    public func isInside(polygon vertices: [Coordinate]) -> Bool {
        // The polygon is unrolled into one plane, where the point may lie a full turn farther east or west.
        var (here, turnEast, turnWest) = (false, false, false)
        for edge in PolygonEdges(vertices, eastOf: longitude)
        where (edge.from.north > latitude) != (edge.to.north > latitude) {
            let part = (latitude - edge.from.north) / (edge.to.north - edge.from.north)
            let east = edge.from.east + part * (edge.to.east - edge.from.east)
            if east > 0 { here.toggle() }
            if east > 360 { turnEast.toggle() }
            if east > -360 { turnWest.toggle() }
        }
        return here || turnEast || turnWest
    }

    /// Returns the distance in metres to the nearest point of a polygon's border, positive inside and negative outside,
    /// or `nil` without vertices.
    package func signedDistance(toBorderOf vertices: [Coordinate]) -> Double? {
        var nearest: Coordinate?
        var least = Double.infinity
        let place = SurfacePoint(self)
        for edge in PolygonEdges(vertices, eastOf: longitude) {
            let candidate = nearestPoint(of: edge)
            // The point with the shorter chord is also nearer on the surface.
            let squared = ShortGeodesic(from: place, to: SurfacePoint(candidate)).squared
            if squared < least { (nearest, least) = (candidate, squared) }
        }
        guard let nearest else { return nil }
        return isInside(polygon: vertices) ? distance(to: nearest) : -distance(to: nearest)
    }

    private func nearestPoint(of edge: PolygonEdges.Edge) -> Coordinate {
        let middle = (edge.from.east + edge.to.east) / 2
        let west = if middle > 180 { 360.0 } else if middle < -180 { -360.0 } else { 0.0 }
        let (x, y) = (edge.from.east - west, edge.from.north - latitude)
        let (dx, dy) = (edge.to.east - edge.from.east, edge.to.north - edge.from.north)

        var part = 0.0
        // The scale of longitude is taken halfway to the point found by the previous iteration.
        for _ in 0..<3 {
            let halfway = Angle(degrees: latitude + (y + part * dy) / 2)
            let flat =
                (1 - Ellipsoid.eccentricitySquared) / (1 - Ellipsoid.eccentricitySquared * halfway.sine * halfway.sine)
            let weight = halfway.cosine * halfway.cosine / (flat * flat)
            let squared = weight * dx * dx + dy * dy
            part = squared > 0 ? min(1, max(0, -(weight * x * dx + y * dy) / squared)) : 0
        }
        return Coordinate(
            latitude: min(90, max(-90, edge.from.north + part * dy)),
            longitude: (longitude + x + part * dx).remainder(dividingBy: 360))
    }
}
