/// A position in the Universal Transverse Mercator grid.
package struct UTMPosition: Hashable, Sendable {
    /// The number of the zone, 1 … 60.
    package let zone: Int
    /// The letter of the latitude band, C … X.
    package let band: Character
    /// The metres east of a line 500 km west of the zone's central meridian.
    package let easting: Double
    /// The metres north of the equator, or of a line 10,000 km south of it in the southern hemisphere.
    package let northing: Double

    /// Creates the grid position of a coordinate, or returns `nil` south of 80° S and north of 84° N, where the grid
    /// ends.
    package init?(_ coordinate: Coordinate) {
        guard -80...84 ~= coordinate.latitude else { return nil }
        // Rounded as in the sums for the band and the zone, so that they fit a place just short of the equator or the date line.
        let latitude = coordinate.latitude + 80 - 80
        let east = coordinate.longitude + 180
        // The date line belongs to zone 1.
        let longitude = east == 360 ? -180 : east - 180
        zone = Self.zone(latitude, longitude)
        band = Array("CDEFGHJKLMNPQRSTUVWX")[min(19, Int(clamping: (latitude + 80) / 8))]
        let offset = TransverseMercator.project(latitude, longitude - Double(zone * 6 - 183))
        easting = 500_000 + offset.east
        northing = latitude < 0 ? 10_000_000 + offset.north : offset.north
    }

    private static func zone(_ latitude: Double, _ longitude: Double) -> Int {
        // Zone 32 is widened for the southwest of Norway, and Svalbard has fewer and wider zones.
        if 56..<64 ~= latitude, 3..<12 ~= longitude { return 32 }
        if latitude >= 72 {
            switch longitude {
            case 0..<9: return 31
            case 9..<21: return 33
            case 21..<33: return 35
            case 33..<42: return 37
            default: break
            }
        }
        return Int(clamping: (longitude + 180) / 6) + 1
    }

    /// The zone, the easting and the northing in whole metres, as in `32T 396184 4991978`.
    package var text: String {
        "\(DecimalText.padded(zone, to: 2))\(band) \(Int(clamping: easting.rounded())) \(Int(clamping: northing.rounded()))"
    }

    /// The reference in the Military Grid Reference System, to the metre.
    package var mgrs: String {
        // The letters of the squares repeat every three zones from west to east and every two from south to north.
        let columns = Array(["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"][zone % 3])
        let rows = Array("ABCDEFGHJKLMNPQRSTUV")
        let (east, north) = (Int(clamping: easting), Int(clamping: northing))
        // Even the widest zone lies within the eight columns.
        let column = columns[min(7, max(0, east / 100_000 - 1))]
        let row = rows[(north / 100_000 + (zone % 2 == 0 ? 5 : 0)) % rows.count]
        return "\(DecimalText.padded(zone, to: 2))\(band)\(column)\(row)"
            + DecimalText.padded(east % 100_000, to: 5) + DecimalText.padded(north % 100_000, to: 5)
    }
}

/// The transverse Mercator projection of the ellipsoid by Krüger's series, scaled by 0.9996 as the grid requires.
///
/// Within a zone the truncation error is below a micrometre.
private enum TransverseMercator {
    private static let radius: Double = {
        let n = Ellipsoid.thirdFlattening
        return 0.9996 * Ellipsoid.equatorialRadius / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64)
    }()

    private static let coefficients: [Double] = {
        let n = Ellipsoid.thirdFlattening
        let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n)
        return [
            n / 2 - n2 * 2 / 3 + n3 * 5 / 16 + n4 * 41 / 180, n2 * 13 / 48 - n3 * 3 / 5 + n4 * 557 / 1440,
            n3 * 61 / 240 - n4 * 103 / 140, n4 * 49561 / 161_280,
        ]
    }()

    /// Returns the metres east of the central meridian and north of the equator; the longitude is in degrees east of
    /// that meridian, at most 6 either way.
    static func project(_ latitude: Double, _ longitude: Double) -> (east: Double, north: Double) {
        let (phi, lambda) = (Angle(degrees: latitude), Angle(degrees: longitude))
        let eccentricity = Ellipsoid.eccentricitySquared.squareRoot()
        // `tau` is the tangent of the conformal latitude.
        let sigma = hyperbolicSine(eccentricity * hyperbolicArea(eccentricity * phi.sine))
        let tau = (phi.sine * (1 + sigma * sigma).squareRoot() - sigma) / phi.cosine
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
}
