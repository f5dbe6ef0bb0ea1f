/// The transverse Mercator projection of the ellipsoid by Krüger's series, scaled by 0.9996 as the grid requires.
///
/// Within a zone the truncation error is below a micrometre.
enum TransverseMercator {
    private static let radius: Double = {
        let n = Ellipsoid.thirdFlattening
        return 0.9996 * Ellipsoid.equatorialRadius / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64)
    }()

    /// The coefficients of the way to the plane.
    private static let coefficients: [Double] = {
        let n = Ellipsoid.thirdFlattening
        let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
        return [
            n / 2 - n2 * 2 / 3 + n3 * 5 / 16 + n4 * 41 / 180, n2 * 13 / 48 - n3 * 3 / 5 + n4 * 557 / 1440,
            n3 * 61 / 240 - n4 * 103 / 140, n4 * 49561 / 161_280,
        ]
    }()

    /// The coefficients of the way back.
    private static let inverseCoefficients: [Double] = {
        let n = Ellipsoid.thirdFlattening
        let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
        return [
            n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360, n2 / 48 + n3 / 15 - n4 * 437 / 1440,
            n3 * 17 / 480 - n4 * 37 / 840, n4 * 4397 / 161_280,
        ]
    }()

    private static let eccentricity = Ellipsoid.eccentricitySquared.squareRoot()

    /// Returns the metres east of the central meridian and north of the equator; the longitude is in degrees east of
    /// that meridian, at most 6 either way.
    static func project(_ latitude: Double, _ longitude: Double) -> (east: Double, north: Double) {
        let (phi, lambda) = (Angle(degrees: latitude), Angle(degrees: longitude))
        let tau = conformalTangent(phi.sine / phi.cosine)
        let side = (tau * tau + lambda.cosine * lambda.cosine).squareRoot()
        let xi = arcTangent(tau, lambda.cosine)
        let eta = hyperbolicArea(lambda.sine / (side * side + lambda.sine * lambda.sine).squareRoot())
        var (north, east) = (xi, eta)
        for (index, coefficient) in coefficients.enumerated() {
            let turns = Double(2 * (index + 1))
            let angle = Angle(radians: turns * xi)
            north += coefficient * angle.sine * hyperbolicCosine(turns * eta)
            east += coefficient * angle.cosine * hyperbolicSine(turns * eta)
        }
        return (radius * east, radius * north)
    }

    /// Returns the latitude, and the degrees of longitude east of the central meridian, of metres east of that meridian and north of
    /// the equator, at most 1,000 km and 10,000 km either way.
    static func unproject(east: Double, north: Double) -> (latitude: Double, longitude: Double) {
        let (xi, eta) = (north / radius, east / radius)
        var (turned, side) = (xi, eta)
        for (index, coefficient) in inverseCoefficients.enumerated() {
            let turns = Double(2 * (index + 1))
            let angle = Angle(radians: turns * xi)
            turned -= coefficient * angle.sine * hyperbolicCosine(turns * eta)
            side -= coefficient * angle.cosine * hyperbolicSine(turns * eta)
        }
        let angle = Angle(radians: turned)
        let width = hyperbolicSine(side)
        let tangent = tangent(ofConformal: angle.sine / (width * width + angle.cosine * angle.cosine).squareRoot())
        let degrees = 180 / Double.pi
        return (arcTangent(tangent, 1) * degrees, arcTangent(width, angle.cosine) * degrees)
    }

    /// Returns the tangent of the conformal latitude from that of the geographic one.
    private static func conformalTangent(_ tangent: Double) -> Double {
        let secant = (1 + tangent * tangent).squareRoot()
        let sigma = hyperbolicSine(eccentricity * hyperbolicArea(eccentricity * tangent / secant))
        return tangent * (1 + sigma * sigma).squareRoot() - sigma * secant
    }

    /// Returns the tangent of the geographic latitude from that of the conformal one, by Newton's method, which needs two or three
    /// steps.
    private static func tangent(ofConformal conformal: Double) -> Double {
        let shape = 1 - Ellipsoid.eccentricitySquared
        var tangent = conformal / shape
        for _ in 0..<5 {
            let value = conformalTangent(tangent)
            let slope =
                shape * (1 + tangent * tangent).squareRoot() * (1 + value * value).squareRoot()
                / (1 + shape * tangent * tangent)
            tangent += (conformal - value) / slope
        }
        return tangent
    }
}
