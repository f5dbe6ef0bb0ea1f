extension Coordinate { func distance(to: Coordinate) -> Double { 0 } }
