/// The WGS 84 ellipsoid, on which every coordinate lies; lengths in metres.
///
/// The constants that other modules use are inlinable properties, so that they cost no call there.
package enum Ellipsoid {
    @inlinable package static var equatorialRadius: Double { 6_378_137 }
    @inlinable package static var flattening: Double { 1 / 298.257223563 }
    /// Polar over equatorial radius.
    static let axisRatio = 1 - flattening
    static let polarRadius = equatorialRadius * axisRatio
    @inlinable package static var eccentricitySquared: Double { flattening * (2 - flattening) }
    static let secondEccentricitySquared = eccentricitySquared / (axisRatio * axisRatio)
    static let thirdFlattening = flattening / (2 - flattening)

    /// The latitude on the auxiliary sphere that belongs to a geographic one; its cosine is never zero, so that a
    /// meridian stays a meridian at a pole.
    static func reduced(_ latitude: Angle) -> Angle {
        var reduced = Angle(towards: axisRatio * latitude.sine, latitude.cosine)
        reduced.cosine = max(reduced.cosine, 1e-100)
        return reduced
    }
}
