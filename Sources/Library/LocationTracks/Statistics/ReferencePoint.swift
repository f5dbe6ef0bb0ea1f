package import LocationCore

/// A point whose place is known, with which positions are compared.
package struct ReferencePoint: Hashable, Sendable {
    package let coordinate: Coordinate
    /// The height above mean sea level in metres, if it is known.
    package let height: Double?

    package init(_ coordinate: Coordinate, height: Double? = nil) {
        self.coordinate = coordinate
        self.height = height
    }

    /// Returns how far a position is from the point.
    ///
    /// The height above the ellipsoid is tens of metres off, so it is not compared.
    package func error(of location: Location) -> ReferenceError {
        let offset = SurfacePoint(coordinate).offset(to: SurfacePoint(location.coordinate))
        let up = height.flatMap { height in location.altitudeMSL.map { $0 - height } }
        return ReferenceError(east: offset.east, north: offset.north, up: up)
    }
}

/// The distance of a position from a reference point, in metres to a tenth of a millimetre.
@usableFromInline
package struct ReferenceError: Hashable, Sendable {
    @usableFromInline package let east: Double
    @usableFromInline package let north: Double
    /// The distance upwards, if both heights are known.
    @usableFromInline package let up: Double?

    @usableFromInline package let distance: Double

    init(east: Double, north: Double, up: Double?) {
        self.east = east.toFourDecimals
        self.north = north.toFourDecimals
        self.up = up?.toFourDecimals
        distance = (east * east + north * north).squareRoot().toFourDecimals
    }
}
