/// The WGS 84 ellipsoid, on which every coordinate lies, with lengths in metres.
///
/// The constants that other modules use are inlinable properties, which need no call.
package enum Ellipsoid {
    @inlinable package static var equatorialRadius: Double { 6_378_137 }
    @inlinable package static var flattening: Double { 1 / 298.257223563 }
    /// The polar radius divided by the equatorial radius.
    static let axisRatio = 1 - flattening
    static let polarRadius = equatorialRadius * axisRatio
    @inlinable package static var eccentricitySquared: Double { flattening * (2 - flattening) }
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
