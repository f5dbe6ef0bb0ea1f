package import LocationCore

/// A satellite navigation system, by its number in a GSA sentence of NMEA 4.11, with the shape of its constellation.
package enum SatelliteSystem: Int, Hashable, Sendable, CaseIterable {
    /// The United States' system.
    case gps = 1
    /// Russia's system.
    case glonass
    /// Europe's system.
    case galileo
    /// China's system, with its satellites in medium orbit only.
    case beidou

    /// The system in gpsd's reports.
    package var constellation: Constellation {
        switch self {
        case .gps: .gps
        case .glonass: .glonass
        case .galileo: .galileo
        case .beidou: .beidou
        }
    }

    /// The orbits: planes evenly spaced around the equator, with evenly spaced satellites in each.
    var orbits: OrbitShape {
        switch self {
        case .gps:
            OrbitShape(radius: 26_560e3, inclination: 55, planes: 6, perPlane: 5, phasing: 11, firstNumber: 1)
        case .glonass:
            OrbitShape(radius: 25_508e3, inclination: 64.8, planes: 3, perPlane: 8, phasing: 15, firstNumber: 65)
        case .galileo:
            OrbitShape(radius: 29_600e3, inclination: 56, planes: 3, perPlane: 8, phasing: 15, firstNumber: 1)
        case .beidou:
            OrbitShape(radius: 27_906e3, inclination: 55, planes: 3, perPlane: 8, phasing: 15, firstNumber: 11)
        }
    }
}

struct OrbitShape {
    /// The distance from the earth's centre, in metres.
    var radius: Double
    /// The inclination to the equator, in degrees.
    var inclination: Double
    var planes: Int
    var perPlane: Int
    /// The angle by which each plane is ahead of the one before, in degrees.
    var phasing: Double
    /// The NMEA number of the first satellite.
    var firstNumber: Int
}
