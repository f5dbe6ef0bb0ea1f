import LocationCore

/// The scatter of positions around a true place, which costs less than the way to a destination on the ellipsoid.
struct PositionNoise {
    private static let degree = 111_200.0
    /// The latitude for which the degrees of longitude in a metre were computed.
    private var latitude = Double.nan
    private var turn = 0.0

    /// Returns a position within a radius around a place.
    mutating func position(around place: Coordinate, radius: Double, _ random: inout SplitMix64) -> Coordinate {
        // Near a pole the length of a degree of longitude changes within metres.
        guard abs(place.latitude) < 85 else {
            return place.destination(distance: random.unit() * radius, bearing: random.unit() * 360)
        }
        if latitude.isNaN || abs(latitude - place.latitude) > 0.2 {
            latitude = place.latitude
            let east = Coordinate(latitude: latitude, longitude: 0).destination(distance: 100, bearing: 90)
            turn = east.longitude / 100
        }
        let (north, east) = (random.unit() * 2 - 1, random.unit() * 2 - 1)
        var longitude = place.longitude + east * radius * 0.7 * turn
        if abs(longitude) > 180 { longitude -= longitude < 0 ? -360 : 360 }
        return Coordinate(latitude: place.latitude + north * radius * 0.7 / Self.degree, longitude: longitude)
    }
}
