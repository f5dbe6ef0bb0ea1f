import LocationCore

extension SplitMix64 {
    /// Returns a position near a true place, at less cost than the way to a destination on the ellipsoid.
    mutating func position(around place: Coordinate, radius: Double) -> Coordinate {
        // Near a pole the length of a degree of longitude changes within metres.
        guard abs(place.latitude) < 85 else {
            return place.destination(distance: unit() * radius, bearing: unit() * 360)
        }
        let (north, east) = (unit() * 2 - 1, unit() * 2 - 1)
        return place.moved(by: GroundOffset(east: east, north: north) * (radius * 0.7))
    }
}
