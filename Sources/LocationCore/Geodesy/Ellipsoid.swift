/// The WGS 84 ellipsoid, on which every coordinate lies, with lengths in metres.
enum Ellipsoid {
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257223563
    /// The polar radius divided by the equatorial radius.
    static let axisRatio = 1 - flattening
    static let polarRadius = equatorialRadius * axisRatio
    static let eccentricitySquared = flattening * (2 - flattening)
    static let secondEccentricitySquared = eccentricitySquared / (axisRatio * axisRatio)
    static let thirdFlattening = flattening / (2 - flattening)

    /// Returns the reduced latitude, that on the auxiliary sphere, of a geographic latitude.
    ///
    /// Its cosine is never zero, so that a meridian stays defined at a pole.
    static func reduced(_ latitude: Angle) -> Angle {
        var reduced = Angle(towards: axisRatio * latitude.sine, latitude.cosine)
        reduced.cosine = max(reduced.cosine, 1e-100)
        return reduced
    }
}
