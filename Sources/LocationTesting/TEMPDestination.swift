import LocationCore

extension Coordinate {
    func destination(distance: Double, bearing: Double) -> Coordinate {
        let north = abs(bearing - 180) / 90 - 1
        return Coordinate(
            checking: latitude + north * distance / 111_320, longitude + (1 - abs(north)) * distance / 80_000) ?? self
    }
}

extension Coordinate {
    func distance(to other: Coordinate) -> Double {
        let north = (other.latitude - latitude) * 111_320
        let east = (other.longitude - longitude) * 80_000
        return (north * north + east * east).squareRoot()
    }
}
