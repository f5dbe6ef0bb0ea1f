import LocationCore

/// The scatter of positions around a true place, which costs less than the way to a destination on the ellipsoid.
enum PositionNoise {
    static func position(around place: Coordinate, radius: Double, _ random: inout SplitMix64) -> Coordinate {
        // Near a pole the length of a degree of longitude changes within metres.
        guard abs(place.latitude) < 85 else {
            return place.destination(distance: random.unit() * radius, bearing: random.unit() * 360)
        }
        let (north, east) = (random.unit() * 2 - 1, random.unit() * 2 - 1)
        return place.moved(by: GroundOffset(east: east, north: north) * (radius * 0.7))
    }
}
