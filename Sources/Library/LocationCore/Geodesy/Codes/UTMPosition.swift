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
        band = Self.bands[min(19, Int(clamping: (latitude + 80) / 8))]
        let offset = TransverseMercator.project(latitude, longitude - Double(zone * 6 - 183))
        easting = 500_000 + offset.east
        northing = latitude < 0 ? 10_000_000 + offset.north : offset.north
    }

    /// The letters of the latitude bands, from south to north.
    static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

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

    /// Creates the grid position of metres in a zone.
    ///
    /// - Parameter northing: The metres north of the equator, or of a line 10,000 km south of it for a band in the southern hemisphere.
    init?(zone: Int, band: Character, easting: Double, northing: Double) {
        guard 1...60 ~= zone, 0...1_000_000 ~= easting, 0...10_000_000 ~= northing, Self.bands.contains(band) else {
            return nil
        }
        (self.zone, self.band, self.easting, self.northing) = (zone, band, easting, northing)
    }

    /// The number of the band, counted from the southernmost one.
    private var bandNumber: Int { Self.bands.firstIndex(of: band) ?? 0 }

    /// The coordinate of the position, or `nil` if it lies in another zone or band.
    ///
    /// - Parameter tolerance: The metres that it may lie beyond the edge of the zone or the band.
    func coordinate(within tolerance: Double = 1) -> Coordinate? {
        let isSouthern = bandNumber < 10
        let (latitude, offset) = TransverseMercator.unproject(
            east: easting - 500_000, north: isSouthern ? northing - 10_000_000 : northing)
        let longitude = offset + Double(zone * 6 - 183)
        let coordinate = Coordinate(checking: latitude, longitude - 360 * ((longitude + 180) / 360).rounded(.down))
        guard let coordinate else { return nil }
        let corners = [(0.0, 0.0), (-1, -1), (-1, 1), (1, -1), (1, 1)].compactMap { east, north in
            Coordinate(
                checking: latitude + north * tolerance / 111_000,
                coordinate.longitude + east * tolerance / (111_000 * max(0.01, Angle(degrees: latitude).cosine)))
        }
        return corners.contains { UTMPosition($0).map { $0.zone == zone && $0.band == band } ?? false }
            ? coordinate : nil
    }

    /// The zone, the easting and the northing in whole metres, as in `32T 396184 4991978`.
    package var text: String {
        "\(DecimalText.padded(zone, to: 2))\(band) \(Int(clamping: easting.rounded())) \(Int(clamping: northing.rounded()))"
    }

}
